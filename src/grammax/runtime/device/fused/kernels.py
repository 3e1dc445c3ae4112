"""The steps of a round as Triton kernels: one program per sentence, nothing for those that ended.

They compute what `Members`, `Rules` and `DeviceNetwork` compute with some 110 operations. The large
products between them are left to PyTorch, see `fused`. Sums are taken in another order, so scores
differ in their last bits; tokens do not.
"""

from __future__ import annotations

import triton
import triton.language as tl

_FEW = tl.constexpr(8)  # words or rows that are multiplied at a time
_CHOSEN = tl.constexpr(2)  # as in `members`
_LACKS = tl.constexpr(4)
_MAY_END = tl.constexpr(1 << 28)
_SCORED_ALONE = tl.constexpr(1 << 29)
_SITUATION = tl.constexpr(32)  # bits of a token in a record


@triton.jit
def encoder_step(
    gates, projected, bias, lengths, places, cell, output, outputs, time, n,
    E: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """One word of one side of a query: gates, (2, n, 4e), less those of the word itself.

    The second side reads each query from its end. `projected`, (t, 2, 4e), has the words of all
    queries, from `places` on; `outputs`, (t, 2e), takes what each side says of a word.
    """
    query, side = tl.program_id(0), tl.program_id(1)
    length = tl.load(lengths + query)
    if time < length:
        place = tl.load(places + query) + tl.where(side == 0, time, length - 1 - time)
        at = tl.arange(0, BLOCK)
        here = at < E
        own = gates + (side * n + query).to(tl.int64) * (4 * E) + at
        word = projected + (place * 2 + side) * (4 * E) + at
        every = bias + side * (4 * E) + at
        enters = _added(own, word, here) + tl.load(every, here, 0.0)
        keeps = _added(own + E, word + E, here) + tl.load(every + E, here, 0.0)
        fresh = _added(own + 2 * E, word + 2 * E, here) + tl.load(every + 2 * E, here, 0.0)
        shown = _added(own + 3 * E, word + 3 * E, here) + tl.load(every + 3 * E, here, 0.0)
        state = (side * n + query) * E + at
        after = tl.sigmoid(keeps) * tl.load(cell + state, here, 0.0)
        after += tl.sigmoid(enters) * _tanh(fresh)
        found = tl.sigmoid(shown) * _tanh(after)
        tl.store(cell + state, after, here)
        tl.store(output + state, found, here)
        tl.store(outputs + (place * 2 + side) * E + at, found, here)


@triton.jit
def read_step(
    gates, bias, reads, cell, inputs, T: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr,
    NARROW: tl.constexpr,
):  # fmt: skip
    """The decoder reads what is pending; `inputs`, (n, t + d), are pending and its output."""
    member = tl.program_id(0)
    if tl.load(reads + member) != 0:
        at = tl.arange(0, BLOCK)
        here = at < D
        own = gates + member * (4 * D) + at
        enters = _added(own, bias + at, here)
        keeps = _added(own + D, bias + D + at, here)
        fresh = _added(own + 2 * D, bias + 2 * D + at, here)
        shown = _added(own + 3 * D, bias + 3 * D + at, here)
        after = tl.sigmoid(keeps) * tl.load(cell + member * D + at, here, 0.0)
        after += tl.sigmoid(enters) * _tanh(fresh)
        tl.store(cell + member * D + at, after, here)
        row = inputs + member * (T + D)
        tl.store(row + T + at, tl.sigmoid(shown) * _tanh(after), here)
        first = tl.arange(0, NARROW)
        tl.store(row + first, tl.zeros([NARROW], tl.float32), first < T)


@triton.jit
def attend(
    chooses, inputs, linear, linear_bias, encoded, spelt, within, covered, lengths, places,
    rows, counts, weight, bias, hidden, scores, width, spelt_stride,
    T: tl.constexpr, D: tl.constexpr, H: tl.constexpr, LEARNT: tl.constexpr,
    WIDE: tl.constexpr, TALL: tl.constexpr,
):  # fmt: skip
    """Attention, the hidden vector and the scores of a query's own rows.

    A word has a row of `encoded`, its key and its contribution to the learnt dimensions, and one of
    `spelt`: its hash embedding, and what its name contributes while it is uncovered.
    """
    member = tl.program_id(0)
    if tl.load(chooses + member) != 0:
        few = tl.arange(0, _FEW)
        wide = tl.arange(0, WIDE)  # dimensions of the state
        tall = tl.arange(0, TALL)  # dimensions of the hidden vector
        in_state, in_hidden, in_learnt = wide < D, tall < H, tall < LEARNT
        output = tl.load(inputs + member * (T + D) + T + wide, in_state, 0.0)
        own = linear + member * (LEARNT + 2)
        cover = tl.load(own + LEARNT) + tl.load(linear_bias + LEARNT)
        strong = tl.load(own + LEARNT + 1) + tl.load(linear_bias + LEARNT + 1)
        names = tl.load(covered + member)
        length, begin = tl.load(lengths + member).to(tl.int32), tl.load(places + member)
        highest = tl.full([], float("-inf"), tl.float32)
        total = tl.full([], 0.0, tl.float32)
        summed = tl.zeros([TALL], tl.float32)
        first = _added(own + tall, linear_bias + tall, in_learnt)
        for start in range(0, length, _FEW):
            place = begin + start + few
            real = start + few < length
            each = real[:, None]
            coded = encoded + place[:, None] * (D + LEARNT)
            key = tl.load(coded + wide[None, :], each & in_state[None, :], 0.0)
            inside = tl.load(within + place, real, 0)
            uncovered = tl.where(real & ((inside & names) == 0), 1.0, 0.0)
            score = tl.sum(key * output[None, :], 1) - cover * uncovered
            score = tl.where(real, score, float("-inf"))
            higher = tl.maximum(highest, tl.max(score, 0))
            before = tl.exp(highest - higher)
            share = tl.exp(score - higher)
            value = tl.load(coded + D + tall[None, :], each & in_learnt[None, :], 0.0)
            line = spelt + place[:, None] * spelt_stride + (tall[None, :] - LEARNT)
            value += tl.load(line, each & (in_hidden & ~in_learnt)[None, :], 0.0)
            added = tl.load(line + H, each & in_learnt[None, :], 0.0)
            summed = summed * before + tl.sum(value * share[:, None], 0)
            first += tl.sum(added * uncovered[:, None], 0)
            total = total * before + tl.sum(share, 0)
            highest = higher
        summed = summed / total
        strength = tl.where(strong > 20.0, strong, tl.log(1.0 + tl.exp(tl.minimum(strong, 20.0))))
        found = tl.where(in_learnt, _tanh(first + summed), summed * strength)
        tl.store(hidden + member * H + tall, found, in_hidden)
        count = tl.load(counts + member).to(tl.int32)
        for start in range(0, count, _FEW):
            place = member * width + start + few
            real = start + few < count
            row = tl.load(rows + place, real, 0)
            weights = tl.load(
                weight + row[:, None] * H + tall[None, :], real[:, None] & in_hidden[None, :], 0.0
            )
            score = tl.sum(weights * found[None, :], 1) + tl.load(bias + row, real, 0.0)
            tl.store(scores + place, score, real)


@triton.jit
def choose(
    table, alive, sizes, firsts, kept, rows, means, columns, counts, shared, shared_columns,
    shared_bias, vectors, local, scores,
    m_state, m_count, m_ending, m_begun, m_covered, m_gap, m_log, m_records, inputs,
    chooses, reads,
    width, n_shared, flags, budget,
    W: tl.constexpr, KINDS: tl.constexpr, T: tl.constexpr, D: tl.constexpr,
    NAMED: tl.constexpr, DECISIONS: tl.constexpr, BEGINS: tl.constexpr,
    ENDS: tl.constexpr,
    COLUMNS: tl.constexpr, OWN: tl.constexpr, SHARED: tl.constexpr, NARROW: tl.constexpr,
):  # fmt: skip
    """A sentence takes its best candidate, or its forced token, and looks what comes next.

    With DECISIONS it then takes all tokens that are forced. With BEGINS it has not begun, and only
    looks.
    """
    member = tl.program_id(0).to(tl.int64)
    ending = tl.load(m_ending + member)
    if ending == 0:
        state = tl.load(m_state + member)
        count = tl.load(m_count + member)
        begun = tl.load(m_begun + member).to(tl.int32)
        covered = tl.load(m_covered + member)
        own = tl.arange(0, OWN)
        in_own = own < tl.load(counts + member)
        own_row = tl.load(rows + member * width + own, in_own, -1)
        own_means = tl.load(means + member * width + own, in_own, 0)
        narrow = tl.arange(0, NARROW)
        in_narrow = narrow < T
        waiting = inputs + member * (T + D) + narrow
        pending = tl.load(waiting, in_narrow, 0.0)
        record = m_records + member * (budget + 2)
        situation, column, _ = _options(
            table, alive + member * flags, sizes + member * W, kept, state, W, KINDS, NAMED, COLUMNS
        )
        takes = situation < 0  # false
        token = situation * 0
        if not BEGINS:
            if tl.load(chooses + member) != 0:
                base = table + state * (3 * W)
                own_column = tl.load(columns + member * width + own, in_own, 0)
                third = tl.arange(0, SHARED)
                in_third = third < n_shared
                third_column = tl.load(shared_columns + third, in_third, 0)
                own_kept = in_own & _allowed(base, alive + member * flags, own_column, in_own)
                third_kept = in_third & _allowed(
                    base, alive + member * flags, third_column, in_third
                )
                if NAMED:
                    which = kept + W * tl.where((situation & _SCORED_ALONE) != 0, 1, 0)
                    own_kept = own_kept & (tl.load(which + own_column, in_own, 0) != 0)
                    third_kept = third_kept & (tl.load(which + third_column, in_third, 0) != 0)
                one = tl.load(local + member * width + own, in_own, 0.0)
                other = tl.load(scores + member * n_shared + third, in_third, 0.0)
                other += tl.load(shared_bias + third, in_third, 0.0)
                one = tl.where(own_kept, one, float("-inf"))
                other = tl.where(third_kept, other, float("-inf"))
                highest = tl.maximum(tl.max(one, 0), tl.max(other, 0))
                total = tl.sum(tl.exp(one - highest), 0) + tl.sum(tl.exp(other - highest), 0)
                log = tl.log(total)
                left = budget - 1 - count
                one_fits = tl.load(base + 2 * W + own_column, in_own, 0) <= left
                other_fits = tl.load(base + 2 * W + third_column, in_third, 0) <= left
                one = tl.where(one_fits, one, float("-inf"))
                other = tl.where(other_fits, other, float("-inf"))
                best_one, best_other = tl.max(one, 0), tl.max(other, 0)
                best = tl.maximum(best_one, best_other)
                good = (best > float("-inf")) & (total > 0)  # false for NaN, too
                if not ENDS:
                    flag = tl.load(base + 2 * KINDS)
                    good = good & (tl.load(alive + member * flags + flag) == 0)
                at_one, at_other = tl.argmax(one, 0), tl.argmax(other, 0)
                if best_one >= best_other:
                    column = tl.load(columns + member * width + at_one)
                    token = tl.load(rows + member * width + at_one)
                else:
                    column = tl.load(shared_columns + at_other)
                    token = tl.load(shared + at_other)
                tl.store(m_gap + member, highest - best)
                is_end = column == 2 * KINDS
                if good:
                    probability = (best - highest) - log
                    tl.store(m_log + member, tl.load(m_log + member) + probability.to(tl.float64))
                    tl.store(record + count, token + (situation << _SITUATION))
                    ending = tl.where(is_end, _CHOSEN, 0).to(tl.int64)
                else:
                    ending = ending + _LACKS
                takes = good & (column != 2 * KINDS)
            else:  # where every token is read, one that is forced takes its turn as well
                token = tl.load(firsts + member * W + column)
                tl.store(record + count, token + (situation << _SITUATION))
                takes = situation == 1
        goes_on = ending == 0
        while goes_on:
            if takes:
                state = tl.load(table + state * (3 * W) + W + column)
                count += 1
                if begun != 0:
                    pending += tl.load(vectors + token * T + narrow, in_narrow, 0.0)
                    named = tl.sum(tl.where(own_row == token, own_means, 0), 0) & ~covered
                    covered = covered | (named & -named)
            situation, column, over = _options(
                table,
                alive + member * flags,
                sizes + member * W,
                kept,
                state,
                W,
                KINDS,
                NAMED,
                COLUMNS,
            )
            ending = over
            takes = situation < 0
            if DECISIONS:
                takes = (situation == 1) & (ending == 0) & (count <= budget)
            if takes:
                token = tl.load(firsts + member * W + column)
                tl.store(record + count, token + (situation << _SITUATION))
            goes_on = takes
        is_open = ending == 0
        at_choice = is_open & (situation != 1)
        wants = at_choice if DECISIONS else is_open
        tl.store(waiting, pending, in_narrow)
        tl.store(m_state + member, state)
        tl.store(m_count + member, count)
        tl.store(m_ending + member, ending)
        tl.store(m_covered + member, covered)
        tl.store(chooses + member, at_choice.to(tl.int32))
        tl.store(reads + member, (wants & (begun != 0)).to(tl.int32))
        tl.store(m_begun + member, ((begun != 0) | wants).to(tl.uint8))
    else:
        tl.store(chooses + member, 0)
        tl.store(reads + member, 0)


@triton.jit
def _options(
    table, alive, sizes, kept, state,
    W: tl.constexpr, KINDS: tl.constexpr, NAMED: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """The situation in a state as in `Rules.options`, less its ending, which comes last.

    The second is the column with most tokens: where a token is forced, its column.
    """
    at = tl.arange(0, COLUMNS)
    here = at < W
    base = table + state * (3 * W)
    allowed = here & _allowed(base, alive, at, here)
    all_sizes = tl.load(sizes + at, here, 0)
    permitted = tl.where(allowed, all_sizes, 0)
    bits = tl.zeros([], tl.int64)
    if NAMED:
        named = tl.max(tl.where(at < KINDS, permitted, 0), 0) > 0
        which = tl.where(named, 1, 0)
        allowed = allowed & (tl.load(kept + which * W + at, here, 0) != 0)
        permitted = tl.where(allowed, all_sizes, 0)
        bits = tl.where(named, _SCORED_ALONE, 0).to(tl.int64)
    size = tl.sum(permitted, 0)
    may_end = tl.max(tl.where(allowed & (at == 2 * KINDS), 1, 0), 0)
    situation = size + bits + tl.where(may_end != 0, _MAY_END, 0).to(tl.int64)
    over = tl.where(size == 0, tl.load(base + W + 2 * KINDS + 1), 0)
    return situation, tl.argmax(permitted, 0).to(tl.int64), over


@triton.jit
def _allowed(base, alive, columns, here):
    """Whether the flag of each column is set."""
    return tl.load(alive + tl.load(base + columns, here, 0), here, 0) != 0


@triton.jit
def _added(one, other, here):
    return tl.load(one, here, 0.0) + tl.load(other, here, 0.0)


@triton.jit
def _tanh(x):
    return 2.0 * tl.sigmoid(2.0 * x) - 1.0
