"""Equity search, the paper's own case, as one schema of `grammax.tables`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.idioms import cues_of
from grammax.domains.eqs.paper import paper
from grammax.language.capabilities import Examples
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.domain import DomainParts, TableDomain

if TYPE_CHECKING:
    from grammax.tables.corpus.style import CorpusStyle
    from grammax.tables.query.store import Store


SAMPLES: Final = (
    "steel western europe not german",
    "return on capital sp500",
    "auto nysex last quarter mcap > $1bn",
    "Top 10 European non-German tech firms sorted by p/b ratio",
    "What are the top five Asian tech companies?",
)
"""The queries of the paper."""

EXAMPLES: Final = (
    Examples(
        "Filter",
        (
            "steel western europe not german",
            "profitable us software companies",
            "us banks rated A or better",
        ),
    ),
    Examples(
        "Compare numbers",
        (
            "auto nysex last quarter mcap > $1bn",
            "dividend yield above 4% and p/e under 12",
            "companies with more cash than debt",
        ),
    ),
    Examples(
        "Rank",
        (
            "What are the top five Asian tech companies?",
            "Top 10 European non-German tech firms sorted by p/b ratio",
            "largest employers in japan",
        ),
    ),
    Examples(
        "Show columns",
        (
            "return on capital sp500",
            "show revenue, net margin and employees of apple, microsoft and nvidia",
        ),
    ),
    Examples(
        "Groups and counts",
        (
            "how many us companies per sector",
            "median net margin of banks by country",
            "total revenue by sector in europe",
        ),
    ),
    Examples(
        "Time",
        (
            "revenue of apple by year",
            "net income of nestle in 2023",
            "sp500 revenue up more than 50% in the last 3 years",
        ),
    ),
)
"""Queries by what they show, those of the paper among them."""

NOUNS: Final = (
    *("stock", "stocks", "share", "shares", "firm", "firms", "business", "businesses", "equities"),
    *("equity", "corporations", "corporation", "issuer", "issuers", "name", "names", "ticker"),
    *("tickers", "security", "securities", "cos", "co"),
)
"""Words for companies beside those of the schema."""


TRAINING_PAIRS: Final = 14_000
"""The generated pairs that a model is trained on, by default."""

TRAINING: Final = {
    "epochs": 10,
    "batch": 64,
    "p_recombine": 0.3,
    "p_swap": 0.6,
    "written": 2,
    "held_out": 0.03,
}
"""The settings of a training that differ from the defaults."""


def load() -> TableDomain:
    """The domain with the default catalogue and corpus."""
    return equity_search()


def load_paper() -> TableDomain:
    """The domain with a corpus as the paper's: its constructs, and 1,981 training pairs."""
    from grammax.tables.corpus.mix import PAPER_MIX

    made = equity_search(train=1_981)
    return made.with_parts(
        style=lambda: replace(_style(), mix=PAPER_MIX), written=tuple, training={"grammar": "lr"}
    )


def equity_search(catalogue: Catalogue | None = None, seed: int = 0, **sizes: int) -> TableDomain:
    """Equity search over a catalogue; `seed` and `sizes` (train, test, hard) are the corpus's."""
    parts = DomainParts(
        machines={"paper": paper},
        samples=SAMPLES,
        examples=lambda: EXAMPLES,
        nouns=NOUNS,
        cues=cues_of,
        out_of_domain=_out_of_domain,
        near_misses=_near_misses,
        style=_style,
        seed=seed,
        sizes={"train": TRAINING_PAIRS, **sizes},
        written=_written,
        training=TRAINING,
        store=_open_market,
        connect=_connect,
    )
    return TableDomain(load_catalogue() if catalogue is None else catalogue, parts)


def _style() -> CorpusStyle:
    from grammax.domains.eqs.words import EQUITY_STYLE  # parsing does not need it

    return EQUITY_STYLE


def _written() -> tuple[tuple[str, str], ...]:
    rows = map(json.loads, _lines("written_pairs.jsonl"))
    return tuple((row["query"], row["lf"]) for row in rows)


def _out_of_domain(split: Literal["train", "test"]) -> tuple[str, ...]:
    return _lines(f"out_of_domain_{split}.txt")


def _near_misses(split: Literal["train", "test"]) -> tuple[str, ...]:
    return _lines(f"near_misses_{split}.txt")


def _lines(name: str) -> tuple[str, ...]:
    text = (Path(__file__).parent / "data" / name).read_text(encoding="utf-8")
    return tuple(filter(None, text.splitlines()))


def _open_market(catalogue: Catalogue) -> Store:
    from grammax.domains.eqs.market.store import (
        open_market,
    )  # imports Ibis, which takes a quarter of a second

    return open_market(catalogue=catalogue)


def _connect(tables: Path, catalogue: Catalogue) -> Store:
    from grammax.domains.eqs.market.store import connect_market

    return connect_market(tables, catalogue)
