"""Addresses that take a query. Parsing takes a millisecond and is done right here.

Handing a query to a thread and back would only make it wait: threads of Python take turns. Answers,
which take longer and mostly run without Python, come from threads.
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from grammax.errors import GrammaxError
from grammax.parser import Parsed
from grammax.service import bodies
from grammax.service import request_schemas as requests
from grammax.service.completing import completed
from grammax.service.explanation import explained
from grammax.service.note import noted
from grammax.service.refusals import Refusal, bad_form, nothing_answers, too_late
from grammax.service.replies import json_response
from grammax.service.serving import Serving
from grammax.service.shown import Json, answer_json, parse_json
from grammax.service.worker import Worker


async def parse(worker: Worker, request: Request) -> Response:
    """Parse a query: its logical form, always grammatical and well typed."""
    asked = await bodies.read(request, requests.ParseRequest, worker.limits)
    bodies.note_query(request, asked.query, worker.limits)
    with worker.turn():
        await asyncio.sleep(0)  # all that came meanwhile is counted, and refused if it is too much
        serving = worker.serving
        found = await _parsed(worker, request, serving, asked.query, asked.best)
        return json_response(parse_json(found, serving))


async def parse_batch(worker: Worker, request: Request) -> Response:
    """Parse many queries, by one version of the catalogue; an error takes the place of a parse."""
    asked = await bodies.read(request, requests.BatchRequest, worker.limits)
    if len(asked.queries) > worker.limits.batch:
        raise Refusal(
            422,
            "batch_too_large",
            f"There are {len(asked.queries):,} queries; {worker.limits.batch} are permitted.",
            "Send them in several requests.",
        )
    note = noted(request.scope)
    note.facts["queries"] = [query[: worker.limits.characters] for query in asked.queries]
    results: list[Json] = []
    with worker.turn():
        serving = worker.serving
        for query in asked.queries:
            await asyncio.sleep(0)  # others have their turn between two queries
            if note.seconds > worker.limits.seconds:
                raise too_late(worker.limits.seconds)
            try:
                note.words = (note.words or 0) + bodies.require_query(query, worker.limits)
            except Refusal as refusal:
                results.append({"error": refusal.json(note.id)})
                continue
            found = serving.parser.parse(query, offer=False)
            worker.metrics.parsed(found)
            results.append(parse_json(found, serving))
        return json_response({"results": results})


async def ask(worker: Worker, request: Request) -> Response:
    """Parse a query and answer it; no answer where the parser abstains, unless `anyway`."""
    asked = await bodies.read(request, requests.AskRequest, worker.limits)
    bodies.note_query(request, asked.query, worker.limits)
    with worker.turn():
        await asyncio.sleep(0)
        serving = worker.serving
        if serving.is_plain:
            raise nothing_answers(serving.domain.name)
        found = await _parsed(worker, request, serving, asked.query, asked.best)
        shown: Json = {"parse": parse_json(found, serving)}
        shown |= {"answer": None, "answer_error": None}
        if asked.anyway or not found.abstains:
            try:
                serving.domain.require_meaning(found.tokens)
                table = await worker.answer(serving, found.tokens, asked.rows)
                shown["answer"] = answer_json(table)
            except Refusal:
                raise
            except GrammaxError as error:
                shown["answer_error"] = bad_form(error).json(noted(request.scope).id)
        return json_response(shown)


async def complete(worker: Worker, request: Request) -> Response:
    """How a query that is being typed may go on."""
    asked = await bodies.read(request, requests.CompleteRequest, worker.limits)
    noted(request.scope).facts["query"] = asked.text[: worker.limits.characters]
    if len(asked.text) > worker.limits.characters:
        bodies.require_query(asked.text, worker.limits)
    with worker.turn():
        await asyncio.sleep(0)
        found = await completed(worker.warm_serving(), asked.text, asked.limit, worker.limits.words)
        return json_response({"completions": [each._asdict() for each in found]})


async def explain(worker: Worker, request: Request) -> Response:
    """Parse a query and tell each step: what was permitted, what was scored, and the states."""
    asked = await bodies.read(request, requests.ExplainRequest, worker.limits)
    bodies.note_query(request, asked.query, worker.limits)
    with worker.turn():
        await asyncio.sleep(0)
        serving = worker.serving
        found = await _parsed(worker, request, serving, asked.query, 1)
        seconds = serving.parser.step_seconds(asked.query)
        steps, path = explained(found, seconds, serving)
        shown = {"parse": parse_json(found, serving), "steps": steps, "path": path}
        return json_response(shown)


async def _parsed(
    worker: Worker, request: Request, serving: Serving, query: str, best: int
) -> Parsed:
    """A parse; several readings take ten times as long as one, and are left to a thread."""
    if best == 1:
        found = serving.parser.parse(query, offer=False)
    else:
        found = await worker.in_thread(lambda: serving.parser.parse(query, best))
    worker.metrics.parsed(found)
    facts = noted(request.scope).facts
    facts["lf"], facts["version"] = found.lf, found.version
    return found
