"""Logical forms whose children come in any order, such as those of `and`: one of them for all."""

from __future__ import annotations

from collections.abc import Collection

from grammax.language.domain import Tokens


def in_order(tokens: Tokens, heads: Collection[str]) -> Tokens:
    """The children of some heads sorted, from the inside out.

    >>> in_order(tuple("( and ( b $0 ) ( a $0 ) )".split()), {"and"})
    ('(', 'and', '(', 'a', '$0', ')', '(', 'b', '$0', ')', ')')

    Brackets that do not match are left as they are.
    """
    sorted_heads = {(head,) for head in heads}
    stack: list[list[Tokens]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            children = stack.pop()
            if children and children[0] in sorted_heads:
                children[1:] = sorted(children[1:])
            inside = tuple(token for child in children for token in child)
            stack[-1].append(("(", *inside, ")"))
        else:
            stack[-1].append((token,))
    if len(stack) > 1:
        return tokens
    return tuple(token for child in stack[0] for token in child)
