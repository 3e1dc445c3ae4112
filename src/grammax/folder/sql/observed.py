"""What the forms of pairs show beyond the schema: joins, values, and what columns are used for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

from grammax.folder.filled.numbers import numerics
from grammax.folder.sql.reading.conditions import COMPARISONS, SHAPES
from grammax.folder.sql.reading.joins import JOIN, LEFT_JOIN
from grammax.folder.sql.reading.scope import base_token, instance_of
from grammax.folder.sql.reading.statement import SET_OPERATIONS, UNION_ALL, width
from grammax.folder.sql.reading.terms import ARITHMETIC, DISTINCT, STAR, VALUE
from grammax.folder.sql.schema import Link, Schema
from grammax.folder.sql.tree import Node, head, inside, nested, trees
from grammax.language.domain import Tokens

RARE = ("arithmetic", LEFT_JOIN, "exists", "union_all", "table.*")
"""Constructs that a grammar has only if a pair has them."""
_WORD = re.compile(r"[^\W_]+|[^\w\s]")
_ORDERS = frozenset(sign for sign in COMPARISONS.values() if sign not in ("=", "!="))
_TEXTS = frozenset(("like", *(name for name, *_ in SHAPES)))
_WITH_VALUES = frozenset((*COMPARISONS.values(), "between", "in"))


@final
@dataclass(slots=True)
class Observed:
    """What some forms show; columns are as in the schema, instances as in the forms."""

    scopes: dict[tuple[str, ...], None] = field(default_factory=dict)  # tables as they are joined
    links: dict[Link, None] = field(default_factory=dict)
    values: dict[str, dict[str, None]] = field(default_factory=dict)  # texts by column
    numbers: dict[str, None] = field(default_factory=dict)
    counts: dict[str, None] = field(default_factory=dict)  # of LIMIT
    texts: dict[str, None] = field(default_factory=dict)  # of LIKE, in quotes
    patterns: dict[str, None] = field(default_factory=dict)  # of LIKE, with % or _ inside
    said: dict[str, bool] = field(default_factory=dict)  # whether all questions mention a token
    numeric: set[str] = field(default_factory=set)  # columns that are compared with numbers
    ordered: set[str] = field(default_factory=set)  # columns of which less and more are asked
    summed: set[str] = field(default_factory=set)  # columns of which sums and means are asked
    widths: set[int] = field(default_factory=set)  # of set operations, as of `width`
    rare: set[str] = field(default_factory=set)  # of `RARE`

    @property
    def listed_counts(self) -> list[str]:
        """Numbers of LIMIT that a question does not mention."""
        return [count for count in self.counts if not self.said.get(count, False)]

    @property
    def listed_numbers(self) -> list[str]:
        """Other numbers that a question does not mention."""
        counts = {*self.listed_counts}
        return [n for n in self.numbers if n not in counts and not self.said.get(n, False)]

    def listed_values(self, column: str) -> tuple[str, ...]:
        """Texts of a column that a question does not mention."""
        some = self.values.get(column, ())
        return tuple(t for t in some if not self.said.get(f"{column}{VALUE}{t}", False))

    @property
    def listed_texts(self) -> list[str]:
        """Texts of LIKE that a question does not mention."""
        return [text for text in self.texts if not self.said.get(text, False)]


def observed(pairs: Iterable[tuple[str, Tokens]], schema: Schema) -> Observed:
    """What pairs of a question and a form show."""
    found = Observed()
    for question, form in pairs:
        here = Observed()
        for tree in trees(nested(form)):
            _look(tree, found, schema)
            _look(tree, here, schema)
        mentioned = {number.number for number in numerics(question)}
        for token in (*here.numbers, *here.counts):
            found.said[token] = found.said.get(token, True) and token in mentioned
        words = _spaced(question)
        texts = [(token, token[1:-1]) for token in here.texts]
        texts += [(f"{c}{VALUE}{text}", text) for c, some in here.values.items() for text in some]
        for token, text in texts:
            found.said[token] = found.said.get(token, True) and _spaced(text) in words
    return found


def _spaced(text: str) -> str:
    """The words and signs of a text, in lower case, with a space around each."""
    return f" {' '.join(_WORD.findall(text))} ".casefold()


def _look(tree: tuple[Node, ...], found: Observed, schema: Schema) -> None:
    name, *parts = tree
    if name in (*SET_OPERATIONS, UNION_ALL):
        found.widths.add(width(tree, schema))
    if name == "from":
        _look_at_joins(parts, found)
    elif name in _WITH_VALUES:
        _look_at_values(str(name), parts, found, schema)
    elif name in _TEXTS:
        (found.patterns if name == "like" else found.texts)[str(parts[1])] = None
    elif name in ("sum", "avg"):
        column = parts[-1]
        if isinstance(column, str) and column not in (STAR, DISTINCT):
            found.summed.add(base_token(column))
    elif name == "limit":
        found.counts[str(parts[0])] = None
    elif name in ARITHMETIC.values():
        found.rare.add("arithmetic")
        found.numbers.update((str(each), None) for each in parts if _is_number(each, schema))
    elif name in RARE:
        found.rare.add(str(name))
    elif name == "show" and any(isinstance(p, str) and p.endswith(f".{STAR}") for p in parts):
        found.rare.add("table.*")


def _look_at_joins(parts: list[Node], found: Observed) -> None:
    if isinstance(parts[0], tuple):
        return
    scope = [parts[0]]
    for each in parts[1:]:
        kind, *columns = map(str, inside(each))
        bases = [base_token(column) for column in columns]
        link = Link(tuple(bases[::2]), tuple(bases[1::2]))
        if link not in found.links and link.reversed not in found.links:
            found.links[link] = None
        found.rare |= {kind} - {JOIN}
        scope.append(instance_of(columns[1]))
    found.scopes[tuple(scope)] = None


def _look_at_values(name: str, parts: list[Node], found: Observed, schema: Schema) -> None:
    left, *rights = parts
    column = base_token(left) if isinstance(left, str) else ""
    for right in rights:
        if isinstance(right, tuple) and head(right):
            continue
        said = str(right)
        if column and said.startswith(f"{column}{VALUE}"):
            found.values.setdefault(column, {})[said.removeprefix(f"{column}{VALUE}")] = None
        elif _is_number(said, schema):
            found.numbers[said] = None
            found.numeric |= {column} - {""}
        else:
            continue
        if name in _ORDERS or name == "between":
            found.ordered |= {column} - {""}


def _is_number(node: Node, schema: Schema) -> bool:
    if not isinstance(node, str):
        return False
    return base_token(node) not in schema.columns_by_token
