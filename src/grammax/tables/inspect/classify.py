"""The class of a column, and what follows from it: from its name, type, values and range.

The name decides first, where its type and range permit (`concepts`); then the unit; then what the
values look like. A guess from the values alone says so in `doubt`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, final

from grammax.tables.inspect.concepts import (
    COUNTING,
    Concept,
    Match,
    class_of_unit,
    find,
    measured_in,
    unit_of,
)
from grammax.tables.inspect.description import ColumnDescription, Facts, ValueType
from grammax.tables.inspect.scales import order_of, separator_of
from grammax.tables.inspect.words import is_plural, plural_of, singular_of, split
from grammax.tables.known_values.kinds import places
from grammax.tables.semantics import (
    NUMBERS,
    TEXTS,
    Aggregate,
    Role,
    SemanticClass,
    default_aggregate,
    default_better,
    default_role,
)

_C = SemanticClass
_NAMED: Final = frozenset({_C.CATEGORY, _C.PERSON, _C.ORGANISATION, _C.PLACE, _C.NAME, _C.CODE})
_IDS: Final = frozenset({"id", "uuid", "guid", "key", "code", "pk", "identifier", "rowid", "index"})
_FLAGS: Final = frozenset({"is", "has", "was", "can", "does", "allows", "accepts", "with"})
_SHAPES: Final = (
    (_C.EMAIL, re.compile(r"[^@\s]+@[^@\s]+\.[a-z]{2,}", re.IGNORECASE)),
    (_C.IMAGE, re.compile(r"\S+\.(jpe?g|png|gif|webp|svg)(\?\S*)?", re.IGNORECASE)),
    (_C.URL, re.compile(r"(https?://|www\.)\S+", re.IGNORECASE)),
    (_C.PHONE, re.compile(r"\+?(?=(\D*\d){7,15}\D*$)\(?\d[\d\s().\-/]*[\s().\-/][\d\s().\-/]*\d")),
)
_CODED: Final = re.compile(r"(?=.*\d)[A-Za-z0-9][A-Za-z0-9_\-./]*")
_MOST: Final = 0.9
_PLACES: Final = 0.6
_FEW_NUMBERS: Final = 20  # different integers that may be a category
_SHORT_YEARS: Final = (40, 99)  # years of the last century without it
_BRIEF: Final = 25  # characters of a text that may be a category
_VAGUE: Final = frozenset({"estimated", "average", "total", "mean", "approximate", "expected"})


@final
@dataclass(frozen=True, slots=True)
class Classified:
    """A column with its class, and the concept that it was recognised by, if any."""

    column: ColumnDescription
    concept: Concept | None
    whole: bool  # whether the name says the concept and nothing else


def classify(
    name: str, facts: Facts, entity: str = "", unit: str = "", doubt: str = "", key: bool = False
) -> Classified:
    """Classify a column of a table whose rows are called `entity`.

    `unit` is one that was read with the values, `doubt` what was said when they were read; `key` if
    the column identifies rows or refers to those of another table.
    """
    full, said = measured_in(name)
    full = full or split(name) or (name,)
    if not said and facts.type.is_number and len(full) > 1 and _VAGUE.issuperset(full[:-1]):
        said = unit_of(full[-1])  # "est_hours"
    words = _without_entity(full, entity)
    unit = said or unit
    counted = _counted_thing(words, facts)
    found = None if counted or key else _by_name(full, words, unit, facts)
    concept = found.concept if found else None
    guess, why = (_C.CODE, "") if key else (_C.COUNT, "") if counted else _class(
        words, concept, unit, facts
    )  # fmt: skip
    if concept and concept.semantic is not guess:
        concept = None
    words = counted or words
    if guess is _C.BOOLEAN and words[0] in _FLAGS and len(words) > 1:
        words = words[1:]
    coded = guess is _C.CODE and facts.type.is_number  # numbers are not names
    enumerated = (
        guess.is_enumerated and guess is not _C.BOOLEAN and _is_listable(facts) and not coded
    )
    many = ("[]" if facts.type is ValueType.LIST else separator_of(facts)) if enumerated else ""
    aggregate = concept.aggregate if concept else default_aggregate(guess)
    column = ColumnDescription(
        name, "", name, "", " ".join(words), guess,
        Role.KEY if key else default_role(guess),
        names=_names(name, words, counted, "" if guess is _C.CODE else entity),
        verb=concept.verb if concept else "",
        more=concept.more if concept else "",
        less=concept.less if concept else "",
        unit=_unit(unit, concept, guess, facts),
        aggregate=aggregate,
        additive=aggregate is Aggregate.SUM and guess.is_number,
        better=concept.better if concept else default_better(guess),
        enumerated=enumerated,
        order=order_of(facts) if guess is _C.CATEGORY and not many else (),
        many=many,
        reading="boolean" if guess is _C.BOOLEAN and facts.type.is_number else "",
        doubt=doubt or why,
        facts=facts,
    )  # fmt: skip
    return Classified(column, concept, bool(found and found.whole and concept))


def _without_entity(words: tuple[str, ...], entity: str) -> tuple[str, ...]:
    """ "film title" of a film is its title."""
    before = tuple(entity.split())
    if before and len(words) > len(before) and words[: len(before)] == before:
        return words[len(before) :]
    return words


def _counted_thing(words: tuple[str, ...], facts: Facts) -> tuple[str, ...]:
    """What is counted, if the name says that something is: "num_seats", "seat count"."""
    if not facts.type.is_number or _least(facts) < 0 or not _is_whole(facts):
        return ()
    for before in COUNTING:
        if words[: len(before)] == before and len(words) > len(before):
            return words[len(before) :]
    if len(words) > 1 and words[0] in ("number", "count", "n") and is_plural(words[-1]):
        return words[1:]
    if len(words) > 1 and words[-1] == "count":
        return tuple(plural_of(" ".join(words[:-1])).split())
    return ()


def _by_name(
    full: tuple[str, ...], words: tuple[str, ...], unit: str, facts: Facts
) -> Match | None:
    """The concept of a name, with the entity before it if there is one: "order date"."""
    permitted = {each for each in SemanticClass if permits(each, facts)}
    of_unit = class_of_unit(unit)
    if of_unit is not None and facts.type.is_number:
        same = {_C.DURATION, _C.AGE} if of_unit is _C.DURATION else {of_unit}
        permitted &= same
    found = find(full, permitted)
    return found if found and found.concept.name == " ".join(full) else find(words, permitted)


def permits(of: SemanticClass, facts: Facts) -> bool:
    """Whether the type and the range of a column permit a class."""
    least, greatest = _least(facts), _greatest(facts)
    match facts.type:
        case ValueType.DATE | ValueType.TIMESTAMP:
            return of is _C.DATE
        case ValueType.BOOLEAN:
            return of is _C.BOOLEAN
        case ValueType.TEXT | ValueType.TIME:
            return of in _NAMED or of in TEXTS
        case ValueType.LIST:
            return of in _NAMED
        case ValueType.INTEGER | ValueType.NUMBER:
            whole = _is_whole(facts)
            if of is _C.YEAR:
                short = _SHORT_YEARS[0] <= least and greatest <= _SHORT_YEARS[1]  # "82" of 1982
                return whole and (short or (least >= 1000 and greatest <= 2200))
            if of is _C.AGE:
                return least >= 0 and greatest <= 150
            if of is _C.COORDINATE:
                return least >= -180 and greatest <= 180
            if of in (_C.COUNT, _C.RANK, _C.CODE):
                return whole and least >= 0
            if of is _C.CATEGORY:
                return whole and facts.complete and 1 < facts.distinct <= _FEW_NUMBERS
            if of is _C.PHONE:
                return whole and least >= 1e6
            return of in NUMBERS
        case _:
            return False


def _class(
    words: Sequence[str], concept: Concept | None, unit: str, facts: Facts
) -> tuple[SemanticClass, str]:
    """The class, and a sentence if it is doubtful."""
    match facts.type:
        case ValueType.DATE | ValueType.TIMESTAMP:
            return _C.DATE, ""
        case ValueType.BOOLEAN:
            return _C.BOOLEAN, ""
        case ValueType.INTEGER | ValueType.NUMBER:
            return _class_of_number(words, concept, unit, facts)
        case ValueType.TEXT | ValueType.TIME | ValueType.LIST:
            return _class_of_text(words, concept, facts)
        case _:
            return _C.TEXT, "Its type is not one that can be searched; it is not used."


def _class_of_number(
    words: Sequence[str], concept: Concept | None, unit: str, facts: Facts
) -> tuple[SemanticClass, str]:
    zero_or_one = {value for value, _ in facts.values} == {"0", "1"} and facts.complete
    if zero_or_one and (words[0] in _FLAGS or concept is None):
        return _C.BOOLEAN, "" if words[0] in _FLAGS else "Its values are 0 and 1: taken as yes/no."
    if not facts.filled:
        return (concept.semantic if concept else _C.NUMBER), "It has no values."
    if words[-1] in _IDS and _is_whole(facts):
        return _C.CODE, ""
    if concept:
        return concept.semantic, ""
    of_unit = class_of_unit(unit)
    if of_unit:
        return of_unit, ""
    least, greatest = _least(facts), _greatest(facts)
    if _is_whole(facts) and least >= 1800 and greatest <= 2100 and facts.distinct > 1:
        return _C.YEAR, f"Its numbers go from {least:.0f} to {greatest:.0f}: taken as years."
    if _is_whole(facts) and is_plural(words[-1]) and least >= 0:
        return _C.COUNT, ""
    return _C.NUMBER, ""


def _class_of_text(
    words: Sequence[str], concept: Concept | None, facts: Facts
) -> tuple[SemanticClass, str]:
    texts = [value for value, _ in facts.values[:1000]] or list(facts.examples)
    if not texts:
        return (concept.semantic if concept else _C.CATEGORY), "It has no values."
    for of, shape in _SHAPES:
        if _share(texts, partial(_fits, shape)) >= _MOST:
            return of, ""
    long = not _is_listable(facts)
    if concept and concept.semantic in (_C.URL, _C.IMAGE, _C.EMAIL, _C.PHONE):
        concept = None
    brief = (facts.mean_length or 0) <= _BRIEF
    if concept and not (concept.semantic is _C.TEXT and _is_category(facts) and brief):
        wordy = long and (facts.mean_length or 0) > 60
        return (_C.TEXT if wordy else concept.semantic), ""
    if words[-1] in _IDS:
        return _C.CODE, ""
    if long:
        coded = facts.is_unique and _share(texts, lambda text: bool(_CODED.fullmatch(text))) > _MOST
        return (_C.CODE if coded else _C.TEXT), ""
    if _share(texts, lambda text: text.strip().lower() in places()) >= _PLACES:
        return _C.PLACE, "Most of its values are names of places."
    if _is_category(facts):
        return _C.CATEGORY, ""
    if _share(texts, lambda text: bool(_CODED.fullmatch(text))) > _MOST:
        return _C.CODE, "Its values look like codes."
    if facts.rows > 1 and facts.distinct >= 0.95 * facts.filled:
        return _C.NAME, "Nearly every row has another value: taken as the name of a row."
    return _C.CATEGORY, ""


def _fits(shape: re.Pattern[str], text: str) -> bool:
    return shape.fullmatch(text.strip()) is not None


def _is_category(facts: Facts) -> bool:
    """Whether values repeat as those of a category do."""
    return facts.complete and facts.distinct <= max(12, facts.filled // 4)


def _is_listable(facts: Facts) -> bool:
    return facts.complete and facts.type is not ValueType.OTHER


def _share(texts: Sequence[str], test: Callable[[str], bool]) -> float:
    return sum(map(test, texts)) / len(texts)


def _is_whole(facts: Facts) -> bool:
    if facts.type is ValueType.INTEGER:
        return True
    return facts.complete and all(
        "." not in value and "e" not in value for value, _ in facts.values
    )


def _least(facts: Facts) -> float:
    return facts.least if isinstance(facts.least, float) else 0.0


def _greatest(facts: Facts) -> float:
    return facts.greatest if isinstance(facts.greatest, float) else 0.0


def _unit(unit: str, concept: Concept | None, of: SemanticClass, facts: Facts) -> str:
    if not of.is_number:
        return ""
    if of is _C.PERCENT and not unit and facts.filled and _least(facts) >= 0 and (
        _greatest(facts) <= 1 and not _is_whole(facts)
    ):  # fmt: skip
        return "fraction"  # 0.25 is 25 %
    return unit or (concept.unit if concept else "")


def _names(name: str, words: Sequence[str], counted: Sequence[str], entity: str) -> tuple[str, ...]:
    """Other ways to write the name: as in the table, with the entity, and as a count."""
    label = " ".join(words)
    found = [" ".join(split(name))]
    if counted:
        found += [f"number of {label}", f"{singular_of(label)} count"]
    if entity and not found[0].startswith(entity):
        found.append(f"{entity} {label}")
    return tuple(each for each in dict.fromkeys(found) if each and each != label)
