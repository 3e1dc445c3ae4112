"""Equity search with a small catalogue, and a network that has hardly learnt it; needs PyTorch."""

from __future__ import annotations

from functools import cache

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.domain import equity_search
from grammax.evaluation.paper.figures import Figures
from grammax.evaluation.paper.measure import measure
from grammax.evaluation.paper.rows import TableRow, table_rows
from grammax.model.config import ModelConfig, TrainingConfig
from grammax.tables.domain import TableDomain
from grammax.training.trainer import Trainer

SMALL = ModelConfig(words=16, encoder=16, tokens=16, hidden=24, spelling=8, budget=20)
SHORT = TrainingConfig(epochs=1, full_epochs=1, held_out=0)
RUNS = 2


@cache
def small_domain() -> TableDomain:
    """2,000 tokens, 40 pairs to learn from, 6 to measure with."""
    made = equity_search(load_catalogue(2_000), train=40, test=6, hard=0)
    return made.with_parts(written=tuple)


@cache
def a_trainer() -> Trainer:
    """After its first epoch, which is its last."""
    trainer = Trainer(small_domain(), SMALL, SHORT)
    trainer.run()
    return trainer


@cache
def small_rows() -> tuple[TableRow, ...]:
    """The rows with that network."""
    return table_rows(small_domain(), a_trainer().network)


@cache
def small_table() -> dict[str, Figures]:
    """What was measured of them, by name."""
    pairs = small_domain().pairs("test")
    return {row.name: row for row in measure(small_domain(), small_rows(), pairs, RUNS)}
