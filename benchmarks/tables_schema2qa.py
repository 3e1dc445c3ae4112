"""A domain of Schema2QA as a table that was inspected.

The set has no rows: `schema.json` has the columns, `values_mentioned.json` values of the gold.
Each column gets the facts that an inspection would have counted, by its type alone, and is
classified and named as any column is. Around the values that are mentioned stand those of the other
two domains: of the same kind (other names, people, places) where there are any.

Schema.org nests columns, and tables do not: a column is called by the last part of its path, and by
the part before if that is a mere "value": `address.postalCode` is "postal code",
`starRating.ratingValue` is "star rating". `id`, by which questions call an entity, is "name";
`geo`, of the type Location, is "location". A list also has a column of how many values it has,
called by the plural of what the list is called: questions ask for "more than three awards".
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tables_worlds import World, world_without_rows

from grammax.tables.inspect.classify import Classified, classify
from grammax.tables.inspect.description import (
    ColumnDescription,
    EntityDescription,
    Facts,
    TableDescription,
    ValueType,
)
from grammax.tables.inspect.naming import with_names, with_tokens
from grammax.tables.inspect.words import entity_of, is_plural, plural_of

COUNT: Final = "count"
_ROWS: Final = 5_000
_PREPOSITIONS: Final = ("of", "for", "in", "by", "at", "to")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SHOWN: Final = {
    "Entity(tt:picture)": "https://example.com/{}.jpg",
    "Entity(tt:url)": "https://example.com/{}",
    "Entity(tt:email_address)": "office{}@example.com",
    "Entity(tt:phone_number)": "+1 650 555 {:04}",
    "RecurrentTimeSpecification": "Monday to Friday from 9 to 17, Saturdays and Sundays until {}",
}
"""What columns hold that are shown, not compared."""
_GENERAL: Final = {
    "Entity(tt:country)": ("united states", "canada", "mexico", "france", "japan"),
    "Entity(tt:us_state)": ("california", "florida", "new york", "ohio", "texas"),
    "Entity(tt:iso_lang_code)": ("english", "french", "german", "japanese", "spanish"),
}
_CERTIFICATES: Final = ("G", "PG", "PG-13", "R", "NC-17")


@dataclass(frozen=True)
class Table:
    """The table of a domain; `names` has the column of each property of Schema2QA."""

    world: World
    names: Mapping[str, str]


def read_table(folder: Path, title: str | None = None) -> Table:
    """A table of a domain, by default the first."""
    schema = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    title = title or next(iter(schema))
    properties: dict[str, str] = {
        name: each["type"] for name, each in schema[title]["properties"].items()
    }
    names = dict(_named(properties))
    singular, plural, _ = entity_of(title)
    found: list[Classified] = []
    counts: dict[str, str] = {}
    for property_, type_ in properties.items():
        name = names[property_]
        facts = _facts(property_, type_, folder)
        unit = "minutes" if type_.startswith("Measure(") else ""
        found.append(_in(name, classify(name, facts, singular, unit)))
        counted = f"{name} {COUNT}"
        if type_.startswith("Array(") and counted not in names.values():
            names[f"{COUNT} {property_}"] = counted
            numbers = Facts(ValueType.INTEGER, _ROWS, 0, 12, least=0, greatest=40, mean=3)
            counts[counted] = name
            found.append(_in(counted, classify(counted, numbers, singular)))
    by_name = {column.name: column for column in with_names(found)}
    taken = {name for each in by_name.values() for name in (each.label, *each.names)}
    columns = with_tokens([
        _counted(each, by_name[counts[each.name]], taken) if each.name in counts else each
        for each in by_name.values()
    ])  # fmt: skip
    others = tuple(name for name in schema[title]["names"] if name != singular)
    entity = EntityDescription(singular, plural, others, key="name", label="name")
    description = TableDescription(str(folder.name), title, entity, columns, rows=_ROWS)
    return Table(world_without_rows(description, title.lower()), names)


def _in(name: str, found: Classified) -> Classified:
    return replace(found, column=replace(found.column, name=name, column=name))


def _named(properties: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The names of columns: "address.postalCode" → "postal code"."""
    for property_, type_ in properties.items():
        *before, last = property_.split(".")
        words = _CAMEL.sub(" ", before[-1] if before and last.endswith("Value") else last).lower()
        yield property_, {"id": "name"}.get(property_, "location" if type_ == "Location"
                                             and words == "geo" else words)  # fmt: skip


def _counted(
    column: ColumnDescription, of: ColumnDescription, taken: Collection[str]
) -> ColumnDescription:
    """The number of values in a list, called by what the list is called."""
    called = [name for name in (of.label, *of.names) if name.split()[-1] not in _PREPOSITIONS]
    nouns = called[:1] if of.label in called else called[1:] or [of.label.rsplit(maxsplit=1)[0]]
    nouns += [name for name in called if not is_plural(name.split()[-1])]
    plurals = list(dict.fromkeys(plural_of(name) for name in nouns))
    names = [*plurals[1:], *(f"number of {plural}" for plural in plurals)]
    free = (name for name in names if name not in taken)
    return replace(column, label=plurals[0], names=tuple(free))


def _facts(property_: str, type_: str, folder: Path) -> Facts:
    """What an inspection would count in a column of a type."""
    if type_ == "Number":
        rated = property_.endswith("ratingValue")
        most, kind = (5.0, ValueType.NUMBER) if rated else (9_000.0, ValueType.INTEGER)
        return Facts(kind, _ROWS, 0, 500, least=0.0, greatest=most, mean=most / 2)
    if type_.startswith("Measure("):
        return Facts(ValueType.INTEGER, _ROWS, 0, 200, least=40.0, greatest=320.0, mean=105.0)
    if type_ == "Date":
        return Facts(ValueType.DATE, _ROWS, 0, 4_000, least="1931-01-30", greatest="2020-06-01")
    if type_ == "Boolean":
        return Facts(ValueType.BOOLEAN, _ROWS, 0, 2, values=(("true", 3_000), ("false", 2_000)))
    if type_ in _SHOWN:
        shown = tuple(_SHOWN[type_].format(number) for number in range(100))
        return _texts(shown, complete=False, distinct=_ROWS)
    if type_.startswith("Enum("):
        return _texts(type_.removeprefix("Enum(").rstrip(")").split(","))
    values = _values(property_, type_, folder)
    if not values:
        return _texts(["…" * 30 + str(number) for number in range(100)], False, _ROWS)
    facts = _texts(values)
    return replace(facts, type=ValueType.LIST) if type_.startswith("Array(") else facts


def _texts(values: Sequence[str], complete: bool = True, distinct: int | None = None) -> Facts:
    rows = _ROWS // max(1, len(values))
    return Facts(
        ValueType.TEXT, _ROWS, 0, distinct or len(values),
        mean_length=sum(map(len, values)) / max(1, len(values)),
        values=tuple((value, rows) for value in values) if complete else (),
        complete=complete, examples=tuple(values[:10]),
    )  # fmt: skip


def _values(property_: str, type_: str, folder: Path) -> list[str]:
    """The values of a column: those that are mentioned, and those of the other domains."""
    own = [*_mentioned(folder).get(property_, ()), *_GENERAL.get(type_, ())]
    if property_ == "contentRating":
        own += _CERTIFICATES  # of the type String, and an enum in the gold
    if not own:
        return []
    others: list[str] = []
    for other in sorted(folder.parent.iterdir()):
        if other != folder and other.is_dir():
            of_kind = _kind(property_, type_, folder.name)
            for name, values in _mentioned(other).items():
                if of_kind and _kind(name, _type(other, name), other.name) == of_kind:
                    others += values
    return list(dict.fromkeys([*own, *others]))


def _kind(property_: str, type_: str, domain: str) -> str:
    """What the values of a column are: people, places, or names of other things."""
    if "Person" in type_ and not (property_ == "id" and domain != "people"):
        return "person"
    if type_ == "Location" or property_ == "address.addressLocality":
        return "place"
    return "name" if property_ == "id" else ""


def _mentioned(folder: Path) -> dict[str, list[str]]:
    text = (folder / "values_mentioned.json").read_text(encoding="utf-8")
    found: dict[str, list[str]] = json.loads(text)
    return found


def _type(folder: Path, property_: str) -> str:
    schema: dict[str, Any] = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    for table in schema.values():
        if property_ in table["properties"]:
            return str(table["properties"][property_]["type"])
    return ""
