"""The classes of kinds that all tables share, so that one model serves them all.

The types of a table have names of their own, GENRE or COLOUR, and a semantic class, CATEGORY. A
model that knows classes treats the fields and values of both alike, whatever the table is. The
fixed kinds of the language are classes themselves.

>>> classes = shared_classes({"GENRE": "CATEGORY"})
>>> classes.names[classes.number("GENRE_VALUE")], classes.names[classes.number("RANK")]
('CATEGORY_VALUE', 'RANK')
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from typing import Final

from grammax.tables import grammar as rules_of
from grammax.tables.lexicon import CONTAINS, TEXT, Lexicon
from grammax.tables.schema import Schema
from grammax.tables.semantics import ENUMERATED, SemanticClass
from grammax.vocabulary import KindClasses

SHARED: Final = "tables"
"""The name under which models of all tables are stored."""
_LATEST: Final = (CONTAINS, TEXT)  # kinds of the language whose classes come last


def classes_of(schema: Schema) -> KindClasses | None:
    """The classes of a schema's kinds; None if some type has no semantic class."""
    types = {enum.name: enum.semantic for enum in schema.enums}
    types |= {number.name: number.semantic for number in schema.numbers}
    types |= {text.name: text.semantic for text in schema.texts}
    if not types or not all(types.values()):
        return None
    return shared_classes(types)


def digest_of(classes: KindClasses) -> str:
    """The version of the classes: a model of others is refused."""
    return blake2b(" ".join(classes.names).encode(), digest_size=6).hexdigest()


def shared_classes(semantic: Mapping[str, str]) -> KindClasses:
    """The classes of the kinds of some types, given by name with their semantic class."""
    of = {
        f"{type_}_{part}": f"{class_.upper()}_{part}"
        for type_, class_ in semantic.items()
        for part in ("FIELD", "VALUE")
    }
    return KindClasses(_names(), of)


@cache
def language_kinds() -> Mapping[str, tuple[str, ...]]:
    """The kinds of the language itself, which all tables have, with their tokens."""
    return rules_of.kinds(Lexicon((), (), history=False))


@cache
def _names() -> tuple[str, ...]:
    fields = [f"{class_.name}_FIELD" for class_ in SemanticClass]
    values = [f"{class_.name}_VALUE" for class_ in SemanticClass if class_ in ENUMERATED]
    language = [kind for kind in language_kinds() if kind not in _LATEST]
    return (*language, *fields, *values, *_LATEST)
