"""Build a parser for each row of the table, from a domain and a trained network.

All rows share the network and one output matrix; they differ in the head and in the grammar. The
paper's rows come first, all under one loose grammar, then `Spans` under increasingly tight ones.
The last rows choose inside kinds of many tokens, under the tightest grammar, if there are any.
Except in the paper's own domain, rows are omitted if no permitted set reaches their limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, final

from torch import Tensor

from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError
from grammax.evaluation.paper.large_kinds import (
    SelectingParser,
    has_large_kinds,
    hierarchical_parser,
)
from grammax.evaluation.paper.published import GRAMMAR
from grammax.head import Head
from grammax.head.cached_rows import CachedRows
from grammax.head.every_row import EveryRow
from grammax.head.gathered_rows import GatheredRows
from grammax.head.layer import OutputLayer
from grammax.head.masked_rows import MaskedRows
from grammax.head.row_classes import LARGE
from grammax.head.spans import Spans
from grammax.language.domain import Domain
from grammax.model.network import Network
from grammax.model.parser import TorchParser, output_layer
from grammax.search import Decoded, Unconstrained

BASELINE: Final = "NSP"
FULL_CACHE: Final = "NSP-GC(all)"
SPANS: Final = "Spans"
HIERARCHICAL: Final = "Hierarchical"
SELECTED: Final = "Selected"
_SUPERSET: Final = "superset"
_LIMITS: Final = {"500": 500, "10⁴": 10_000, "all": None}
_HEADS: Final[Mapping[str, Callable[..., Head[Tensor]]]] = {
    "NSP-G": GatheredRows,
    "NSP-GC": CachedRows,
}


class DecisionsOnly(GrammaxError):
    """A network that works only under the grammar that it was trained with."""


class RowParser(Protocol):
    """What is timed."""

    @property
    def network(self) -> Network: ...

    @property
    def automaton(self) -> Automaton[Any]: ...

    @property
    def head(self) -> Head[Tensor]: ...

    def parse(self, text: str) -> Decoded:
        """The logical form of one query."""


@final
@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the table; `grammar` is None for NSP."""

    name: str
    grammar: str | None
    parser: RowParser


def table_rows(domain: Domain, network: Network, large: int = LARGE) -> tuple[TableRow, ...]:
    """All rows, in the order of the table; kinds of more than `large` tokens are large."""
    if network.config.decisions_only:
        raise DecisionsOnly(
            "the network was trained with decisions_only, so it works under one grammar alone, and "
            "the table decodes under several and under none. Give one that was trained with "
            "--every-token, or leave --model out."
        )
    layer, loose = output_layer(network), _loose_grammar(domain)
    free = Unconstrained(domain.vocabulary)

    def under(grammar: str, name: str, head: Head[Tensor]) -> TableRow:
        return TableRow(name, grammar, TorchParser(network, domain.automaton(grammar), head))

    return (
        TableRow(BASELINE, None, TorchParser(network, free, EveryRow(layer))),
        under(loose, "NSP-M", MaskedRows(layer)),
        *(
            under(loose, f"{name}({label})", make(layer, limit=limit))
            for name, make in _HEADS.items()
            for label, limit in _LIMITS.items()
            if limit is None or limit < len(domain.vocabulary) or loose == GRAMMAR
        ),
        *(under(tighter, f"{SPANS}, {tighter}", Spans(layer)) for tighter in _tighter(domain)),
        *_inside_large_kinds(domain, network, layer, large),
    )


def _inside_large_kinds(
    domain: Domain, network: Network, layer: OutputLayer, large: int
) -> tuple[TableRow, ...]:
    if not has_large_kinds(domain.vocabulary, large):
        return ()
    exact = domain.exact
    hierarchical = hierarchical_parser(domain, network, layer, large)
    selecting = SelectingParser(domain, network, layer, large)
    return (
        TableRow(f"{HIERARCHICAL}, {exact}", exact, hierarchical),
        TableRow(f"{SELECTED}, {exact}", exact, selecting),
    )


def _loose_grammar(domain: Domain) -> str:
    """The grammar of the paper's rows: its own, or the loosest."""
    return GRAMMAR if GRAMMAR in domain.grammars else domain.grammars[0]


def _tighter(domain: Domain) -> tuple[str, ...]:
    """Loose, a superset if there is one, and tight; each once."""
    middle = (_SUPERSET,) if _SUPERSET in domain.grammars else ()
    return tuple(dict.fromkeys((_loose_grammar(domain), *middle, domain.exact)))
