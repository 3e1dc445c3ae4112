"""Forms in one order, where the settings of a folder say that an order does not matter."""

from __future__ import annotations

from collections.abc import Collection

from grammax.language.domain import Tokens


def in_order(
    tokens: Tokens, heads: Collection[str], nested: Collection[Tokens] = frozenset()
) -> Tokens:
    """The form with the children of some heads sorted, from the inside out.

    >>> in_order(tuple("( and ( b $0 ) ( a $0 ) )".split()), {"and"})
    ('(', 'and', '(', 'a', '$0', ')', '(', 'b', '$0', ')', ')')

    So are groups within each other that begin with the same tokens of `nested`: their first
    argument is the group inside.

    >>> form = "( call filter ( call filter films ( year 1999 ) ) ( genre drama ) )"
    >>> print(*in_order(tuple(form.split()), (), {("call", "filter")}))
    ( call filter ( call filter films ( genre drama ) ) ( year 1999 ) )

    Unmatched brackets are left unchanged.
    """
    sorted_heads = {(head,) for head in heads}
    chains: dict[Tokens, _Chain] = {}
    stack: list[list[Tokens]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            children = stack.pop()
            if children and children[0] in sorted_heads:
                children[1:] = sorted(children[1:])
            begins = (begin for begin in nested if _joined(children[: len(begin)]) == begin)
            begin = next(begins, None)
            if begin is not None and len(children) > len(begin):
                stack[-1].append(_chained(begin, children[len(begin) :], chains))
            else:
                stack[-1].append(_group(children))
        else:
            stack[-1].append((token,))
    return tokens if len(stack) > 1 else _joined(stack[0])


_Chain = tuple[Tokens, Tokens, list[Tokens]]  # the beginning, what is innermost, the rest of each


def _chained(begin: Tokens, arguments: list[Tokens], chains: dict[Tokens, _Chain]) -> Tokens:
    """A group whose first argument may be a group like it, with the rests of all of them sorted."""
    inside, rest = arguments[0], _joined(arguments[1:])
    known, innermost, rests = chains.get(inside, (begin, inside, []))
    if known != begin:
        innermost, rests = inside, []
    rests = sorted([*rests, rest])
    made = innermost
    for each in rests:
        made = _group([begin, made, each])
    chains[made] = begin, innermost, rests
    return made


def _group(children: Collection[Tokens]) -> Tokens:
    return ("(", *_joined(children), ")")


def _joined(children: Collection[Tokens]) -> Tokens:
    return tuple(token for child in children for token in child)
