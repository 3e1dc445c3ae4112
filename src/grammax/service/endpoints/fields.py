"""GET /fields: what can be asked about, with units, ranges and usual values.

Ranges are computed from the stored numbers in a thread, and the store keeps them. A list takes as
many as it finds in a moment; the rest is unknown until it is asked for again.
"""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import Final

from grammax.errors import GrammaxError
from grammax.language.answer import KnowsSpreads, Spread
from grammax.language.capabilities import FieldEntry
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused
from grammax.service.schemas import catalogue
from grammax.service.snapshot.snapshot import Snapshot
from grammax.service.worker import Worker

_LIST_SECONDS: Final = 0.3  # for all ranges of a list


async def fields(
    worker: Worker, context: RequestContext, asked: catalogue.FieldsQuery
) -> catalogue.Fields:
    """List the fields that can be asked for, the likeliest first, with units and ranges."""
    del context
    snapshot = worker.snapshot
    answers = snapshot.answers or worker.snapshot.answers
    store = answers if isinstance(answers, KnowsSpreads) else None
    if asked.token:
        found = await worker.in_thread(
            partial(_field, snapshot, store, asked.token, worker.limits.seconds)
        )
        return catalogue.Fields([found], 1)
    return await worker.in_thread(partial(_fields, snapshot, store, asked))


def _field(
    snapshot: Snapshot, store: KnowsSpreads | None, token: str, seconds: float
) -> catalogue.Field:
    entry = snapshot.domain.field_entry(token)
    if entry is None:
        raise RequestRefused(
            404,
            "unknown_field",
            f"There is no field {token[:100]!r}.",
            "GET /fields?search=NAME finds fields.",
        )
    return _shown(entry, _spread(store, token, seconds))


def _fields(
    snapshot: Snapshot, store: KnowsSpreads | None, asked: catalogue.FieldsQuery
) -> catalogue.Fields:
    tokens = snapshot.domain.fields(asked.search)
    end = monotonic() + _LIST_SECONDS
    found: list[catalogue.Field] = []
    for token in tokens[: asked.limit]:
        entry = snapshot.domain.field_entry(token)
        left = end - monotonic()
        if entry is not None:
            found.append(_shown(entry, _spread(store, token, left) if left > 0 else None))
    return catalogue.Fields(found, len(tokens))


def _spread(store: KnowsSpreads | None, token: str, seconds: float) -> Spread | None:
    try:
        return None if store is None else store.spread(token, seconds)
    except GrammaxError:  # a field that the store does not know yet
        return None


def _shown(entry: FieldEntry, spread: Spread | None) -> catalogue.Field:
    low, middle, high = (None, None, None) if spread is None else spread
    return catalogue.Field(
        token=entry.token,
        label=entry.label,
        type=entry.type,
        unit=entry.unit,
        names=entry.names,
        description=entry.description,
        low=low,
        high=high,
        middle=middle,
        values=[catalogue.FieldValue(*value) for value in entry.values],
        default=entry.default,
    )
