"""Names, numbers and times of logical forms in English."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from grammax.tables.form.canonical import plain_digits, shifted
from grammax.tables.form.judgement import CatalogueView
from grammax.tables.form.tree import (
    Aggregate,
    Date,
    EnumValue,
    FieldRef,
    FiscalYear,
    Group,
    Last,
    Measure,
    Month,
    Number,
    Operand,
    Percent,
    Quarter,
    Ratio,
    Text,
    Time,
)
from grammax.tables.lexicon import MONTH_NAMES, POWERS_OF_TEN

CURRENCY_SIGNS: Final = ("$", "€", "£", "¥", "₹", "₩", "₽", "₺", "₴", "฿")
_SCALES: Final = tuple(
    (POWERS_OF_TEN[word], word.lower()) for word in ("TRILLION", "BILLION", "MILLION")
)
_WITH_THE: Final = re.compile(
    r"(United|Middle East|Commonwealth|Isle of|(Democratic )?Republic of) ?.*"
    r"|.*(Alliance|countries|Emirates|group|Islands|Isles|Kingdom|Republic|States|states|Territor.*"
    r"|tigers|Union)|Americas|Bahamas|Balkans|BRICS|Caribbean|Comoros|euro area|G[0-9]+|Gambia"
    r"|Maldives|Netherlands|OECD|Philippines|Seychelles"
)
_COMMON_PLACES: Final = re.compile(r"(Emerging|Developed|Frontier|Offshore|Euro) [a-z]+")
_VARIANT: Final = re.compile(r"(.*), ([0-9].*|trailing .*|latest .*|quarter on quarter|forward)")
_AFTER_HEAD: Final = re.compile(
    r"[,(:]| (?:of|per|to|on|in|from|before|for|over|by|at|with|vs|since|under)\b"
)
_TRAILING: Final = re.compile(
    r"( (outstanding|issued|held|payable|receivable|paid|repaid|earned|written|sold short))+$"
)
_FUNCTIONS: Final = {
    "sum": "total {}",
    "average": "average {}",
    "median": "median {}",
    "min": "minimum {}",
    "max": "maximum {}",
}
_OF_DATES: Final = {"min": "earliest {}", "max": "latest {}"}
_DONE: Final = re.compile(r"[a-z]{2,}ed|built|born|made|sold|sent|written|begun")
_YEAR: Final = re.compile(r"(.* )?year|year (of|when|in which|founded) ?.*", re.IGNORECASE)
_PLURAL: Final = re.compile(r".*(?<!s)(?<!u)(?<!i)(?<!ew)s|women|men|people")


def listed(items: Sequence[str], word: str) -> str:
    """Items with commas and a last `word`.

    >>> listed(["France", "Italy", "Spain"], "or")
    'France, Italy or Spain'
    """
    return f" {word} ".join([", ".join(items[:-1])] * (len(items) > 1) + [items[-1]])


def field_name(ref: FieldRef, names: CatalogueView) -> str:
    """The name of a field with its time: "attendance last quarter"."""
    known = names.fields.get(ref.token)
    if known is None:
        name = _spelled(ref.token).lower()
    else:
        name = _name_within(known.name, names.schema.proper)
        name = f"number of {name}" if f"number of {name}" in known.aliases else name
    return name if ref.time is None else f"{name} {time_phrase(ref.time)}"


@lru_cache(maxsize=4096)
def _name_within(name: str, proper: frozenset[str]) -> str:
    """The name of a field inside a sentence: "votes, 3 years" is "votes (3 years)"."""
    return _VARIANT.sub(r"\1 (\2)", lowered(name, proper))


def measure_name(measure: Measure | Aggregate, names: CatalogueView) -> str:
    """The name of a field, ratio, change or aggregate: "gross divided by budget"."""
    if isinstance(measure, FieldRef):
        return field_name(measure, names)
    if isinstance(measure, Aggregate):
        return aggregate_name(measure, names)
    if isinstance(measure, Ratio):
        above, below = (field_name(ref, names) for ref in (measure.numerator, measure.denominator))
        return f"{above} divided by {below}"
    name = field_name(FieldRef(measure.field.token), names)
    return f"change in {name} {over_phrase(measure.field)}"


def aggregate_name(aggregate: Aggregate, names: CatalogueView) -> str:
    """The name of an aggregate: "average length", "number of films"."""
    if aggregate.field is None:
        return f"number of {names.schema.entity.plural}"
    name = field_name(aggregate.field, names)
    if aggregate.function == "count":
        return f"number of different {name if is_plural(name) else plural_of(name)}"
    if is_date(aggregate.field, names) and aggregate.function in _OF_DATES:
        return _OF_DATES[aggregate.function].format(name)
    if aggregate.function == "sum" and name.startswith("total "):
        return f"sum of {name}"
    return _FUNCTIONS[aggregate.function].format(name)


def group_name(group: Group, names: CatalogueView) -> str:
    """The name of what rows are grouped by: "genre", "year"."""
    if isinstance(group.field, str):
        return group.field.lower()
    return field_name(FieldRef(group.field.token), names)


def is_size(ref: FieldRef, names: CatalogueView) -> bool:
    """Whether the maximum of a field is the "largest", not the "highest"."""
    known = names.fields.get(ref.token)
    return known is not None and names.schema.is_size(known.type)


def is_date(ref: FieldRef, names: CatalogueView) -> bool:
    """Whether a field has dates."""
    known = names.fields.get(ref.token)
    dated = [number.name for number in names.schema.numbers if number.dates]
    return known is not None and known.type in dated


def done(ref: FieldRef, names: CatalogueView) -> str:
    """What was done on a date, if a name of the field is a participle: "released", "built"."""
    known = names.fields.get(ref.token)
    if known is None or not is_date(ref, names):
        return ""
    said = [name.lower() for name in (known.name, *known.aliases)]
    return next((name for name in said if _DONE.fullmatch(name)), "")


def own_sign(ref: FieldRef, names: CatalogueView) -> str:
    """The sign of a field's unit that numbers of it are written with: "$", "%"; or none."""
    known = names.fields.get(ref.token)
    if known is None or names.schema.history:
        return ""
    units = [n.unit for n in names.schema.numbers if n.name == known.type]
    unit = known.unit or (units[0] if units else "")
    return "%" if unit in ("percent", "%") else unit if unit in CURRENCY_SIGNS else ""


def is_year(ref: FieldRef, names: CatalogueView) -> bool:
    """Whether the numbers of a field are years: by their class, or by its name: "Release year"."""
    known = names.fields.get(ref.token)
    if known is None:
        return False
    if any(n.name == known.type and n.semantic == "YEAR" for n in names.schema.numbers):
        return True
    if not _YEAR.fullmatch(known.name):
        return False
    plain = [n for n in names.schema.numbers if not (n.percentages or n.units or n.unit)]
    return known.type in [number.name for number in plain]


def value_name(token: str, names: CatalogueView) -> str:
    """The name of a value: "Germany"."""
    known = names.values.get(token) or names.units.get(token)
    return known.name if known else _spelled(token).title()


def place_name(name: str) -> str:
    """The name of a country or region after "in": "the United States"."""
    name = uncapitalised(name) if _COMMON_PLACES.fullmatch(name) else name
    return f"the {name}" if _WITH_THE.fullmatch(name) else name


def lowered(name: str, proper: Collection[str] = ()) -> str:
    """A name inside a sentence; acronyms and `proper` names keep their capitals.

    >>> lowered("Box office"), lowered("IMDb score"), lowered("Oscar nominations", {"Oscar"})
    ('box office', 'IMDb score', 'Oscar nominations')
    """
    return " ".join(w.lower() if _is_plain(w, proper) else w for w in name.split(" "))


def plural_of(noun: str) -> str:
    """The plural of a noun that ends regularly.

    >>> plural_of("country"), plural_of("genre"), plural_of("US state"), plural_of("class")
    ('countries', 'genres', 'US states', 'classes')
    """
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(s|x|z|ch|sh)$", noun) else f"{noun}s"


def uncapitalised(name: str) -> str:
    """A name with its first word in lower case: "Fiscal year to March"."""
    first, space, rest = name.partition(" ")
    return lowered(first) + space + rest


def is_plural(name: str) -> bool:
    """Whether a field's name takes a plural verb.

    >>> is_plural("Oscar nominations"), is_plural("viewers per week"), is_plural("number of seats")
    (True, True, False)
    >>> is_plural("awards"), is_plural("DPS"), is_plural("ratio of seats")
    (True, False, False)
    """
    head = _TRAILING.sub("", _AFTER_HEAD.split(name, maxsplit=1)[0].strip()).split(" ")[-1]
    return head.islower() and _PLURAL.fullmatch(head) is not None


def time_phrase(time: Time) -> str:
    """A time after a field: "in June 2018", "3 months ago"."""
    if isinstance(time, Date):
        return f"on {time.day} {_month(time.month)} {time.year}"
    if isinstance(time, Month):
        return f"in {_month(time.month)} {time.year}"
    if isinstance(time, Quarter):
        return f"in Q{time.quarter} {time.year}"
    if isinstance(time, FiscalYear):
        return f"in fiscal year {time.year}"
    if isinstance(time, Last):
        return _last(time) if time.count is None else f"{_counted(time.count, time.unit)} ago"
    return f"in {time.year}"


def time_name(time: Time) -> str:
    """A time by itself: "June 2018", "last quarter", "3 months ago"."""
    return time_phrase(time).removeprefix("on ").removeprefix("in ")


def period_name(time: Last) -> str:
    """The days of a period up to today: "last month", "the last 3 months", "this month".

    >>> period_name(Last(None, "DAY")), period_name(Last(3, "MONTH")), period_name(Last(0, "YEAR"))
    ('yesterday', 'the last 3 months', 'this year')
    """
    if time.count == 0:
        return "today" if time.unit == "DAY" else f"this {time.unit.lower()}"
    if time.count is None:
        return "yesterday" if time.unit == "DAY" else f"last {time.unit.lower()}"
    return f"the last {time.unit.lower() if time.count == 1 else _counted(time.count, time.unit)}"


def over_phrase(ref: FieldRef) -> str:
    """The span of a change: "over the last 3 years", "since 2018", "since 23 June 2018"."""
    if ref.time is None:
        return ""
    if isinstance(ref.time, Last):
        return _last(ref.time)
    return f"since {time_name(ref.time)}"


def operand_phrase(value: Operand, names: CatalogueView) -> str:
    """A value as people read it: "$1.5 billion", "5%", "Germany"."""
    if isinstance(value, EnumValue):
        return value_name(value.token, names)
    if isinstance(value, FieldRef):
        return field_name(value, names)
    if isinstance(value, Aggregate):
        return f"the {aggregate_name(value, names)}"
    if isinstance(value, Text):
        return f"“{value.text}”"
    if isinstance(value, Last):
        return period_name(value)
    if isinstance(value, Month | Date | Quarter | FiscalYear):
        return time_name(value)
    if isinstance(value, Percent):
        digits = grouped(value.digits)
        if value.unit == "PCT":
            return f"{digits}%"
        return f"{digits} basis point{'' if digits in ('1', '-1') else 's'}"
    sign, amount = "-" * value.digits.startswith("-"), _amount(value)
    if value.unit is None:
        return sign + amount
    unit = names.schema.unit
    symbol = None if unit is None else unit.symbols.get(value.unit)
    return f"{sign}{symbol}{amount}" if symbol else f"{sign}{amount} {_spelled(value.unit)}"


def grouped(digits: str) -> str:
    """A number with commas between thousands.

    >>> grouped("-01234567.50")
    '-1,234,567.50'
    """
    whole, point, fraction = digits.removeprefix("-").partition(".")
    whole = whole.lstrip("0") or "0"
    first = len(whole) % 3
    groups = [whole[:first]] * (first > 0)
    groups += [whole[i : i + 3] for i in range(first, len(whole), 3)]
    return f"{'-' * digits.startswith('-')}{','.join(groups)}{point}{fraction}"


def _amount(value: Number) -> str:
    """Without sign and currency: in millions and more where that is short, else in full."""
    plain = plain_digits(value).removeprefix("-")
    for places, scale in _SCALES:
        if len(plain.partition(".")[0]) > places:
            scaled = shifted(plain, -places)
            if len(scaled.partition(".")[2]) <= 3:
                return f"{grouped(scaled)} {scale}"
    return grouped(plain if value.denomination else value.digits.removeprefix("-"))


def _last(time: Last) -> str:
    unit = time.unit.lower()
    if time.count is None:
        return "on the last day" if unit == "day" else f"last {unit}"
    return f"over the last {unit if time.count == 1 else _counted(time.count, time.unit)}"


def _counted(count: int, unit: str) -> str:
    return f"{count:,} {unit.lower()}{'' if count == 1 else 's'}"


def _month(month: int) -> str:
    return MONTH_NAMES[month - 1]


def _is_plain(word: str, proper: Collection[str]) -> bool:
    """Whether a word is capitalised only because it comes first: "Box", not "IMDb"."""
    return word[1:].islower() and word.removesuffix("'s") not in proper


def _spelled(token: str) -> str:
    """A token that the catalogue does not know, as words: "FLD_BOX_OFFICE"."""
    return token.partition("_")[2].replace("_", " ") or token
