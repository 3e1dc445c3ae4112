"""Endpoints that take a query.

A query is parsed on the event loop, because parsing takes about a millisecond and holds the GIL;
so it is with answers from arrays in memory. Those of a data store take longer and mostly run
without the GIL, so they come from threads.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import Final

from grammax.errors import GrammaxError
from grammax.language.answer import NoSuchColumn
from grammax.language.capabilities import Completion
from grammax.parser import Parsed
from grammax.reading.words import split
from grammax.service.endpoints.explanation import explain_steps
from grammax.service.endpoints.render import answer_response, parse_response, view_of
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused, bad_form, bad_sort, no_store, timed_out
from grammax.service.http.limits import check_query, record_query
from grammax.service.schemas import answering, base, parsing
from grammax.service.snapshot.snapshot import Snapshot
from grammax.service.worker import Worker

_CANDIDATES: Final = 2  # completions examined, times as many as are asked for
_BATCH: Final = 4  # queries parsed in some milliseconds
_CHECKING_SECONDS: Final = 0.1  # for the completions of one query


async def parse(
    worker: Worker, context: RequestContext, asked: parsing.ParseRequest
) -> parsing.Parse:
    """Parse a query: its logical form is always grammatical and well typed."""
    record_query(context, asked.query, worker.limits)
    snapshot = worker.snapshot
    parsed = await _parsed(worker, context, snapshot, asked.query, asked.best)
    return parse_response(parsed, snapshot)


async def parse_batch(
    worker: Worker, context: RequestContext, asked: parsing.BatchRequest
) -> parsing.Batch:
    """Parse several queries with one version of the catalogue."""
    limits = worker.limits
    if len(asked.queries) > limits.batch:
        raise RequestRefused(
            422,
            "batch_too_large",
            f"There are {len(asked.queries):,} queries; at most {limits.batch} are permitted.",
            "Send them in several requests.",
        )
    context.details["queries"] = [query[: limits.characters] for query in asked.queries]
    results: list[parsing.Parse | base.Error] = []
    snapshot = worker.snapshot
    for query in asked.queries:
        await asyncio.sleep(0)  # other requests are handled between two queries
        if context.seconds > limits.seconds:
            raise timed_out(limits.seconds)
        try:
            context.words = (context.words or 0) + check_query(query, limits)
        except RequestRefused as refused:
            results.append(base.Error(refused.detail(context.id)))
            continue
        parsed = snapshot.parser.parse(query, offer=False)
        worker.metrics.parsed(parsed)
        results.append(parse_response(parsed, snapshot))
    return parsing.Batch(results)


async def ask(
    worker: Worker, context: RequestContext, asked: answering.AskRequest
) -> answering.Asked:
    """Parse a query and answer it; there is no answer if the parser abstains."""
    record_query(context, asked.query, worker.limits)
    snapshot = worker.snapshot
    if not snapshot.has_store:
        raise no_store(snapshot.domain.name)
    parsed = await _parsed(worker, context, snapshot, asked.query, asked.best)
    parse = parse_response(parsed, snapshot)
    if parsed.abstains and not asked.force:
        return answering.Asked(parse, None, None)
    try:
        snapshot.domain.require_meaning(parsed.tokens)
        view = view_of(asked, asked.offset)
        answer = await worker.answer(snapshot, parsed.tokens, asked.rows, view)
    except RequestRefused:
        raise
    except NoSuchColumn as error:
        raise bad_sort(error) from error
    except GrammaxError as error:
        return answering.Asked(parse, None, bad_form(error).detail(context.id))
    return answering.Asked(parse, answer_response(answer, asked.offset), None)


async def complete(
    worker: Worker, context: RequestContext, asked: parsing.CompleteRequest
) -> parsing.Completions:
    """Complete a query that is being typed."""
    context.details["query"] = asked.text[: worker.limits.characters]
    if len(asked.text) > worker.limits.characters:
        check_query(asked.text, worker.limits)
    snapshot = worker.warm_snapshot()
    found = await _complete_query(worker, snapshot, asked.text, asked.limit)
    return parsing.Completions([parsing.Completion(*each) for each in found])


async def explain(
    worker: Worker, context: RequestContext, asked: parsing.ExplainRequest
) -> parsing.Explained:
    """Parse a query and show each step: permitted tokens, scored tokens, and states."""
    record_query(context, asked.query, worker.limits)
    snapshot = worker.snapshot
    parsed = await _parsed(worker, context, snapshot, asked.query, 1)
    seconds = snapshot.parser.step_seconds(asked.query)
    steps, path = explain_steps(parsed, seconds, snapshot)
    return parsing.Explained(parse_response(parsed, snapshot), steps, path)


async def _parsed(
    worker: Worker, context: RequestContext, snapshot: Snapshot, query: str, best: int
) -> Parsed:
    """A parse; beam search takes ten times as long as greedy search and runs in a thread."""
    if best == 1:
        parsed = snapshot.parser.parse(query, offer=False)
    else:
        parsed = await worker.in_thread(lambda: snapshot.parser.parse(query, best))
    worker.metrics.parsed(parsed)
    context.details |= {"lf": parsed.lf, "version": parsed.version}
    return parsed


async def _complete_query(
    worker: Worker, snapshot: Snapshot, text: str, limit: int
) -> list[Completion]:
    """Completions of a query; names that its parse would not contain come last.

    Long queries take long to parse; after a while the other names are left where they are.
    """
    found = snapshot.completions(text, _CANDIDATES * limit)
    found = [each for each in found if len(split(each.text)) <= worker.limits.words]
    named = [each for each in found if each.token is not None]
    missed: set[Completion] = set()
    end = monotonic() + _CHECKING_SECONDS
    for start in range(0, len(named), _BATCH):
        batch = named[start : start + _BATCH]
        missed |= await worker.in_thread(partial(_missed, snapshot, batch))
        if monotonic() > end:
            break
    return sorted(found, key=lambda each: each in missed)[:limit]


def _missed(snapshot: Snapshot, batch: Sequence[Completion]) -> set[Completion]:
    parses = snapshot.parser.parse_batch([each.text for each in batch])
    return {
        each
        for each, parse in zip(batch, parses, strict=True)
        if each.token is not None and each.token not in parse.tokens
    }
