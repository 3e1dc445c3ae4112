"""Statistics of a corpus: lengths, constructs, unseen tokens, numbers of permitted tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Any, Final, final

from grammax.automaton import BoundAutomaton
from grammax.automaton.walk import walk
from grammax.errors import TokenNotPermitted
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.corpus.corpus import Corpus, CorpusPair, role, skeleton

CONSTRUCTS: Final = (
    *("AND", "OR", "NOT", "display", "ASC", "DESC", "top", "bottom", "EQ", "LS", "LE", "GR"),
    *("GE", "PCT", "BPS", "THOUSAND", "MILLION", "BILLION", "TRILLION", "LAST", "FY"),
    *("count", "sum", "average", "median", "min", "max", "by", "ratio", "change"),
)
"""Tokens whose share of the pairs is counted, beside units, times and comparisons of fields."""

_COUNTLESS: Final = re.compile(r"\((top|bottom) [F(]")


@final
@dataclass(frozen=True, slots=True)
class Lengths:
    """Statistics of the lengths of sequences."""

    mean: float
    p50: int
    p90: int
    max: int

    @classmethod
    def measure(cls, lengths: Iterable[int]) -> Lengths:
        """The statistics of one or more lengths.

        >>> Lengths.measure([1, 2, 3, 10])
        Lengths(mean=4.0, p50=2, p90=10, max=10)
        """
        ordered = sorted(lengths)
        last = len(ordered) - 1
        return cls(fmean(ordered), ordered[last // 2], ordered[-(-last * 9 // 10)], ordered[-1])


@final
@dataclass(frozen=True, slots=True)
class SplitStatistics:
    """One split; shares are of its pairs, except `unseen_tokens`, which is of its names."""

    name: str
    pairs: int
    query_words: Lengths
    lf_tokens: Lengths
    constructs: dict[str, float]
    unseen_tokens: float
    pairs_with_unseen_fields: float
    pairs_with_unseen_values: float
    unseen_skeletons: float


@final
@dataclass(frozen=True, slots=True)
class GrammarStatistics:
    """The tokens that a grammar permits per step, over the logical forms that it covers."""

    name: str
    covered: int
    steps: int
    mean_permitted: float


@final
@dataclass(frozen=True, slots=True)
class Statistics:
    """The result of `statistics`."""

    splits: tuple[SplitStatistics, ...]
    grammars: tuple[GrammarStatistics, ...]
    skeletons: int
    sample: tuple[CorpusPair, ...]


def statistics(
    corpus: Corpus,
    catalogue: Catalogue,
    automata: Mapping[str, BoundAutomaton[Any]],
    sample: int = 15,
) -> Statistics:
    """The statistics of a catalogue's corpus; `automata` are measured on its test split."""
    splits = tuple(
        _split(name, pairs, corpus, catalogue) for name, pairs in corpus.splits.items() if pairs
    )
    permitted = [
        permitted_tokens(name, automaton, corpus.test) for name, automaton in automata.items()
    ]
    shown = Random(corpus.seed).sample(corpus.train, min(sample, len(corpus.train)))
    return Statistics(splits, tuple(permitted), len(corpus.skeletons), tuple(shown))


def permitted_tokens(
    name: str, automaton: BoundAutomaton[Any], pairs: Sequence[CorpusPair]
) -> GrammarStatistics:
    """The average number of tokens permitted at a step, over the pairs that it covers."""
    covered = steps = permitted = 0
    for pair in pairs:
        sizes = _sizes(automaton, pair.tokens)
        if sizes is not None:
            covered += 1
            steps += len(sizes)
            permitted += sum(sizes)
    return GrammarStatistics(name, covered, steps, permitted / max(steps, 1))


def _sizes(automaton: BoundAutomaton[Any], tokens: Sequence[str]) -> list[int] | None:
    """The number of permitted tokens at each step, or None if the grammar refuses the tokens."""
    try:
        *steps, last = walk(automaton, tokens)
    except TokenNotPermitted:
        return None
    return [step.permitted.size for step in steps] if automaton.accepts(last.state) else None


def _split(
    name: str, pairs: Sequence[CorpusPair], corpus: Corpus, catalogue: Catalogue
) -> SplitStatistics:
    names = [[(t, role(t, catalogue)) for t in pair.tokens] for pair in pairs]
    names = [[(token, what) for token, what in some if what != "word"] for some in names]
    novel = [[what for token, what in some if token not in corpus.seen] for some in names]
    return SplitStatistics(
        name,
        len(pairs),
        Lengths.measure(len(pair.query.split()) for pair in pairs),
        Lengths.measure(len(pair.tokens) for pair in pairs),
        _constructs(pairs, catalogue),
        sum(map(len, novel)) / sum(map(len, names)),
        fmean("field" in some for some in novel),
        fmean("value" in some for some in novel),
        fmean(skeleton(pair.lf) not in corpus.skeletons for pair in pairs),
    )


def _constructs(pairs: Sequence[CorpusPair], catalogue: Catalogue) -> dict[str, float]:
    """The share of pairs that have each construct."""
    shares = {word: fmean(word in pair.tokens for pair in pairs) for word in CONSTRUCTS}
    shares["unit"] = fmean(any(t in catalogue.units for t in pair.tokens) for pair in pairs)
    shares["time"] = fmean("F@" in skeleton(pair.lf) for pair in pairs)
    shares["rank without a count"] = fmean(
        bool(_COUNTLESS.search(skeleton(pair.lf))) for pair in pairs
    )
    shares["zero"] = fmean(" 0)" in str(pair.lf) for pair in pairs)
    shares["field against field"] = fmean("OP F" in skeleton(pair.lf) for pair in pairs)
    return shares
