"""Endpoints about single rows and about all rows of an answer; both work in threads."""

from __future__ import annotations

from time import monotonic

from grammax.errors import GrammaxError
from grammax.language.answer import AnswerTooSlow, NoSuchColumn
from grammax.language.rows import Group, NotNumeric, OpensRows, TooManyRows
from grammax.service.endpoints.forms import given_form
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused, bad_form, bad_sort
from grammax.service.schemas import answering, rows
from grammax.service.snapshot.snapshot import Snapshot
from grammax.service.worker import Worker


async def row(worker: Worker, context: RequestContext, asked: rows.RowRequest) -> rows.Row:
    """Show one row: its values, and the rows that are most like it."""
    context.details["key"] = asked.key
    snapshot = worker.snapshot
    store, end = _opens_rows(worker, snapshot), monotonic() + worker.limits.seconds
    try:
        found = await worker.in_thread(lambda: store.row(asked.key, asked.limit, _left(end)))
    except RequestRefused:
        raise
    except GrammaxError as error:
        raise bad_form(error) from error
    if found is None:
        noun = snapshot.domain.nouns[0]
        raise RequestRefused(
            404,
            "no_such_row",
            f"There is no {noun} with the key {asked.key[:100]!r}.",
            "Give a cell of the column `key` of an answer, exactly as it is there.",
        )
    peers = found.peers and rows.Peers(
        columns=[answering.Column(**column._asdict()) for column in found.peers.columns],
        rows=found.peers.rows,
        tokens=found.peers.tokens,
        paraphrase=snapshot.domain.paraphrase(found.peers.tokens),
        total=found.peers.total,
    )
    groups = [_group(group) for group in found.groups]
    synthetic = any(value.synthetic for group in groups for value in group.values)
    return rows.Row(found.key, found.name, groups, synthetic, peers)


async def distribution(
    worker: Worker, context: RequestContext, asked: rows.DistributionRequest
) -> rows.Distribution:
    """Count the numbers of a column by size, over all rows of an answer."""
    snapshot = worker.snapshot
    tokens, _ = await given_form(worker, context, snapshot, asked)
    store, end = _opens_rows(worker, snapshot), monotonic() + worker.limits.seconds
    try:
        found = await worker.in_thread(lambda: store.distribution(tokens, asked.column, _left(end)))
    except RequestRefused:
        raise
    except NoSuchColumn as error:
        raise bad_sort(error) from error
    except NotNumeric as error:
        raise RequestRefused(422, "not_numeric", str(error), error.hint) from error
    except TooManyRows as error:
        raise RequestRefused(422, "too_many_rows", str(error), error.hint) from error
    except GrammaxError as error:
        raise bad_form(error) from error
    return rows.Distribution(
        column=answering.Column(**found.column._asdict()),
        parts=[rows.Part(part.low, part.high, part.count) for part in found.parts],
        low=found.low,
        high=found.high,
        median=found.median,
        known=found.known,
        missing=found.missing,
        logarithmic=found.logarithmic,
    )


def _opens_rows(worker: Worker, snapshot: Snapshot) -> OpensRows:
    store = worker.answers(snapshot)
    if not isinstance(store, OpensRows):
        raise RequestRefused(
            404,
            "no_rows",
            f"The domain {snapshot.domain.name!r} answers, but does not open single rows.",
            "POST /run returns its answers.",
        )
    return store


def _left(end: float) -> float:
    """The seconds that are left when a thread begins."""
    left = end - monotonic()
    if left <= 0:
        raise AnswerTooSlow("it waited too long")
    return left


def _group(group: Group) -> rows.RowGroup:
    return rows.RowGroup(
        group.title,
        [
            rows.RowValue(
                value.column.field,
                value.column.label,
                value.column.type,
                value.column.unit,
                value.column.synthetic,
                value.value,
            )
            for value in group.values
        ],
    )
