"""Beam search in compiled code, for one query: the search of `grammax.search.beam`.

Members are slots: those in the beam, those that extend them, and finished sentences. Each round
scores the candidates of all members that the decoder has read, extends the best, drops what does
not fit the beam, and reads one run.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammax.runtime.compiled.arithmetic import copy
from grammax.runtime.compiled.batch import (
    BUDGET,
    CHOSEN,
    CONTINUE,
    COUNT,
    ENDING,
    FINISHED,
    LEFT,
    MAY_END,
    NO_END,
    NO_INPUT,
    NO_SCORE,
    OPEN,
    READ,
    SCORED,
    SIZE,
    SPANS,
    STATE,
    UNREAD,
    Batch,
    Members,
    Model,
)
from grammax.runtime.compiled.compile import callable_from_python, compiled
from grammax.runtime.compiled.greedy import begin, hidden_vector, linear_parts, read_runs
from grammax.runtime.compiled.members import append, lacks, settle
from grammax.runtime.compiled.network import NetworkArrays, score
from grammax.runtime.lstm import Array
from grammax.runtime.states import UNKNOWN, AutomatonArrays
from grammax.vocabulary import Ids

# Stages of a round, at which a search that lacked something continues.
SCORING: Final = 0
SETTLING: Final = 1
READING: Final = 2


class BeamArrays(NamedTuple):
    """A beam of some width w, over slots of `Members`."""

    counts: Ids  # (5): stage, members in the beam, extensions, those settled, finished sentences
    live: Ids  # (2w): the slots in the beam, best first; while settling, the extensions follow
    finished: Ids  # (2w): the slots of finished sentences, best first
    used: NDArray[np.bool_]  # (slots)
    source: Ids  # (w): the slot that each extension extends
    token: Ids  # (w): its token
    ending: Ids  # (w): how it ends the sentence, if it does
    loss: NDArray[np.float64]  # (w): minus the log-probability of the token


@callable_from_python
def beam(model: Model, batch: Batch, beams: BeamArrays) -> int:
    """Search until the beam is empty, or something is missing.

    Before the first call `READ` of member 0, which is the beam, is `UNREAD`.
    """
    counts, members = beams.counts, batch.members
    if members.registers[0, READ] == UNREAD:
        begin(model, batch)
        counts[0], counts[1], counts[2], counts[3], counts[4] = SETTLING, 0, 1, 0, 0
        for slot in range(len(beams.used)):
            beams.used[slot] = slot == 0
        beams.live[0] = 0
    while True:
        if counts[0] == SCORING:
            status = _score_all(model, batch, beams)
            if status != CONTINUE:
                return status
            _extend_all(model.net, model.automaton, members, beams)
            counts[0] = SETTLING
        if counts[0] == SETTLING:
            while counts[3] < counts[2]:
                slot = beams.live[counts[1] + counts[3]]
                if members.registers[slot, ENDING] == OPEN:
                    status = settle(slot, model, batch)
                    if status != CONTINUE:
                        return status
                counts[3] += 1
            _prune(members, beams)
            counts[0], counts[2], counts[3] = READING, 0, 0
        if not counts[1]:
            return FINISHED
        status = read_runs(beams.live[: counts[1]], model, batch)
        if status == NO_INPUT:
            return status
        counts[0] = SCORING


@compiled
def _score_all(model: Model, batch: Batch, beams: BeamArrays) -> int:
    """Find the best extensions of all members that the decoder has read."""
    words, members = batch.words, batch.members
    width, count = len(beams.token), 0
    ready, hidden = np.empty(width, np.int64), np.empty(words.values.shape[1], np.float32)
    weights = np.empty(len(words.keys), np.float32)
    for index in range(beams.counts[1]):
        slot = beams.live[index]
        if members.registers[slot, READ] == members.registers[slot, COUNT]:
            ready[count] = slot
            count += 1
    beams.counts[2] = 0
    if not count:
        return CONTINUE
    linear = linear_parts(ready[:count], model.net, members)
    for number in range(count):
        slot = ready[number]
        hidden_vector(slot, linear[number], words, members, hidden, weights)
        status = _score_one(slot, model, members, hidden, beams)
        if status != CONTINUE:
            return status
    return CONTINUE


@compiled
def _score_one(slot: int, model: Model, members: Members, hidden: Array, beams: BeamArrays) -> int:
    """Let the best candidates of a member that fit the budget compete for the extensions."""
    automaton, net, end = model.automaton, model.net, model.end
    registers, spans = members.registers[slot], members.spans[slot]
    count, state, left = registers[SPANS], registers[STATE], registers[LEFT] - 1
    if registers[MAY_END]:
        if end < 0:
            return NO_END
        spans[count, 0], spans[count, 1] = end, end + 1
        count += 1
    scores = np.empty(registers[SIZE] + registers[MAY_END], np.float32)
    _, top, log_sum = score(net, hidden, spans, count, scores)
    if not isfinite(log_sum):
        members.missing[0] = len(scores)
        return NO_SCORE
    better = 0  # candidates with a better score than the end, which is the last one
    for each in range(registers[SIZE]):
        better += scores[each] >= scores[len(scores) - 1]
    others, index = False, 0
    for number in range(count):  # rows that do not fit the budget do not compete
        start, stop = spans[number, 0], spans[number, 1]
        if start != end:
            kind = net.kind_of[start]
            after = automaton.moves[state, kind]
            if after == UNKNOWN:
                return lacks(members, state, kind)
            if automaton.distance[after] > left:
                for each in range(index, index + stop - start):
                    scores[each] = np.float32(-np.inf)
            else:
                others = True
        index += stop - start
    before = members.log_probability[slot]
    found = False
    for _ in range(min(len(beams.token), len(scores))):
        row, best = _take_best(spans, count, scores)
        if not isfinite(best):
            break
        found = True
        by_budget = not others and better >= len(beams.token)
        ending = OPEN if row != end else BUDGET if by_budget else CHOSEN
        _compete(slot, row, ending, top + log_sum - best, before, members, beams)
    if not found:
        members.missing[0] = registers[SIZE]
        return NO_SCORE
    return CONTINUE


@compiled
def _take_best(spans: Any, count: int, scores: Array) -> tuple[int, float]:
    """The row with the best score, which is then taken out of the competition."""
    index, best, at = 0, np.float32(-np.inf), 0
    row: Any = np.int64(-1)
    for number in range(count):
        for each in range(spans[number, 0], spans[number, 1]):
            if scores[index] > best or (scores[index] == best and row >= 0 and each < row):
                best, row, at = scores[index], each, index
            index += 1
    if row >= 0:
        scores[at] = np.float32(-np.inf)
    return row, float(best)


@compiled
def _compete(
    slot: int,
    row: int,
    ending: int,
    loss: float,
    before: float,
    members: Members,
    beams: BeamArrays,
) -> None:
    """Insert an extension among the best, which are in order."""
    width, at = len(beams.token), beams.counts[2]
    total = before - loss
    while at > 0 and members.log_probability[beams.source[at - 1]] - beams.loss[at - 1] < total:
        at -= 1
    if at == width:
        return
    beams.counts[2] = min(width, beams.counts[2] + 1)
    for later in range(beams.counts[2] - 1, at, -1):
        beams.source[later], beams.token[later] = beams.source[later - 1], beams.token[later - 1]
        beams.ending[later], beams.loss[later] = beams.ending[later - 1], beams.loss[later - 1]
    beams.source[at], beams.token[at], beams.ending[at], beams.loss[at] = slot, row, ending, loss


@compiled
def _extend_all(
    net: NetworkArrays, automaton: AutomatonArrays, members: Members, beams: BeamArrays
) -> None:
    """Copy each extended member to a slot of its own; members that are being read stay."""
    counts, slot = beams.counts, 0
    made = np.empty(counts[2], np.int64)
    for number in range(counts[2]):
        while beams.used[slot]:
            slot += 1
        beams.used[slot] = True
        made[number] = slot
        _copy_member(members, beams.source[number], slot)
        registers, token = members.registers[slot], beams.token[number]
        size = registers[SIZE] + registers[MAY_END]
        members.log_probability[slot] -= beams.loss[number]
        if beams.ending[number] != OPEN:
            members.permitted[slot, registers[SCORED]] = registers[SIZE]
            members.scored[slot, registers[SCORED]] = size
            registers[SCORED] += 1
            registers[ENDING] = beams.ending[number]
        else:
            after = automaton.moves[registers[STATE], net.kind_of[token]]
            append(members, slot, token, after, registers[SIZE], size)
    waiting = 0
    for index in range(counts[1]):
        slot = beams.live[index]
        if members.registers[slot, READ] == members.registers[slot, COUNT]:
            beams.used[slot] = False  # extended, or without a future
        else:
            beams.live[waiting] = slot
            waiting += 1
    counts[1] = waiting
    copy(beams.live[waiting:], made)


@compiled
def _copy_member(members: Members, source: int, slot: int) -> None:
    copy(members.registers[slot], members.registers[source])
    copy(members.ids[slot], members.ids[source])
    copy(members.permitted[slot], members.permitted[source])
    copy(members.scored[slot], members.scored[source])
    members.log_probability[slot] = members.log_probability[source]
    copy(members.cells[slot], members.cells[source])
    copy(members.outputs[slot], members.outputs[source])
    copy(members.mask[slot], members.mask[source])
    copy(members.covered[slot], members.covered[source])


@compiled
def _prune(members: Members, beams: BeamArrays) -> None:
    """Keep the best `width` of the beam; finished sentences go to `finished`, best first."""
    counts, width = beams.counts, len(beams.token)
    total = counts[1] + counts[2]
    slots = np.empty(total, np.int64)
    copy(slots, beams.live[:total])
    _sort(slots, members)
    for rank in range(total):
        slot = slots[rank]
        if rank >= width:
            beams.used[slot] = False
        elif members.registers[slot, ENDING] != OPEN:
            beams.finished[counts[4]] = slot
            counts[4] += 1
    _sort(beams.finished[: counts[4]], members)
    for rank in range(width, counts[4]):
        beams.used[beams.finished[rank]] = False
    counts[4] = min(width, counts[4])
    worst = -np.inf
    if counts[4] == width:
        worst = members.log_probability[beams.finished[width - 1]]
    counts[1] = 0
    for rank in range(min(width, total)):
        slot = slots[rank]
        if members.registers[slot, ENDING] != OPEN:
            continue
        if members.log_probability[slot] > worst:
            beams.live[counts[1]] = slot
            counts[1] += 1
        else:
            beams.used[slot] = False


@compiled
def _sort(slots: Ids, members: Members) -> None:
    """Sort slots by log-probability, the largest first; equal ones keep their order."""
    for index in range(1, len(slots)):
        slot, at = slots[index], index
        score = members.log_probability[slot]
        while at > 0 and members.log_probability[slots[at - 1]] < score:
            slots[at] = slots[at - 1]
            at -= 1
        slots[at] = slot
