"""Parse logical forms with brackets to trees, in either of two notations.

In *prefix* notation the head follows the bracket, `( and ( state $0 ) ( next_to $0 s0 ) )`. In
*calls* it precedes the bracket, `job ( ANS ) , \\+ loc ( ANS , locid0 )`, and commas or semicolons
separate the arguments.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Final, Literal, NamedTuple

from grammax.errors import GrammaxError
from grammax.language.domain import Tokens

Shape = Literal["prefix", "call", "operator", "group", "list"]
SEPARATORS: Final = (",", ";")
_DEEPEST: Final = 150  # nested brackets; trees are walked recursively


class Node(NamedTuple):
    """A head, or the empty string if there is none, with its children."""

    shape: Shape
    head: str
    children: tuple[Tree, ...]
    separators: frozenset[str] = frozenset()  # seen between the children


Tree = Node | str


class NoTree(GrammaxError):
    """A logical form whose brackets do not match."""


def is_prefix(forms: Iterable[Tokens]) -> bool:
    """Whether at least half of the forms are in prefix notation."""
    given = list(forms)
    return 2 * sum(form[:1] == ("(",) and form[1:2] != ("(",) for form in given) >= len(given)


def tree(form: Tokens, prefix: bool) -> Tree:
    """The tree of a logical form; `NoTree` says where its brackets do not match."""
    if depth(form) > _DEEPEST:
        raise NoTree(f"brackets are {depth(form):,} deep; {_DEEPEST} is the most")
    reader = _Prefix(form) if prefix else _Calls(form)
    found = reader.whole()
    if reader.position < len(form):
        raise NoTree(f"token {reader.position + 1}, {form[reader.position]!r}, is left over")
    return found


def depth(form: Tokens) -> int:
    """The nesting depth of brackets."""
    return max(accumulate((token == "(") - (token == ")") for token in form), default=0)


class _Prefix:
    def __init__(self, form: Tokens) -> None:
        self.position = 0
        self._form = form

    def whole(self) -> Tree:
        token = self._next()
        if token == ")":
            raise NoTree(f"token {self.position}: there is no bracket for it to close")
        if token != "(":
            return token
        head = ""
        if self._form[self.position : self.position + 1] not in (("(",), (")",)):
            head = self._next()
        children = []
        while self._form[self.position : self.position + 1] != (")",):
            children.append(self.whole())
        self.position += 1
        return Node("prefix", head, tuple(children))

    def _next(self) -> str:
        if self.position == len(self._form):
            raise NoTree("the logical form ends too early: a bracket is still open")
        self.position += 1
        return self._form[self.position - 1]


class _Calls:
    def __init__(self, form: Tokens) -> None:
        self.position = 0
        self._form = form

    def whole(self) -> Tree:
        return Node("list", "", *self._list())

    def _list(self) -> tuple[tuple[Tree, ...], frozenset[str]]:
        """The phrases of a list, and the separators between them."""
        found, separators = [self._phrase()], set()
        while (token := self._peek()) in SEPARATORS:
            separators.add(str(token))
            self.position += 1
            found.append(self._phrase())
        return tuple(found), frozenset(separators)

    def _phrase(self) -> Tree:
        token = self._peek()
        if token in (None, ")", *SEPARATORS):
            before = repr(token) if token else "the end"
            raise NoTree(f"token {self.position + 1}: something is missing before {before}")
        if token == "(":
            return Node("group", "", *self._bracket())
        self.position += 1
        after = self._peek()
        if after == "(" and (token[0].isalnum() or token[0] == "_"):
            return Node("call", token, *self._bracket())
        if after in (None, ")", *SEPARATORS):
            return token
        return Node("operator", token, (self._phrase(),))

    def _bracket(self) -> tuple[tuple[Tree, ...], frozenset[str]]:
        self.position += 1
        found = ((), frozenset[str]()) if self._peek() == ")" else self._list()
        if self._peek() != ")":
            raise NoTree("the logical form ends too early: a bracket is still open")
        self.position += 1
        return found

    def _peek(self) -> str | None:
        return self._form[self.position] if self.position < len(self._form) else None
