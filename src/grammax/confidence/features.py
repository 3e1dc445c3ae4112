"""A finished parse → the few numbers that tell right from wrong. They cost microseconds."""

from __future__ import annotations

from math import expm1, log
from typing import Final, NamedTuple

from grammax.confidence.accounting import Account
from grammax.reading.reader import Query
from grammax.search import Decoded

_CERTAIN: Final = 1e-6  # how far from 1 a probability in single precision can be told
_MOST: Final = 3  # words that are told apart from one more


class Features(NamedTuple):
    """What is known of a parse once it is finished."""

    odds: float  # logarithm, of the logical form against all others, as the network has it
    accounted: float  # share of the words that are in names which were said, or are heeded
    strange: float  # share of the words that training met in no place but names, if at all
    unaccounted: float  # how many words nothing accounts for


def features(query: Query, decoded: Decoded, account: Account) -> Features:
    """The features of a parse whose words were accounted for."""
    words = len(query.words)
    logarithm = min(decoded.log_probability, -_CERTAIN)
    return Features(
        odds=logarithm - log(-expm1(logarithm)),
        accounted=(len(account.named) + len(account.heeded)) / words,
        strange=len(account.strange) / words,
        unaccounted=float(min(len(account.strange) + len(account.neglected), _MOST)),
    )
