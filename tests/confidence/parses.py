"""Parses by hand: a query, what it names, and a logical form."""

from __future__ import annotations

import numpy as np

from grammax.confidence.coverage import Attention
from grammax.reading.name_index import Match
from grammax.reading.reader import Query
from grammax.search import Decoded

IDS = {"AND": 0, "COU_GERMANY": 1, "SEC_STEEL": 2, "COU_SWEDEN": 3, "GR": 4, "5": 5}


def a_parse(
    text: str,
    tokens: str,
    names: tuple[Match, ...] = (),
    *,
    logarithm: float = -0.1,
    cut: bool = False,
    typos: tuple[tuple[int, str], ...] = (),
) -> tuple[Query, Decoded]:
    """The words of `text`, and the tokens that were chosen one by one."""
    words = tuple(text.split())
    query = Query(text, words, (2,) * len(words), names, cut, typos)
    chosen = tuple(tokens.split())
    ids = tuple(IDS[token] for token in chosen)
    several = (3,) * len(ids)
    return query, Decoded(ids, chosen, logarithm, several, several, "forced")


def resting_on(words: int, *positions: int) -> Attention:
    """The attention of choices, each all on one word."""
    return [np.eye(words, dtype=np.float32)[position] for position in positions]
