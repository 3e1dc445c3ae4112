"""A grammar as written, before it is expanded and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grammax.errors import Location
from grammax.grammar.expressions import (
    NOWHERE,
    Choice,
    Expression,
    Part,
    as_expression,
    sequence,
)


@dataclass(frozen=True, slots=True)
class Definition:
    """`name: expression`; a template has `parameters`."""

    name: str
    expression: Expression
    location: Location = NOWHERE
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KindDefinition:
    """A kind and the source of its tokens; `expression` is None if it was only declared."""

    name: str
    expression: Expression | None = None
    location: Location = NOWHERE


@dataclass(frozen=True, slots=True)
class Import:
    """`%import path (name -> alias, ...)`: names in another file, and what they are called here."""

    path: tuple[str, ...]
    names: Mapping[str, str]
    relative: bool = False
    location: Location = NOWHERE


@dataclass(frozen=True, slots=True)
class Change:
    """`%override` or `%extend`: a definition that replaces another, or adds alternatives to it."""

    definition: Definition | KindDefinition
    extends: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """Definitions in the order in which they were written."""

    rules: tuple[Definition, ...]
    kinds: tuple[KindDefinition, ...]
    ignored: tuple[str, ...] = ()
    file: str = NOWHERE.file
    imports: tuple[Import, ...] = ()
    changes: tuple[Change, ...] = ()


def from_python(rules: Mapping[str, Sequence[Part]], kinds: Iterable[str]) -> Draft:
    """A draft from Python values: rule name → alternatives, and the names of kinds."""
    return Draft(
        rules=tuple(Definition(name, _alternatives(name, value)) for name, value in rules.items()),
        kinds=tuple(KindDefinition(name) for name in kinds),
    )


def _alternatives(name: str, value: Sequence[Part]) -> Expression:
    if isinstance(value, str):
        raise TypeError(
            f"the rule {name} is the string {value!r}; a rule is a list of alternatives, each of "
            f"them a list of parts, such as [[{value!r}]]"
        )
    return Choice(
        tuple(
            sequence(option) if isinstance(option, list | tuple) else as_expression(option)
            for option in value
        )
    )
