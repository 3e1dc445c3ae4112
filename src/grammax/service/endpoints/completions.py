"""Completions that the parser understands: names that it finds again in the completed query."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from grammax.language.capabilities import Completion
from grammax.reading.words import split
from grammax.service.snapshot.snapshot import Snapshot

_CANDIDATES: Final = 2  # times as many as are asked for
_BATCH: Final = 4  # queries, in some milliseconds; then other requests are handled


async def complete_query(snapshot: Snapshot, text: str, limit: int, words: int) -> list[Completion]:
    """How a query may go on; names that its parse would not contain come last."""
    found = snapshot.completions(text, _CANDIDATES * limit)
    found = [each for each in found if len(split(each.text)) <= words]
    named = [each for each in found if each.token is not None]
    missed: set[Completion] = set()
    for start in range(0, len(named), _BATCH):
        missed |= _missed(snapshot, named[start : start + _BATCH])
        await asyncio.sleep(0)
    return sorted(found, key=lambda each: each in missed)[:limit]


def _missed(snapshot: Snapshot, batch: Sequence[Completion]) -> set[Completion]:
    parses = snapshot.parser.parse_batch([each.text for each in batch])
    return {
        each
        for each, parse in zip(batch, parses, strict=True)
        if each.token is not None and each.token not in parse.tokens
    }
