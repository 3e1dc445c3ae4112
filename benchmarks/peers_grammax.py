"""grammax as an engine of the comparison: spans of rows, and nothing to apply."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from peers_engine import Array, Constraint, Engine, Words, World

from grammax.automaton import BoundAutomaton
from grammax.automaton.lr.engine import LrEngine
from grammax.automaton.networks.superset import superset_engine
from grammax.grammar import Grammar
from grammax.head.protocol import Options
from grammax.head.rows import id_at
from grammax.runtime.cache import OutputRows
from grammax.runtime.head import RuntimeSpans
from grammax.vocabulary import Permitted, Vocabulary

_ENGINES: dict[str, Callable[[Grammar], Any]] = {
    "lr": LrEngine.from_grammar,
    "superset": lambda grammar: superset_engine(grammar.productions),
}


def engines() -> list[Engine]:
    """The exact automaton, and the finite one that is looser."""
    return [
        Engine("grammax lr", "grammax", partial(_prepare, "lr"), in_python=True),
        Engine(
            "grammax superset",
            "grammax",
            partial(_prepare, "superset"),
            "looser",
            exact=False,
            in_python=True,
        ),
    ]


def _prepare(name: str, world: World) -> Callable[[], Constraint]:
    given = world.grammar
    members = {kind: world.vocabulary.tokens_of(kind) for kind in world.vocabulary.kinds}

    def compiled() -> Constraint:
        engine = _ENGINES[name](Grammar(given.start, given.rules, given.kinds))
        vocabulary = Vocabulary(members, world.vocabulary.layout)
        return _constraint(world, BoundAutomaton(engine, vocabulary))

    return compiled


def _constraint(world: World, automaton: BoundAutomaton[Any]) -> Constraint:
    head = RuntimeSpans(OutputRows.from_whole(world.rows, world.bias), world.end)
    known: dict[Options, Words] = {}

    def options(state: Any, found: Permitted) -> Options:
        return Options(found, automaton.accepts(state))

    def bits(state: Any, found: Permitted) -> Words:
        choice = options(state, found)
        if choice not in known:
            known[choice] = world.bits(choice.spans(world.end))
        return known[choice]

    def forced(state: Any, found: Permitted) -> bool:
        return found.size + automaton.accepts(state) == 1

    def choose(state: Any, found: Permitted, hidden: Array) -> int:
        scores = head.scores(hidden, options(state, found))
        return id_at(scores.spans, int(scores.values.argmax()))

    return Constraint(
        start=lambda: automaton.start,
        constrain=automaton.next_tokens,
        advance=automaton.pass_token,
        bits=bits,
        forced=forced,
        choose=choose,
    )
