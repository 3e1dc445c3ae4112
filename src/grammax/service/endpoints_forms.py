"""Addresses that take a logical form, or the beginning of one."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import Response

from grammax.errors import GrammaxError
from grammax.language.domain import Tokens
from grammax.service import bodies
from grammax.service import request_schemas as requests
from grammax.service.continuations import continuations
from grammax.service.corrections import Correction
from grammax.service.log import now
from grammax.service.note import noted
from grammax.service.refusals import Refusal, bad_form
from grammax.service.replies import json_response
from grammax.service.serving import Serving
from grammax.service.shown import Json, answer_json, chips_json
from grammax.service.worker import Worker


async def run(worker: Worker, request: Request) -> Response:
    """Answer a logical form."""
    asked = await bodies.read(request, requests.RunRequest, worker.limits)
    if (asked.lf is None) == (asked.tokens is None):
        raise Refusal(
            422,
            "invalid_request",
            "One of lf and tokens is needed, and not both.",
            f'Send {{"lf": "{requests.EXAMPLE_LF}"}}.',
        )
    with worker.turn():
        await asyncio.sleep(0)
        serving = worker.serving
        tokens = _form(worker, serving, asked.lf, asked.tokens)
        noted(request.scope).facts["lf"] = serving.domain.text(tokens)
        try:
            table = await worker.answer(serving, tokens, asked.rows)
        except Refusal:
            raise
        except GrammaxError as error:
            raise bad_form(error) from error
        return json_response(_shown_form(serving, tokens) | {"answer": answer_json(table)})


async def next_tokens(worker: Worker, request: Request) -> Response:
    """What may follow the beginning of a logical form, or stand at a place of a whole one."""
    asked = await bodies.read(request, requests.NextRequest, worker.limits)
    tokens = tuple(asked.tokens)
    place = len(tokens) if asked.place is None else asked.place
    _require_short(worker, len(tokens))
    if place > len(tokens):
        raise Refusal(
            422,
            "invalid_request",
            f"The place is {place}, and there are {len(tokens)} tokens.",
            f"Permitted are 0 to {len(tokens)}.",
        )
    with worker.turn():
        await asyncio.sleep(0)
        serving = worker.warm_serving()
        try:
            found = continuations(serving, tokens, place, asked.search, asked.limit)
        except GrammaxError as error:
            raise bad_form(error) from error
        choices = [
            {"token": chip.token, "label": chip.label, "kind": chip.kind}
            for chip in serving.domain.chips(found.tokens)
        ]
        shown = {"place": place, "permitted": found.permitted, "may_end": found.may_end}
        return json_response(shown | {"choices": choices})


async def correct(worker: Worker, request: Request) -> Response:
    """Keep a query with the logical form that it should have had, for the next training."""
    asked = await bodies.read(request, requests.CorrectionRequest, worker.limits)
    bodies.note_query(request, asked.query, worker.limits)
    with worker.turn():
        serving = worker.serving
        tokens = _form(worker, serving, asked.lf, None)
        lf = serving.domain.text(tokens)
        noted(request.scope).facts["lf"] = lf
        made = Correction(uuid4().hex, now(), asked.query, lf, tokens, serving.version)
        try:
            await asyncio.wrap_future(worker.corrections.append(made.record()))
        except OSError as error:
            raise Refusal(
                503,
                "not_stored",
                f"The correction could not be stored: {error.strerror}.",
                "Tell whoever runs the service, and send it again later.",
                {"Retry-After": "60"},
            ) from error
        return json_response({"id": made.id}, 201)


def _form(worker: Worker, serving: Serving, lf: str | None, tokens: list[str] | None) -> Tokens:
    """The tokens of a logical form that makes sense."""
    try:
        form = serving.domain.read(lf) if lf is not None else tuple(tokens or ())
        _require_short(worker, len(form))
        serving.domain.require_meaning(form)
        serving.automaton.read(form)
    except Refusal:
        raise
    except GrammaxError as error:
        raise bad_form(error) from error
    return form


def _require_short(worker: Worker, tokens: int) -> None:
    if tokens > worker.limits.tokens:
        raise Refusal(
            422,
            "form_too_long",
            f"The logical form has {tokens:,} tokens; {worker.limits.tokens} are permitted.",
            "Ask for less at once.",
        )


def _shown_form(serving: Serving, tokens: Tokens) -> Json:
    return {
        "lf": serving.domain.text(tokens),
        "paraphrase": serving.domain.paraphrase(tokens),
        "tokens": tokens,
        "chips": chips_json(tokens, serving),
    }
