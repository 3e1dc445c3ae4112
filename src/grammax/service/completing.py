"""Completions that the parser understands: names that it finds again in the completed query."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from grammax.language.capabilities import Completion
from grammax.reading.words import split
from grammax.service.serving import Serving

_TRIED: Final = 2  # times as many candidates as are asked for
_AT_ONCE: Final = 4  # queries, in some milliseconds; then other requests have their turn


async def completed(serving: Serving, text: str, limit: int, words: int) -> list[Completion]:
    """What may come next; names that the parse of the whole would not have come last."""
    found = serving.completions(text, _TRIED * limit)
    found = [each for each in found if len(split(each.text)) <= words]
    named = [each for each in found if each.token is not None]
    missed: set[Completion] = set()
    for start in range(0, len(named), _AT_ONCE):
        some = named[start : start + _AT_ONCE]
        missed |= _missed(serving, some)
        await asyncio.sleep(0)
    return sorted(found, key=lambda each: each in missed)[:limit]


def _missed(serving: Serving, some: Sequence[Completion]) -> set[Completion]:
    parses = serving.parser.parse_batch([each.text for each in some])
    return {
        each
        for each, parse in zip(some, parses, strict=True)
        if each.token is not None and each.token not in parse.tokens
    }
