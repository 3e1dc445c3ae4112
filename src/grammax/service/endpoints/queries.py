"""Endpoints that take a query.

A query is parsed on the event loop, because parsing takes about a millisecond and holds the GIL;
so it is with answers from arrays in memory. Those of a data store take longer and mostly run
without the GIL, so they come from threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import Final

from msgspec import structs

from grammax.errors import GrammaxError
from grammax.language.answer import NoSuchColumn
from grammax.language.capabilities import Completion
from grammax.parser import Parsed
from grammax.reading.words import split
from grammax.service.endpoints.explanation import explain_steps
from grammax.service.endpoints.render import answer_response, parse_response, view_of
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused, bad_form, bad_sort, no_store, timed_out
from grammax.service.http.limits import check_fields, check_query, record_query
from grammax.service.http.turns import CLIENT
from grammax.service.schemas import answering, base, parsing
from grammax.service.snapshot.snapshot import Snapshot
from grammax.service.worker import Worker

_EXAMINED: Final = 4  # completions that say whether a word is unfinished
_LETTERS: Final = 3  # that take as long as a token
_CANDIDATES: Final = 2  # completions examined, times as many as are asked for
_BATCH: Final = 4  # queries parsed in some milliseconds
_WORD: Final = 2  # tokens that take as long as a word of a query
_EXPLAINED: Final = 4 * _WORD
_BEAM: Final = 100 * _WORD  # it always has a thread
_CHECKING_SECONDS: Final = 0.1  # for the completions of one query


async def parse(
    worker: Worker, context: RequestContext, asked: parsing.ParseRequest
) -> parsing.Parse:
    """Parse a query: its logical form is always grammatical and well typed."""
    record_query(context, asked.query, worker.limits)
    snapshot = worker.snapshot
    parsed, parse = await _recorded(worker, context, snapshot, asked.query, asked.best)
    return _typed(parsed, parse, snapshot) if asked.typing and worker.is_warm else parse


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
        await worker.turns.turn(CLIENT.get())  # others have theirs between two queries
        if context.seconds > limits.seconds:
            raise timed_out(limits.seconds)
        try:
            words = check_query(query, limits)
        except RequestRefused as refused:
            results.append(base.Error(refused.detail(context.id)))
            continue
        context.words = (context.words or 0) + words
        _, parse = await _parsed(worker, snapshot, query, words)
        results.append(parse)
    return parsing.Batch(results)


async def ask(
    worker: Worker, context: RequestContext, asked: answering.AskRequest
) -> answering.Asked:
    """Parse a query and answer it; there is no answer if the parser abstains."""
    record_query(context, asked.query, worker.limits)
    snapshot = worker.snapshot
    if not snapshot.has_store:
        raise no_store(snapshot.domain.name)
    parsed, parse = await _recorded(worker, context, snapshot, asked.query, asked.best)
    if asked.typing and worker.is_warm:
        parse = _typed(parsed, parse, snapshot)
    if parsed.abstains and not asked.force:
        return answering.Asked(parse, None, None)
    try:
        check_fields(parsed.tokens, snapshot.domain.vocabulary, worker.limits)
    except RequestRefused as refused:
        return answering.Asked(parse, None, refused.detail(context.id))
    try:
        snapshot.domain.require_meaning(parsed.tokens)
        view = view_of(asked, asked.offset)
        answer = await worker.answer(
            snapshot,
            parsed.tokens,
            asked.rows,
            view,
            lambda found: answer_response(found, asked.offset),
        )
    except RequestRefused:
        raise
    except NoSuchColumn as error:
        raise bad_sort(error) from error
    except GrammaxError as error:
        return answering.Asked(parse, None, bad_form(error).detail(context.id))
    return answering.Asked(parse, answer, None)


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
    parsed, parse = await _recorded(worker, context, snapshot, asked.query, 1)

    def explained() -> parsing.Explained:
        seconds = snapshot.parser.step_seconds(asked.query)
        steps, path = explain_steps(parsed, seconds, snapshot)
        return parsing.Explained(parse, steps, path)

    return await worker.compute(explained, _EXPLAINED * (context.words or 0))


async def _recorded(
    worker: Worker, context: RequestContext, snapshot: Snapshot, query: str, best: int
) -> tuple[Parsed, parsing.Parse]:
    """A parse, and its response; the audit file has its logical form."""
    parsed, response = await _parsed(worker, snapshot, query, context.words or 0, best)
    context.details |= {"lf": parsed.lf, "version": parsed.version}
    return parsed, response


async def _parsed(
    worker: Worker, snapshot: Snapshot, query: str, words: int, best: int = 1
) -> tuple[Parsed, parsing.Parse]:
    """A parse, and its response. Beam search takes ten times as long as greedy search."""

    def parsed() -> tuple[Parsed, parsing.Parse]:
        greedy = snapshot.parser.parse
        found = greedy(query, offer=False) if best == 1 else snapshot.parser.parse(query, best)
        return found, parse_response(found, snapshot)

    made, response = await worker.compute(parsed, words * (_WORD if best == 1 else _BEAM))
    worker.metrics.parsed(made)
    return made, response


def _typed(parsed: Parsed, parse: parsing.Parse, snapshot: Snapshot) -> parsing.Parse:
    """A parse that says whether the last word is the beginning of something else.

    It is likely so if the likeliest completion changes what the query means: "mar" names Morocco,
    too, but more often it begins "margin"; "bank" is a name already. A number is finished.
    """
    query = parsed.text
    if not query.strip() or query[-1].isspace() or query[-1].isdigit():
        return parse
    completions = snapshot.completions(query, _EXAMINED)
    going_on = [each for each in completions if each.token or not each.added[:1].isspace()]
    if not going_on:
        return parse
    first = going_on[0]
    is_likely = first.likely and first.token not in parsed.tokens
    return structs.replace(parse, unfinished="likely" if is_likely else "possible")


async def _complete_query(
    worker: Worker, snapshot: Snapshot, text: str, limit: int
) -> list[Completion]:
    """Completions of a query; names that its parse would not contain come last.

    Long queries take long to parse; after a while the other names are left where they are.
    """
    found = await worker.compute(
        lambda: snapshot.completions(text, _CANDIDATES * limit), len(text) // _LETTERS
    )
    found = [each for each in found if len(split(each.text)) <= worker.limits.words]
    named = [each for each in found if each.token is not None]
    missed: set[Completion] = set()
    end = monotonic() + _CHECKING_SECONDS
    for start in range(0, len(named), _BATCH):
        batch = named[start : start + _BATCH]
        missed |= await worker.in_thread(partial(_missed, snapshot, batch), worker.parsing)
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
