"""Endpoints that take a logical form, or the beginning of one."""

from __future__ import annotations

import asyncio
from typing import Final
from uuid import uuid4

from grammax.errors import GrammaxError
from grammax.language.answer import Answer, NoSuchColumn
from grammax.language.domain import Tokens
from grammax.service.corrections import Correction
from grammax.service.endpoints.continuations import continuations
from grammax.service.endpoints.render import answer_response, chips, view_of
from grammax.service.endpoints.teaching import offered, when_learnt
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused, bad_form, bad_sort
from grammax.service.http.limits import check_fields, check_form_length, record_query
from grammax.service.log import now
from grammax.service.schemas import answering, editing, rows, teaching
from grammax.service.snapshot.snapshot import Snapshot, has_slots
from grammax.service.worker import Worker

_LETTERS: Final = 6  # of a token


async def run(
    worker: Worker, context: RequestContext, asked: answering.RunRequest
) -> answering.Ran:
    """Answer a logical form."""
    snapshot = worker.snapshot
    tokens, lf = await given_form(worker, context, snapshot, asked)

    def written(answer: Answer) -> answering.Ran:
        return answering.Ran(
            lf=lf,
            paraphrase=snapshot.domain.paraphrase(tokens),
            tokens=tokens,
            chips=chips(tokens, snapshot),
            answer=answer_response(answer, asked.offset),
        )

    try:
        view = view_of(asked, asked.offset)
        return await worker.answer(snapshot, tokens, asked.rows, view, written)
    except RequestRefused:
        raise
    except NoSuchColumn as error:
        raise bad_sort(error) from error
    except GrammaxError as error:
        raise bad_form(error) from error


async def given_form(
    worker: Worker,
    context: RequestContext,
    snapshot: Snapshot,
    asked: answering.RunRequest | answering.ExportRequest | rows.DistributionRequest,
) -> tuple[Tokens, str]:
    """The logical form of a request, as tokens and as text."""
    if (asked.lf is None) == (asked.tokens is None):
        raise RequestRefused(
            422,
            "invalid_request",
            "One of lf and tokens is needed, and not both.",
            'Send {"lf": "..."}, as POST /parse returns it.',
        )
    tokens, lf = await _form(worker, snapshot, asked.lf, asked.tokens)
    context.details["lf"] = lf
    return tokens, lf


async def next_tokens(
    worker: Worker, context: RequestContext, asked: editing.NextRequest
) -> editing.Next:
    """List the tokens permitted after a prefix, or at a position of a complete form."""
    del context
    tokens = tuple(asked.tokens)
    position = len(tokens) if asked.place is None else asked.place
    check_form_length(len(tokens), worker.limits)
    if position > len(tokens):
        raise RequestRefused(
            422,
            "invalid_request",
            f"The place is {position}, but there are {len(tokens)} tokens.",
            f"Give a place from 0 to {len(tokens)}.",
        )
    snapshot = worker.warm_snapshot()
    try:
        found = await worker.compute(
            lambda: continuations(snapshot, tokens, position, asked.search, asked.limit),
            len(tokens) + asked.limit // 4,
        )
    except GrammaxError as error:
        raise bad_form(error) from error
    choices = [
        editing.Choice(chip.token, chip.label, chip.kind)
        for chip in snapshot.domain.chips(found.tokens)
    ]
    return editing.Next(position, found.permitted, found.may_end, choices)


async def correct(
    worker: Worker, context: RequestContext, asked: teaching.CorrectionRequest
) -> teaching.Stored:
    """Store a query with its correct logical form, for training.

    Words that the correction explains are offered to be remembered at once, by POST /teach.
    """
    record_query(context, asked.query, worker.limits)
    snapshot = worker.snapshot
    tokens, lf = await _form(worker, snapshot, asked.lf, None)
    context.details["lf"] = lf
    made = Correction(uuid4().hex, now(), asked.query, lf, tokens, snapshot.version)
    try:
        await asyncio.wrap_future(worker.corrections.append(made.record()))
    except OSError as error:
        raise RequestRefused(
            503,
            "not_stored",
            f"The correction could not be stored: {error.strerror}.",
            "Tell the operator of the service, and send it again later.",
            {"Retry-After": "60"},
        ) from error
    offers = await worker.compute(
        lambda: offered(worker, snapshot, asked.query, tokens), 2 * (context.words or 0)
    )
    return teaching.Stored(made.id, offers, when_learnt(worker, bool(offers)))


async def _form(
    worker: Worker, snapshot: Snapshot, lf: str | None, tokens: list[str] | None
) -> tuple[Tokens, str]:
    """A well-typed logical form, as tokens and as text."""

    def read() -> tuple[Tokens, str]:
        form = snapshot.domain.read(lf) if lf is not None else tuple(tokens or ())
        check_form_length(len(form), worker.limits)
        check_fields(form, snapshot.domain.vocabulary, worker.limits)
        snapshot.domain.require_meaning(form)
        if not has_slots(snapshot.domain):
            snapshot.automaton.read(form)
        return form, snapshot.domain.text(form)

    try:
        return await worker.compute(read, len(tokens or ()) + len(lf or "") // _LETTERS)
    except RequestRefused:
        raise
    except GrammaxError as error:
        raise bad_form(error) from error
