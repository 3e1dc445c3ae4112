"""Run a parser on the pairs of each split, and judge its predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from grammax.evaluation.outcome import Outcome, judge
from grammax.language.answer import Answers
from grammax.language.domain import Domain, Pair, Tokens

ParseBatch = Callable[[Sequence[str]], Sequence[Tokens]]
SplitProgress = Callable[[str, int], None]  # the current split, and how many more queries are done

_CHUNK: Final = 64  # queries per report of progress


def evaluate(
    domain: Domain,
    parse_batch: ParseBatch,
    splits: Mapping[str, Sequence[Pair]],
    *,
    denotation: bool = True,
    progress: SplitProgress = lambda *_: None,
) -> dict[str, list[Outcome]]:
    """The outcomes of each split, in the order of its pairs.

    With `denotation` the answers to logical forms are compared too, if the domain has a data store.
    """
    outcomes: dict[str, list[Outcome]] = {name: [] for name in splits}
    with _answers(domain, denotation) as answers:
        for name, pairs in splits.items():
            progress(name, 0)
            for start in range(0, len(pairs), _CHUNK):
                chunk = pairs[start : start + _CHUNK]
                predicted = parse_batch([pair.query for pair in chunk])
                for pair, tokens in zip(chunk, predicted, strict=True):
                    outcomes[name].append(judge(domain, pair, tokens, answers))
                progress(name, len(chunk))
    return outcomes


def _answers(domain: Domain, wanted: bool) -> AbstractContextManager[Answers | None]:
    store = domain.answers() if wanted else None
    return nullcontext() if store is None else store
