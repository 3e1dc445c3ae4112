"""Convert parses, chips and answers to response structs."""

from __future__ import annotations

from grammax.language.answer import Answer, Sort, View
from grammax.language.domain import Tokens
from grammax.parser import Parsed
from grammax.service.schemas import answering, parsing
from grammax.service.snapshot.snapshot import Snapshot


def parse_response(parsed: Parsed, snapshot: Snapshot) -> parsing.Parse:
    """A parse with its meaning in English."""
    paraphrase = snapshot.domain.paraphrase(parsed.tokens)
    return parsing.Parse(
        query=parsed.text,
        lf=parsed.lf,
        paraphrase=paraphrase,
        tokens=parsed.tokens,
        chips=chips(parsed.tokens, snapshot),
        confidence=parsed.confidence,
        abstains=parsed.abstains,
        why=parsed.why,
        words=parsed.words,
        typos=[parsing.Typo(*typo) for typo in parsed.typos],
        uncovered=parsed.uncovered,
        notices=parsed.notices,
        sources=parsed.sources,
        permitted=parsed.permitted,
        scored=parsed.scored,
        alternatives=_alternatives(parsed, paraphrase, snapshot),
        seconds=parsing.Seconds(*parsed.seconds),
        version=parsed.version,
    )


def chips(tokens: Tokens, snapshot: Snapshot) -> list[parsing.Chip]:
    """Each token of a logical form, for display."""
    editable = snapshot.slots.editable(tokens)
    return [
        parsing.Chip(index, token, label, kind, role, role != "bracket" and editable[index], depth)
        for index, (token, label, kind, role, depth) in enumerate(snapshot.domain.chips(tokens))
    ]


def view_of(
    asked: answering.AskRequest | answering.RunRequest | answering.ExportRequest, offset: int = 0
) -> View:
    """The part of an answer that a request asks for."""
    sort = None if asked.sort is None else Sort(asked.sort.column, asked.sort.descending)
    return View(offset, sort, asked.defaults)


def answer_response(answer: Answer, offset: int = 0) -> answering.Answer:
    """An answer as a table."""
    return answering.Answer(
        columns=[answering.Column(**column._asdict()) for column in answer.columns],
        rows=answer.rows,
        total=answer.total,
        offset=offset,
        more=answer.more,
        synthetic=answer.synthetic,
        seconds=answer.seconds,
        notes=answer.notes,
        summary=answer.summary,
        diagnosis=[answering.Without(*each) for each in answer.diagnosis],
        key=answer.key,
    )


def _alternatives(parsed: Parsed, paraphrase: str, snapshot: Snapshot) -> list[parsing.Alternative]:
    """The best logical forms, if there are several."""
    if len(parsed.best) < 2:
        return []
    return [
        parsing.Alternative(
            one.lf,
            snapshot.domain.paraphrase(one.tokens) if index else paraphrase,
            one.tokens,
            one.probability,
        )
        for index, one in enumerate(parsed.best)
    ]
