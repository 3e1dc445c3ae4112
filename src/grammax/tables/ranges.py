"""Ranges: two comparisons of one field as one constraint, which is easier to predict.

`(AND (F GE a) (F LE b) c)` is written for `(AND (F BETWEEN a b) c)`, and `(AND (F GE a) (F LE b))`
for a range that stands alone.

>>> form = tuple("( AND ( F GE 1 ) ( F LE 9 ) )".split())
>>> joined_ranges(form)
('(', 'F', 'BETWEEN', '1', '9', ')')
>>> sum(split_ranges(joined_ranges(form)), ()) == form
True
"""

from __future__ import annotations

from collections.abc import Sequence

from grammax.language.answer import Tokens
from grammax.tables import lexicon as words


def joined_ranges(tokens: Tokens) -> Tokens:
    """A logical form in which neighbouring comparisons that make a range are one constraint."""
    if "GE" not in tokens or "LE" not in tokens:
        return tokens
    stack: list[list[Tokens]] = [[]]  # the children so far of each bracket that is open
    for token in tokens:
        if token == words.OPEN:
            stack.append([])
        elif token == words.CLOSE:
            children = stack.pop()
            stack[-1].append(_closed(children))
        else:
            stack[-1].append((token,))
    return stack[0][0]


def split_ranges(tokens: Tokens) -> Sequence[Tokens]:
    """For each token the tokens that it stands for, with ranges as two comparisons."""
    if words.BETWEEN not in tokens:
        return [(token,) for token in tokens]
    found: list[list[str]] = [[token] for token in tokens]
    heads: list[int] = []  # the indices of the brackets that are open
    for index, token in enumerate(tokens):
        if token == words.OPEN:
            heads.append(index)
        elif token == words.CLOSE:
            heads.pop()
        elif token == words.BETWEEN:
            _split(tokens, found, heads[-1], index, _connective(tokens, heads))
    return [tuple(piece) for piece in found]


def _split(tokens: Tokens, found: list[list[str]], start: int, at: int, connective: str) -> None:
    """Write the range whose bracket opens at `start` and whose BETWEEN is at `at`."""
    low = at + 1 + (tokens[at + 1] == words.MINUS)
    close = low + 2 + (tokens[low + 1] == words.MINUS)
    found[at] = ["GE"]
    found[low] = [tokens[low], words.CLOSE, *tokens[start:at], "LE"]
    if connective != "AND":
        found[start] = [words.OPEN, "AND", words.OPEN]
        found[close] = [words.CLOSE, words.CLOSE]


def _connective(tokens: Tokens, heads: Sequence[int]) -> str:
    """The word of the bracket around the innermost one."""
    return tokens[heads[-2] + 1] if len(heads) > 1 else ""


def _closed(children: Sequence[Tokens]) -> Tokens:
    """A bracket with these children, of which neighbours that make a range are joined."""
    if not children or children[0] != ("AND",):
        return _bracket(children)
    parts: list[Tokens] = []
    for child in children[1:]:
        joined = _range(parts[-1], child) if parts else None
        if joined is None:
            parts.append(child)
        else:
            parts[-1] = joined
    return parts[0] if len(parts) == 1 else _bracket([("AND",), *parts])


def _range(low: Tokens, high: Tokens) -> Tokens | None:
    """The range of two comparisons with numbers, or None."""
    if "GE" not in low or "LE" not in high:
        return None
    at, other = low.index("GE"), high.index("LE")
    if low[:at] != high[:other] or not (
        _is_number(low[at + 1 : -1]) and _is_number(high[other + 1 : -1])
    ):
        return None
    return (*low[:at], words.BETWEEN, *low[at + 1 : -1], *high[other + 1 : -1], words.CLOSE)


def _is_number(tokens: Tokens) -> bool:
    """Whether this is a slot of a number, ZERO or a digit, with or without a sign."""
    last = tokens[-1]
    known = last == words.ZERO or last.isdecimal() or "#" in last
    return known and (len(tokens) == 1 or tokens[:-1] == (words.MINUS,))


def _bracket(children: Sequence[Tokens]) -> Tokens:
    return (words.OPEN, *(token for child in children for token in child), words.CLOSE)
