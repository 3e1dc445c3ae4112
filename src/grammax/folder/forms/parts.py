"""Conjunctions in brackets: the parts that training can move to another form.

The outermost group whose head takes its children in any order, such as `and`, is divided into its
children and the frame around them. A child has the role of its own head: `( from $0 ci0 )` can
replace another `from`, or be added to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from grammax.language.domain import Part, Tokens

_FRAME: Final = "frame"
_WHOLE: Final = "whole"  # a form without a conjunction


def parts(tokens: Tokens, heads: Collection[str]) -> tuple[Part, ...]:
    """The frame and the children of the outermost conjunction; else the form as its only part.

    >>> form = tuple("( lambda $0 ( and ( flight $0 ) ( from $0 ci0 ) ) )".split())
    >>> for part in parts(form, {"and"}):
    ...     print(part.role, *part.tokens)
    frame ( lambda $0 ( and ) )
    flight ( flight $0 )
    from ( from $0 ci0 )
    """
    heads_at = (at for at, (one, two) in enumerate(pairwise(tokens)) if one == "(" and two in heads)
    first = next(heads_at, None)
    children = None if first is None else _children(tokens, first + 2)
    if first is None or children is None or len(set(children)) < len(children):
        return (Part(tokens, _WHOLE),)
    begin, end = first + 2, first + 2 + sum(map(len, children))
    frame = Part(tokens[:begin] + tokens[end:], _FRAME, begin)
    return (frame, *(Part(child, _role(child), at) for at, child in enumerate(children)))


def joined(given: Sequence[Part]) -> Tokens | None:
    """The form of a frame and some children; None if there is not one frame, or no child.

    >>> frame, flight, origin = parts(
    ...     tuple("( lambda $0 ( and ( flight $0 ) ( from $0 ci0 ) ) )".split()), {"and"}
    ... )
    >>> print(*joined([origin, frame, flight]))
    ( lambda $0 ( and ( flight $0 ) ( from $0 ci0 ) ) )
    >>> print(*joined([frame, origin]))
    ( lambda $0 ( from $0 ci0 ) )
    """
    if len(given) == 1 and given[0].role == _WHOLE:
        return given[0].tokens
    frames = [part for part in given if part.role == _FRAME]
    children = [part for part in given if part.role not in (_FRAME, _WHOLE)]
    if len(frames) != 1 or len(children) + 1 != len(given) or not children:
        return None
    if len({child.tokens for child in children}) < len(children):
        return None
    (tokens, _, at), inside = frames[0], sorted(children, key=lambda part: part.order)
    if len(inside) == 1:  # without the head and its brackets
        return tokens[: at - 2] + inside[0].tokens + tokens[at + 1 :]
    return tokens[:at] + tuple(token for part in inside for token in part.tokens) + tokens[at:]


def _children(tokens: Tokens, at: int) -> list[Tokens] | None:
    """The tokens and groups from a position to the bracket that ends them; None without one."""
    found: list[Tokens] = []
    while at < len(tokens) and tokens[at] != ")":
        begin, depth = at, 0
        while at < len(tokens):
            depth += (tokens[at] == "(") - (tokens[at] == ")")
            at += 1
            if depth <= 0:
                break
        if depth:
            return None
        found.append(tokens[begin:at])
    return found if at < len(tokens) else None


def _role(child: Tokens) -> str:
    return child[1] if len(child) > 1 else child[0]
