"""Sentences in progress, in compiled code: their candidates, and what a chosen token changes.

Every function either completes its change of a member or leaves it as it was, so that a search that
lacked a state of the automaton can simply be called again.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from grammax.runtime.compiled.arithmetic import ZERO
from grammax.runtime.compiled.batch import (
    BUDGET,
    CHOICES,
    CHOSEN,
    CONTINUE,
    COUNT,
    ENDING,
    FINISHED,
    FORCED,
    LEFT,
    MAY_END,
    NO_END,
    NO_MOVE,
    NO_SCORE,
    OPEN,
    QUERY,
    READ,
    REGISTERS,
    SCORED,
    SIZE,
    SPANS,
    STATE,
    Batch,
    Members,
    Model,
    QueryArrays,
)
from grammax.runtime.compiled.compile import compiled
from grammax.runtime.compiled.grounding import is_alive
from grammax.runtime.compiled.network import score
from grammax.runtime.grounding import GROUNDED, NAMED, GroundingArrays
from grammax.runtime.lstm import Array
from grammax.runtime.states import NOT_PERMITTED, UNKNOWN, AutomatonArrays


@compiled
def clear(members: Members, budget: int) -> None:
    """Forget what the arrays were used for before: sentences of which nothing is known."""
    for member in range(len(members.registers)):
        for register in range(REGISTERS):
            members.registers[member, register] = 0
        members.registers[member, LEFT] = budget
        members.log_probability[member] = 0
        for j in range(members.cells.shape[1]):
            members.cells[member, j] = ZERO
        for word in range(members.mask.shape[1]):
            members.mask[member, word] = ZERO
        for name in range(members.covered.shape[1]):
            members.covered[member, name] = False
    for query in range(len(members.dead)):
        members.registers[query, QUERY] = query
        for symbol in range(members.dead.shape[1]):
            members.dead[query, symbol] = False
        for state in range(members.alive.shape[1]):
            members.alive[query, state] = 0


@compiled
def settle(member: int, model: Model, batch: Batch) -> int:
    """Take the tokens that are forced, up to the next choice or the end of the sentence."""
    automaton, kind_of, members = model.automaton, model.net.kind_of, batch.members
    registers, spans = members.registers[member], members.spans[member]
    while True:
        state = registers[STATE]
        status, decided = _find_candidates(member, model, batch)
        if status != CONTINUE:
            return status
        if registers[SIZE] == 0:
            registers[ENDING] = FORCED
            return CONTINUE
        may_end = automaton.distance[state] == 0 and registers[COUNT] > 0
        registers[MAY_END] = np.int64(may_end)
        if registers[SIZE] > 1 or may_end or not decided:
            if registers[CHOICES] == 0 and registers[READ] < 0:
                registers[READ] = registers[COUNT]  # not read: forced before the first choice
            return CONTINUE
        row = spans[0, 0]
        after = automaton.moves[state, kind_of[row]]
        if after == UNKNOWN:
            return lacks(members, state, kind_of[row])
        append(members, member, row, after, 1, 0)


@compiled
def _find_candidates(member: int, model: Model, batch: Batch) -> tuple[int, bool]:
    """Find what may come next; also whether a single candidate is forced."""
    automaton, grounding, kind_of = model.automaton, model.grounding, model.net.kind_of
    queries, members = batch.queries, batch.members
    registers, spans = members.registers[member], members.spans[member]
    state, query = registers[STATE], registers[QUERY]
    moves, size, count = automaton.moves[state], 0, 0
    narrowed = automaton.size[state] > 1 and model.mode == GROUNDED
    rows = queries.rows[queries.rows_first[query] : queries.rows_first[query + 1]]
    named = False
    if model.mode == NAMED and automaton.size[state] > 1:
        for row in rows:
            named = named or moves[kind_of[row]] != NOT_PERMITTED
    if narrowed or named:
        for row in rows:
            kind = kind_of[row]
            if moves[kind] == NOT_PERMITTED:
                continue
            if narrowed:
                status = _can_be_completed(state, kind, query, automaton, grounding, members)
                if status == NO_MOVE:
                    return status, False
                if status == FINISHED:
                    continue
            spans[count, 0], spans[count, 1] = row, row + 1
            count += 1
        size = count
    for kind in range(len(moves)):
        if moves[kind] == NOT_PERMITTED or ((narrowed or named) and grounding.must[kind]):
            continue
        if narrowed:
            status = _can_be_completed(state, kind, query, automaton, grounding, members)
            if status == NO_MOVE:
                return status, False
            if status == FINISHED:
                continue
        for index in range(automaton.first[kind], automaton.first[kind + 1]):
            spans[count, 0], spans[count, 1] = automaton.spans[index, 0], automaton.spans[index, 1]
            size += spans[count, 1] - spans[count, 0]
            count += 1
    registers[SPANS], registers[SIZE] = count, size
    return CONTINUE, not named


@compiled
def _can_be_completed(
    state: int,
    kind: int,
    query: int,
    automaton: AutomatonArrays,
    grounding: GroundingArrays,
    members: Members,
) -> int:
    """`CONTINUE` if a rule can be completed after a kind, `FINISHED` if none can, or `NO_MOVE`."""
    after = automaton.moves[state, kind]
    if members.dead[query, kind]:
        return FINISHED
    if after == UNKNOWN:
        return lacks(members, state, kind)
    alive = is_alive(grounding, automaton.top[after], members.dead[query], members.alive[query])
    return CONTINUE if alive else FINISHED


@compiled
def choose(member: int, model: Model, members: Members, hidden: Array) -> int:
    """Score the candidates of a member, and take the best one that fits the budget."""
    automaton, net, end = model.automaton, model.net, model.end
    registers, spans = members.registers[member], members.spans[member]
    count, size = registers[SPANS], registers[SIZE] + registers[MAY_END]
    if registers[MAY_END]:
        if end < 0:
            return NO_END
        spans[count, 0], spans[count, 1] = end, end + 1
        count += 1
    scores = np.empty(size, np.float32)
    best, top, log_sum = score(net, hidden, spans, count, scores)
    if not isfinite(log_sum):
        members.missing[0] = size
        return NO_SCORE
    state, left = registers[STATE], registers[LEFT] - 1
    after: Any = np.int64(0)
    ending = CHOSEN
    if best != end:
        after = np.int64(automaton.moves[state, net.kind_of[best]])
        if after == UNKNOWN:
            return lacks(members, state, net.kind_of[best])
        if automaton.distance[after] > left:
            status, best, top, ending = _best_that_fits(member, model, members, scores, top)
            if status != CONTINUE:
                return status
            if best != end:
                after = np.int64(automaton.moves[state, net.kind_of[best]])
            log_sum -= top
    members.log_probability[member] -= log_sum
    registers[CHOICES] += 1
    if best == end:
        index = registers[SCORED]
        members.permitted[member, index] = registers[SIZE]
        members.scored[member, index] = size
        registers[SCORED] += 1
        registers[ENDING] = ending
        return CONTINUE
    append(members, member, best, after, registers[SIZE], size)
    return CONTINUE


@compiled
def _best_that_fits(
    member: int, model: Model, members: Members, scores: Array, top: float
) -> tuple[int, int, float, int]:
    """The best candidate after which the sentence can be completed within the budget.

    Also its score less the best one's, and the ending if it is the end.
    """
    automaton, registers, spans = model.automaton, members.registers[member], members.spans[member]
    state, left = registers[STATE], registers[LEFT] - 1
    best: Any = np.int64(-1)
    most: Any = np.float64(-np.inf)
    index, others = 0, False
    for number in range(registers[SPANS] + registers[MAY_END]):
        start, stop = spans[number, 0], spans[number, 1]
        fits = start == model.end
        if not fits:
            kind = model.net.kind_of[start]
            after = automaton.moves[state, kind]
            if after == UNKNOWN:
                return lacks(members, state, kind), best, most, OPEN
            fits = automaton.distance[after] <= left
            others = others or fits
        for row in range(start, stop):
            if fits and (scores[index] > most or (scores[index] == most and row < best)):
                best, most = row, np.float64(scores[index])
            index += 1
    if best < 0:
        members.missing[0] = registers[SIZE]
        return NO_SCORE, best, most, OPEN
    return CONTINUE, best, most - top, CHOSEN if others else BUDGET


@compiled
def append(
    members: Members, member: int, token: int, after: int, permitted: int, scored: int
) -> None:
    """Add a token to a sentence."""
    registers = members.registers[member]
    members.ids[member, registers[COUNT]] = token
    members.permitted[member, registers[SCORED]] = permitted
    members.scored[member, registers[SCORED]] = scored
    registers[COUNT] += 1
    registers[SCORED] += 1
    registers[LEFT] -= 1
    registers[STATE] = after


@compiled
def cover(member: int, queries: QueryArrays, members: Members, token: int) -> None:
    """Cover the first uncovered name of a token, as `coverage.covered_after` does."""
    query = members.registers[member, QUERY]
    names = queries.names
    begin = names.first[query]
    for name in range(begin, names.first[query + 1]):
        if members.covered[member, name - begin]:
            continue
        for index in range(names.ids_first[name], names.ids_first[name + 1]):
            if names.ids[index] == token:
                members.covered[member, name - begin] = True
                for word in range(names.words[name, 0], names.words[name, 1]):
                    members.mask[member, word] = np.float32(1)
                return


@compiled
def lacks(members: Members, state: int, kind: int) -> int:
    """Note that the automaton's table lacks a move."""
    members.missing[0], members.missing[1] = state, kind
    return NO_MOVE
