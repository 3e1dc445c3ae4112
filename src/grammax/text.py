"""The strings nearest to one that was mistyped: for "did you mean" and for explanations."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from heapq import nlargest


def nearest(given: str, choices: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """Up to `count` of `choices` that look like `given`, nearest first.

    difflib alone would take seconds over 56,209 names, so it sees only the hundred that share the
    most letter pairs with what was given.

    >>> nearest("FLD_DOMICLE", ["FLD_DOMICILE", "FLD_INDEX", "EQ"])
    ('FLD_DOMICILE', 'FLD_INDEX')
    """
    given = given[:200]
    wanted = _pairs(given)

    def shared(choice: str) -> float:
        pairs = _pairs(choice)
        return len(wanted & pairs) / (len(wanted | pairs) or 1)

    likely = nlargest(100, choices, key=shared)
    folded: dict[str, str] = {}
    for choice in likely:
        folded.setdefault(choice.casefold(), choice)
    close = get_close_matches(given.casefold(), folded, n=count, cutoff=0.6)
    return tuple(folded[name] for name in close)


def _pairs(text: str) -> set[str]:
    text = f" {text[:200].casefold()} "
    return {text[i : i + 2] for i in range(len(text) - 1)}
