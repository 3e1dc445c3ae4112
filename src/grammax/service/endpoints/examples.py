"""Example bodies for the OpenAPI document, made from the sample queries of the domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grammax.language.answer import View
from grammax.language.domain import Tokens
from grammax.service.snapshot.snapshot import Snapshot


def request_examples(snapshot: Snapshot) -> Mapping[str, Mapping[str, Any]]:
    """Bodies by the name of the request's struct; empty if the domain has no samples."""
    samples = snapshot.parser.samples
    if not samples:
        return {}
    query = samples[0]
    parsed = snapshot.parser.parse(query, offer=False)
    examples: dict[str, Mapping[str, Any]] = {
        "ParseRequest": {"query": query},
        "BatchRequest": {"queries": list(samples[:2])},
        "AskRequest": {"query": query, "rows": 5},
        "RunRequest": {"lf": parsed.lf, "rows": 5},
        "ExportRequest": {"lf": parsed.lf, "format": "csv"},
        "NextRequest": {"tokens": list(parsed.tokens[: len(parsed.tokens) // 2]), "limit": 5},
        "EditRequest": {"tokens": list(parsed.tokens), "text": f"now {samples[-1]}"},
        "CompleteRequest": {"text": query[: 3 * len(query) // 4], "limit": 5},
        "ExplainRequest": {"query": query},
        "CorrectionRequest": {"query": query, "lf": parsed.lf},
        "TeachRequest": {"word": "item"},
    }
    examples |= _of_rows(snapshot, parsed.tokens)
    if snapshot.changes is not None:
        value = {"name": "Somewhere", "kind": _growable_kind(snapshot), "aliases": ["some place"]}
        examples["AddRequest"] = {"values": [value]}
    return examples


def _of_rows(snapshot: Snapshot, tokens: Tokens) -> Mapping[str, Mapping[str, Any]]:
    """A row, and a column of numbers, of the sample's answer, where it takes a millisecond."""
    store = snapshot.answers
    if store is None or not store.instant:
        return {}
    answer = store.answer(tokens, 1, view=View(defaults=True))
    found: dict[str, Mapping[str, Any]] = {}
    if answer.key is not None and answer.rows:
        found["RowRequest"] = {"key": str(answer.rows[0][answer.key]), "limit": 3}
    for index, column in enumerate(answer.columns):
        if column.type not in ("text", "date"):
            found["DistributionRequest"] = {"tokens": list(tokens), "column": index}
            break
    return found


def _growable_kind(snapshot: Snapshot) -> str:
    """The kind with the most tokens: a kind of values, to which one more can be added."""
    vocabulary = snapshot.domain.vocabulary
    return max(vocabulary.kinds, key=lambda kind: len(vocabulary.tokens_of(kind)))
