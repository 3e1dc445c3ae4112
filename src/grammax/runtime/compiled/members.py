"""Sentences in progress, in compiled code: their candidates, and what a chosen token changes.

A member of a batch is one sentence in progress. Its numbers are in a row of `Members.registers`.
Every function either completes its change of a member or leaves it as it was, so that a search that
lacked a state of the automaton can simply be called again.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammax.runtime.compiled.compile import compiled
from grammax.runtime.compiled.grounding import is_alive
from grammax.runtime.compiled.inputs import NameArrays
from grammax.runtime.compiled.network import NetworkArrays, score
from grammax.runtime.grounding import GROUNDED, NAMED, GroundingArrays
from grammax.runtime.lstm import Array
from grammax.runtime.states import NOT_PERMITTED, UNKNOWN, AutomatonArrays
from grammax.vocabulary import Ids

# Registers of a member.
QUERY: Final = 0  # the query that it is for
STATE: Final = 1  # of the automaton
LEFT: Final = 2  # tokens left of the budget
COUNT: Final = 3  # tokens so far
READ: Final = 4  # tokens that the decoder has read, or never reads
CHOICES: Final = 5  # choices so far
ENDING: Final = 6
SPANS: Final = 7  # spans of candidates
SIZE: Final = 8  # candidates
MAY_END: Final = 9  # whether the end is a candidate, too
SCORED: Final = 10  # entries of `scored`
REGISTERS: Final = 11

# Endings.
OPEN: Final = 0
FORCED: Final = 1
CHOSEN: Final = 2
BUDGET: Final = 3

# What a search returns.
FINISHED: Final = 0
PAUSED: Final = 1  # after encoding, or after a choice, if that was asked for
NO_MOVE: Final = 2  # the automaton's table lacks a move
NO_INPUT: Final = 3  # the table of inputs lacks a token
NO_SCORE: Final = 4  # no candidate has a finite score
NO_END: Final = 5  # the sentence may end, and the output layer has no row for the end
CONTINUE: Final = 6


class QueryArrays(NamedTuple):
    """What the searches need to know of a batch of queries, beside their words."""

    mode: int  # `WHOLE`, `NAMED` or `GROUNDED`
    rows: Ids  # available rows, in ascending order for each query
    rows_first: Ids  # (queries + 1)
    names: NameArrays


class Members(NamedTuple):
    """The sentences in progress of a batch; l is the length of the longest query."""

    registers: Ids  # (members, REGISTERS)
    ids: Ids  # (members, budget + 1)
    permitted: Ids  # (members, budget + 1): for each token, and for the end if it was scored
    scored: Ids  # (members, budget + 1): rows multiplied; 0 for forced tokens
    log_probability: NDArray[np.float64]  # (members)
    cells: Array  # (members, 2e)
    outputs: Array  # (members, 2e)
    mask: Array  # (members, l): 1 where a name is covered
    covered: NDArray[np.bool_]  # (members, names)
    spans: Any  # (members, m, 2): candidates
    dead: NDArray[np.bool_]  # (queries, symbols)
    alive: NDArray[np.int8]  # (queries, LR states)
    missing: Ids  # (2): what the arrays lack, a state and a kind, or a token


@compiled
def settle(
    member: int,
    automaton: AutomatonArrays,
    grounding: GroundingArrays,
    net: NetworkArrays,
    queries: QueryArrays,
    members: Members,
) -> int:
    """Take the tokens that are forced, up to the next choice or the end of the sentence."""
    registers, spans = members.registers[member], members.spans[member]
    while True:
        state = registers[STATE]
        status, decided = _find_candidates(
            registers, spans, automaton, grounding, net, queries, members
        )
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
        after = automaton.moves[state, net.kind_of[row]]
        if after == UNKNOWN:
            return lacks(members, state, net.kind_of[row])
        append(members, member, row, after, 1, 0)


@compiled
def _find_candidates(
    registers: Ids,
    spans: Any,
    automaton: AutomatonArrays,
    grounding: GroundingArrays,
    net: NetworkArrays,
    queries: QueryArrays,
    members: Members,
) -> tuple[int, bool]:
    """Fill `spans` with what may come next; also whether a single candidate is forced."""
    state, query = registers[STATE], registers[QUERY]
    moves, size, count = automaton.moves[state], 0, 0
    narrowed = automaton.size[state] > 1 and queries.mode == GROUNDED
    rows = queries.rows[queries.rows_first[query] : queries.rows_first[query + 1]]
    named = False
    if queries.mode == NAMED and automaton.size[state] > 1:
        for row in rows:
            named = named or moves[net.kind_of[row]] != NOT_PERMITTED
    if narrowed or named:
        for row in rows:
            kind = net.kind_of[row]
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
def choose(
    member: int,
    automaton: AutomatonArrays,
    net: NetworkArrays,
    members: Members,
    hidden: Array,
    end: int,
) -> int:
    """Score the candidates of a member, and take the best one that fits the budget."""
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
            status, best, top, ending = _best_that_fits(
                registers, spans, scores, automaton, net, members, end, top
            )
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
    registers: Ids,
    spans: Any,
    scores: Array,
    automaton: AutomatonArrays,
    net: NetworkArrays,
    members: Members,
    end: int,
    top: float,
) -> tuple[int, int, float, int]:
    """The best candidate after which the sentence can be completed within the budget.

    Also its score less the best one's, and the ending if it is the end.
    """
    state, left = registers[STATE], registers[LEFT] - 1
    best: Any = np.int64(-1)
    most: Any = np.float64(-np.inf)
    index, others = 0, False
    for number in range(registers[SPANS] + registers[MAY_END]):
        start, stop = spans[number, 0], spans[number, 1]
        fits = start == end
        if not fits:
            kind = net.kind_of[start]
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
