"""What the full softmax, which knows no grammar, thinks of sentences that a search found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grammax.head.protocol import Head, Options
from grammax.search.protocol import BatchDecoder, D, Query, Vector
from grammax.search.result import Decoded
from grammax.vocabulary import Vocabulary


def with_full_log_probabilities(
    decoder: BatchDecoder[Query, D, Vector],
    every_row: Head[Vector],
    vocabulary: Vocabulary,
    queries: Sequence[Query],
    found: Sequence[Sequence[Decoded]],
    decisions_only: bool = False,
) -> list[list[Decoded]]:
    """The sentences of each query with `full_log_probability`, all rows multiplied at each step.

    Forced tokens count, as no grammar forces them here, and so does the end if it has a row; with
    `decisions_only` neither does.
    """
    end = every_row.end
    everything = Options(vocabulary.permitted(range(len(vocabulary.kinds))), end is not None)
    flat = [sentence for sentences in found for sentence in sentences]
    members = [query for query, sentences in enumerate(found) for _ in sentences]
    targets = [_targets(sentence, end, decisions_only) for sentence in flat]
    read = [sentence.runs(decisions_only) for sentence in flat]
    totals = [0.0] * len(flat)
    states = decoder.start(queries)
    open_ = [number for number, steps in enumerate(targets) if steps]
    place = 0
    while open_:
        hidden = decoder.hidden(states, members)
        for group in every_row.scores_of(hidden, [everything] * len(open_)):
            numbers = [open_[member] for member in group.members]
            logs = group.log_probabilities([targets[number][place] for number in numbers])
            for number, log in zip(numbers, logs, strict=True):
                totals[number] += log
        place += 1
        going = [row for row, number in enumerate(open_) if place < len(targets[number])]
        runs = [read[open_[row]][place - 1] for row in going]
        if going:
            states = decoder.step(states, [members[row] for row in going], runs)
        open_ = [open_[row] for row in going]
        members = list(range(len(open_)))
    numbered = iter(totals)
    return [[replace(s, full_log_probability=next(numbered)) for s in group] for group in found]


def _targets(sentence: Decoded, end: int | None, decisions_only: bool) -> list[int]:
    """What the model had to predict, in order."""
    if not decisions_only:
        return [*sentence.ids, *([] if end is None else [end])]
    chosen = [token for token, rows in zip(sentence.ids, sentence.scored, strict=False) if rows]
    return [*chosen, *([] if end is None or sentence.ending == "forced" else [end])]
