"""Nesting: a form in the place of a name of another form.

`( population s0 )` and `( argmax $0 ( state $0 ) ( size $0 ) )` make the population of the largest
state. Which names a form may replace is learnt from forms that are nested in others: it stands
where names of some kind do. Variables are numbered again, in the order in which they appear.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from math import sqrt
from typing import Final, final

from grammax.language.domain import Tokens

Place = tuple[str, int]  # the head of a group, and the number of an argument
Sort = int | tuple[str, ...]  # of an argument: a name's kind, or the heads that say what a group is

_VARIABLE: Final = re.compile(r"([$?]\D*)\d+(.*)")  # $0, and $0:e with its type
_ALIKE: Final = 0.75  # of the similarity of the nearest kind, that of another which is as good
_LEAST: Final = 0.1  # similarity


@final
class Nester:
    """Puts forms like those that are nested in `forms` in the place of names.

    `( argmax $0 ( state $0 ) ( size $0 ) )` stands where states do, and seldom where rivers do, so
    forms of its sort, `argmax` of `state`, may replace names of states.
    """

    def __init__(self, forms: Iterable[Tokens], kind_of: Callable[[str], int | None]) -> None:
        self._kind_of = kind_of
        self._places: dict[Sort, Counter[Place]] = defaultdict(Counter)
        for form in forms:
            for place, argument in _arguments(form):
                self._places[self._sort(argument)][place] += 1
        self._kinds: dict[Sort, frozenset[int]] = {}

    def nested(self, outer: Tokens, name: str, inner: Tokens) -> Tokens | None:
        """The outer form with the inner one in the place of a name; None if they do not fit."""
        if not _is_group(inner) or self._kind_of(name) not in self._kinds_like(inner):
            return None
        return nested(outer, name, inner)

    def _kinds_like(self, form: Tokens) -> frozenset[int]:
        """The kinds of names that stand where forms of this sort do."""
        sort = self._sort(form)
        if sort not in self._kinds:
            places = self._places.get(sort, Counter())
            alike = {
                kind: _cosine(places, others)
                for kind, others in self._places.items()
                if isinstance(kind, int)
            }
            least = max(_ALIKE * max(alike.values(), default=0.0), _LEAST)
            self._kinds[sort] = frozenset(kind for kind, like in alike.items() if like >= least)
        return self._kinds[sort]

    def _sort(self, argument: Tokens) -> Sort:
        """A name's kind; of a group its head, and that of the first group in it without groups."""
        if len(argument) == 1:
            kind = self._kind_of(argument[0])
            return argument if kind is None else kind
        end = argument.index(")")
        begin = max(at for at in range(end) if argument[at] == "(")
        return argument[1], argument[begin + 1]


def nested(outer: Tokens, name: str, inner: Tokens) -> Tokens | None:
    """The outer form with the inner one in the place of a name, which must be in it once.

    >>> outer = tuple("( lambda $0 ( borders $0 s0 ) )".split())
    >>> inner = tuple("( argmax $0 ( state $0 ) ( size $0 ) )".split())
    >>> print(*nested(outer, "s0", inner))
    ( lambda $0 ( borders $0 ( argmax $1 ( state $1 ) ( size $1 ) ) ) )
    """
    if outer.count(name) != 1 or len(outer) == 1:
        return None
    at = outer.index(name)
    marked = [
        *((token, False) for token in outer[:at]),
        *((token, True) for token in inner),
        *((token, False) for token in outer[at + 1 :]),
    ]
    return tuple(_numbered(marked))


def _numbered(marked: Iterable[tuple[str, bool]]) -> Iterator[str]:
    """Tokens with their variables numbered; those of the inner form are others than the outer's."""
    numbers: dict[tuple[str, bool], int] = {}
    for token, is_inner in marked:
        match = _VARIABLE.fullmatch(token)
        if match is None:
            yield token
        else:
            bare = token.removesuffix(match[2])
            yield f"{match[1]}{numbers.setdefault((bare, is_inner), len(numbers))}{match[2]}"


def _is_group(tokens: Tokens) -> bool:
    """Whether the last bracket closes the first, and there is something between them."""
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if depth <= 0:
            return depth == 0 and at == len(tokens) - 1 and len(tokens) > 2
    return False


def _arguments(tokens: Tokens) -> Iterator[tuple[Place, Tokens]]:
    """Each argument of each group with a head, with its place."""
    stack: list[tuple[int, list[Tokens]]] = []
    for at, token in enumerate(tokens):
        if token == "(":
            stack.append((at, []))
        elif token != ")":
            if stack:
                stack[-1][1].append((token,))
        elif stack:
            begin, children = stack.pop()
            if children and len(children[0]) == 1:
                head = children[0][0]
                yield from (((head, n), child) for n, child in enumerate(children[1:], 1))
            if stack and children:
                stack[-1][1].append(tokens[begin : at + 1])


def _cosine(one: Counter[Place], other: Counter[Place]) -> float:
    product = sum(count * other[place] for place, count in one.items())
    return product / sqrt(_square(one) * _square(other)) if product else 0.0


def _square(counts: Counter[Place]) -> float:
    return float(sum(count * count for count in counts.values()))
