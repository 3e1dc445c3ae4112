"""lark's interactive LALR(1) parser as an engine of the comparison: names of kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import lark
import numpy as np
from lark.lexer import Lexer
from lark.parsers.lalr_interactive_parser import InteractiveParser
from peers_engine import Array, Constraint, Engine, Rejected, Words, World
from peers_notation import plain_rules

from grammax.vocabulary import merge_spans

Ask = Callable[[Any], Iterable[str]]
_END = "$END"


def engines() -> list[Engine]:
    """The names that a parser would take, and the names in the row of its state."""
    accepts, choices = InteractiveParser.accepts, InteractiveParser.choices
    return [
        Engine("lark, accepts()", "lark", partial(_prepare, accepts), in_python=True),
        Engine(
            "lark, choices()",
            "lark",
            partial(_prepare, choices),
            "merged look-aheads",
            exact=False,
            in_python=True,
        ),
    ]


class _NoLexer(Lexer):
    """Tokens are fed one at a time."""

    __future_interface__ = 1  # lark's name for lexers with two arguments

    def __init__(self, _: Any) -> None:
        pass

    def lex(self, *_: Any) -> Iterator[lark.Token]:
        return iter(())


def _prepare(ask: Ask, world: World) -> Callable[[], Constraint]:
    vocabulary = world.vocabulary
    names = {kind: f"K{number}" for number, kind in enumerate(vocabulary.kinds)}
    rules = plain_rules(world.grammar)
    names |= {name: f"r{number}" for number, name in enumerate(rules)}
    lines = [f"%declare {' '.join(names[kind] for kind in vocabulary.kinds)}"]
    for name, alternatives in rules.items():
        bodies = (" ".join(names[symbol] for symbol in symbols) for symbols in alternatives)
        lines.append(f"{names[name]}: {' | '.join(bodies)}")
    text, start = "\n".join(lines), names[world.grammar.start]

    def compiled() -> Constraint:
        parser = lark.Lark(text, parser="lalr", lexer=_NoLexer, start=start)
        return _constraint(world, parser, ask)

    return compiled


def _constraint(world: World, parser: lark.Lark, ask: Ask) -> Constraint:
    vocabulary, end = world.vocabulary, world.end
    spans = {f"K{kind}": vocabulary.span(kind) for kind in range(len(vocabulary.kinds))}
    spans[_END] = (end, end + 1)
    tokens = [lark.Token(f"K{kind}", "") for kind in range(len(vocabulary.kinds))]
    kinds = vocabulary.kinds_by_id

    def advance(state: Any, token: int) -> Any:
        try:
            state.feed_token(tokens[kinds[token]])
        except lark.UnexpectedInput:
            raise Rejected(token) from None
        return state

    def bits(_: Any, found: Iterable[str]) -> Words:
        return world.bits([spans[name] for name in found if name in spans])

    def forced(_: Any, found: Iterable[str]) -> bool:
        known = [spans[name] for name in found if name in spans]
        return len(known) == 1 and known[0][1] - known[0][0] == 1

    def mask(found: Iterable[str], scores: Array) -> None:
        at = 0
        for start, stop in merge_spans(spans[name] for name in found if name in spans):
            scores[at:start] = -np.inf
            at = stop
        scores[at:] = -np.inf

    return Constraint(
        start=lambda: parser.parse_interactive(""),
        constrain=ask,
        advance=advance,
        bits=bits,
        forced=forced,
        mask=mask,
    )
