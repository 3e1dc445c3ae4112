"""Sequences: conditions with a separator, as in `job ( ANS ) , loc ( ANS , austin )`.

They stand in the order in which queries mention them, so training can move them to another form
and put them in the order of its words. The role of a condition is what stands before its arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from grammax.language.domain import Part, Tokens

_BRACKETS: Final = ("(", ")")


def conditions(tokens: Tokens, separator: str) -> tuple[Part, ...]:
    """The conditions of a form, which stand between separators outside of all brackets.

    >>> form = tuple("job ( ANS ) , \\\\+ loc ( ANS , austin )".split())
    >>> for part in conditions(form, ","):
    ...     print(f"{part.role}: {' '.join(part.tokens)}")
    job: job ( ANS )
    \\+ loc: \\+ loc ( ANS , austin )
    """
    found: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if token == separator and not depth:
            found.append([])
        else:
            found[-1].append(token)
    return tuple(Part(tuple(each), _role(each)) for each in found)


def in_sequence(given: Sequence[Part], separator: str) -> Tokens | None:
    """The form of some conditions; None if two are the same, or one shares no argument with others.

    A condition on another variable says nothing of what the others are about.

    >>> job, place = conditions(tuple("job ( ANS ) , loc ( ANS , austin )".split()), ",")
    >>> print(*in_sequence([place, job], ","))
    loc ( ANS , austin ) , job ( ANS )
    >>> (other,) = conditions(tuple("language ( A , java )".split()), ",")
    >>> in_sequence([place, other], ",") is None
    True
    """
    if not given or len({part.tokens for part in given}) < len(given):
        return None
    arguments = [_arguments(part, separator) for part in given]
    reached = arguments[0]
    for _ in arguments:
        for each in arguments:
            reached = reached | each if each & reached else reached
    if not all(each & reached for each in arguments):
        return None
    first, *rest = (part.tokens for part in given)
    return (*first, *(token for each in rest for token in (separator, *each)))


def _arguments(part: Part, separator: str) -> frozenset[str]:
    """What stands in a condition, without its role, brackets and separators."""
    return frozenset(part.tokens).difference(part.role.split(), _BRACKETS, (separator,))


def _role(condition: Sequence[str]) -> str:
    return " ".join(takewhile(lambda token: token not in _BRACKETS, condition))
