"""`Model`, what a device knows of a model, and what may be chosen for each query of a batch."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from grammax.runtime.device.automaton import ALWAYS, FLAGS, DeviceAutomaton
from grammax.runtime.device.grounding import DeviceGrounding
from grammax.runtime.device.members import Given
from grammax.runtime.device.network import DeviceNetwork
from grammax.runtime.device.words import WordTable


class Model(NamedTuple):
    """A model and its grammar on a device."""

    network: DeviceNetwork
    automaton: DeviceAutomaton
    grounding: DeviceGrounding
    words: WordTable
    shared: Tensor  # (c): rows that are candidates for all queries, and the end, if it has one
    shared_rows: Tensor  # (d, c)
    shared_bias: Tensor  # (c)
    columns: Tensor  # (c): their columns in the tables of the automaton
    ends: bool  # whether the end has a row
    sizes: Tensor  # (w): shared tokens of each column
    firsts: Tensor  # (w): the first of them; where there are none, a number above all tokens
    kept: Tensor  # (2, w), see `Rules`
    mode: int
    decisions_only: bool
    budget: int
    lr_states: int  # 0 if queries leave the whole grammar
    device: torch.device


def find_columns(model: Model, given: Given, available: Tensor) -> Tensor:
    """The columns of the rows of each query, (n, a), in the tables of the automaton.

    A row that no query may choose has the column of nothing. The sizes, first tokens and flags in
    `given` are found as well.
    """
    a, net = model.automaton, model.network
    rows = given.rows.clamp(max=net.nothing - 1)
    kind = net.kind_of[rows]  # that of the end is the number of kinds
    must = torch.nn.functional.pad(model.grounding.must, (0, 1))
    column = torch.where(available & must[kind], kind, a.none)
    given.sizes.copy_(model.sizes.expand_as(given.sizes))
    given.sizes.scatter_add_(1, column, torch.ones_like(column))
    given.sizes[:, a.none] = 0
    given.firsts.copy_(model.firsts.expand_as(given.firsts))
    given.firsts.scatter_reduce_(1, column, rows, "amin")
    given.alive[:, ALWAYS] = True
    if model.lr_states:
        left = model.grounding.restrict(given.sizes[:, : a.kinds] > 0)
        given.alive[:, FLAGS:] = left.alive
    return column
