"""Bracketed forms as nested tuples, and as tokens.

Goes in: `("select", ("from", "film"), ("show", "film.title"))`. Comes out: the tokens of
`( select ( from film ) ( show film.title ) )`, and back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from grammax.folder.sql.unsupported import NotAForm
from grammax.language.domain import Tokens

Node: TypeAlias = "str | tuple[Node, ...]"


def flatten(node: Node) -> Tokens:
    """The tokens of a tree.

    >>> flatten(("show", "film.title"))
    ('(', 'show', 'film.title', ')')
    """
    return tuple(_tokens(node))


def nested(tokens: Tokens) -> Node:
    """The tree of tokens; `NotAForm` if the brackets do not match.

    >>> nested(("(", "show", "(", "count", "*", ")", ")"))
    ('show', ('count', '*'))
    """
    stack: list[list[Node]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise NotAForm("a bracket is closed that was not opened")
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) > 1 or len(stack[0]) != 1:
        raise NotAForm("the brackets do not make one form")
    return stack[0][0]


def inside(node: Node) -> tuple[Node, ...]:
    """The parts of a bracket; `NotAForm` for a token."""
    if isinstance(node, str):
        raise NotAForm(f"there must be a bracket where {node!r} is")
    return node


def head(node: Node) -> str:
    """The first token of a bracket; a token itself, or a bracket that begins with one, has none."""
    return node[0] if isinstance(node, tuple) and node and isinstance(node[0], str) else ""


def atoms(node: Node) -> Iterator[str]:
    """The tokens of a tree without brackets."""
    if isinstance(node, str):
        yield node
    else:
        for each in node:
            yield from atoms(each)


def trees(node: Node) -> Iterator[tuple[Node, ...]]:
    """All brackets of a tree, outer ones first."""
    if isinstance(node, tuple):
        yield node
        for each in node:
            yield from trees(each)


def _tokens(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    else:
        yield "("
        for each in node:
            yield from _tokens(each)
        yield ")"
