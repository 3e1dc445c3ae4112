"""Parses, chips and answers as JSON: what `response_schemas` describes, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import to_json

from grammax.language.answer import Answer
from grammax.language.domain import Tokens
from grammax.parser import Parsed
from grammax.service.serving import Serving
from grammax.service.spoken import Spoken

Json = dict[str, Any]


def encoded(value: Any) -> bytes:
    """As UTF-8; what is no number is null."""
    return to_json(value, inf_nan_mode="null")


def parse_json(parsed: Parsed, serving: Serving) -> Json:
    """A parse with what it means in English."""
    domain = serving.domain
    meaning = domain.paraphrase(parsed.tokens)
    return {
        "query": parsed.text,
        "lf": parsed.lf,
        "paraphrase": meaning,
        "tokens": parsed.tokens,
        "chips": chips_json(parsed.tokens, serving),
        "confidence": parsed.confidence,
        "abstains": parsed.abstains,
        "why": parsed.why,
        "words": parsed.words,
        "typos": [{"place": place, "typed": typed} for place, typed in parsed.typos],
        "uncovered": parsed.uncovered,
        "sources": parsed.sources,
        "permitted": parsed.permitted,
        "scored": parsed.scored,
        "alternatives": _alternatives(parsed, meaning, domain),
        "seconds": parsed.seconds._asdict(),
        "version": parsed.version,
    }


def chips_json(tokens: Tokens, serving: Serving) -> list[Json]:
    """Each token of a logical form."""
    changeable = serving.places.changeable(tokens)
    return [
        {
            "place": place,
            "token": token,
            "label": label,
            "kind": kind,
            "role": role,
            "editable": role != "bracket" and changeable[place],
            "depth": depth,
        }
        for place, (token, label, kind, role, depth) in enumerate(serving.domain.chips(tokens))
    ]


def answer_json(table: Answer) -> Json:
    """An answer."""
    return {
        "columns": [column._asdict() for column in table.columns],
        "rows": table.rows,
        "total": table.total,
        "more": table.more,
        "synthetic": any(column.synthetic for column in table.columns),
        "seconds": table.seconds,
    }


def _alternatives(parsed: Parsed, meaning: str, domain: Spoken) -> Sequence[Json]:
    """The best ones, if there are several."""
    if len(parsed.best) < 2:
        return ()
    return [
        {
            "lf": one.lf,
            "paraphrase": domain.paraphrase(one.tokens) if place else meaning,
            "tokens": one.tokens,
            "probability": one.probability,
        }
        for place, one in enumerate(parsed.best)
    ]
