"""What compiled searches are given: a model, and a batch of queries with their sentences.

A member of a batch is one sentence in progress. Its numbers are in a row of `Members.registers`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammax.runtime.compiled.inputs import NameArrays, TokenArrays, WordArrays
from grammax.runtime.compiled.network import EncodedArrays, NetworkArrays
from grammax.runtime.grounding import GroundingArrays
from grammax.runtime.lstm import Array
from grammax.runtime.states import AutomatonArrays
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

UNREAD: Final = -2  # `READ` of the first member before a search

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
    """The words and names of a batch of queries, and what they make available."""

    slots: Ids  # rows of `WordArrays.table`: those of all words, then those of all names
    rows: Ids  # available rows, in ascending order for each query
    rows_first: Ids  # (queries + 1)
    starts: Ids  # (queries): the state of the automaton before the first token
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


class Model(NamedTuple):
    """What all searches with a model share."""

    net: NetworkArrays
    automaton: AutomatonArrays
    grounding: GroundingArrays
    tokens: TokenArrays
    parts: WordArrays
    mode: int  # `WHOLE`, `NAMED` or `GROUNDED`
    only: bool  # whether the decoder reads decisions only
    end: int  # the row of the end, or -1
    budget: int  # the most tokens of a sentence


class Batch(NamedTuple):
    """The queries of a search, and its sentences in progress; nothing need be filled in yet."""

    queries: QueryArrays
    words: EncodedArrays
    members: Members
