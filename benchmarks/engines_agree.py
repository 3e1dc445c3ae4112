"""Do all engines agree over public grammars, with each other and with lark?

Sentences are drawn from each grammar of a folder (tree-sitter's, see `engines_grammars`), and each
is damaged once by another token in place of one of its own. After every prefix `glr`, and `lr`
where `exact` finds it, must permit what `earley` permits; `superset` and `unrolled` must permit no
less. Lark's Earley parser, which nobody here wrote, judges whole sentences, drawn and damaged. A
grammar that takes longer than the limit is left out, and named.

python benchmarks/engines_agree.py FOLDER [--seconds 20] [--sentences 3] [--part 1/2]
"""

from __future__ import annotations

import argparse
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import lark
from engines_grammars import grammars, read_grammar
from peers_notation import plain_rules

from grammax import Grammar, earley, exact, glr, superset, unrolled
from grammax.automaton import BoundAutomaton
from grammax.errors import GrammarError, TokenNotPermitted
from grammax.grammar import Sampler


class Slow(Exception):
    """A grammar took longer than the limit."""


class _Given(lark.lexer.Lexer):
    """Tokens that are given already, as pairs of a terminal and its text."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[lark.Token]:  # noqa: ARG002
        return (lark.Token(name, name) for name in lexer_state)


class Lark:
    """Whether lark's Earley parser accepts a sentence, given as numbers of kinds."""

    def __init__(self, grammar: Grammar) -> None:
        rules = plain_rules(grammar)
        names = {name: f"n{number}" for number, name in enumerate(rules)}
        names |= {kind: f"K{number}" for number, kind in enumerate(grammar.kinds)}
        lines = [f"start: {names[grammar.start]}"]
        for name, alternatives in rules.items():
            written = (" ".join(names[symbol] for symbol in symbols) for symbols in alternatives)
            lines.append(f"{names[name]}: {' | '.join(written)}")
        lines.append("%declare " + " ".join(f"K{number}" for number in range(len(grammar.kinds))))
        self._parser = lark.Lark(
            "\n".join(lines), parser="earley", lexer=_Given, ambiguity="forest"
        )

    def accepts(self, kinds: Sequence[int]) -> bool:
        try:
            self._parser.parse([f"K{kind}" for kind in kinds])
        except lark.exceptions.UnexpectedInput:
            return False
        return True


def compare(grammar: Grammar, sentences: int) -> Counter[str]:
    """How much was compared, and what differed."""
    oracle, loose = earley(grammar), [superset(grammar), unrolled(grammar)]
    same = [glr(grammar)]
    if (found := exact(grammar)).name == "lr":
        same.append(found)
    judge, random = Lark(grammar), Random(1)
    sampler = Sampler(grammar, max_depth=25, max_tokens=25)
    drawn = sorted({sampler.draw(random) for _ in range(20 * sentences)}, key=len)[-sentences:]
    tokens = oracle.vocabulary.tokens
    counts: Counter[str] = Counter({f"has {one.name}": 1 for one in same})
    for sentence in drawn:
        damaged = list(sentence)
        if damaged:
            damaged[random.randrange(len(damaged))] = random.choice(tokens)
        for text in (sentence, tuple(damaged)):
            complete = _walk(oracle, same, loose, text, counts)
            vocabulary = oracle.vocabulary
            kinds = [vocabulary.kind_of(token) for token in text]
            counts["sentences judged by lark"] += 1
            counts["differs from lark"] += judge.accepts([k or 0 for k in kinds]) != complete
    return counts


def _walk(
    oracle: BoundAutomaton[Any],
    same: Sequence[BoundAutomaton[Any]],
    loose: Sequence[BoundAutomaton[Any]],
    text: Sequence[str],
    counts: Counter[str],
) -> bool:
    """Compare after every prefix; whether the text is a sentence."""
    engines = [oracle, *same, *loose]
    states = [one.start for one in engines]
    for place in range(len(text) + 1):
        sets = [o.next_tokens(s).kind_numbers for o, s in zip(engines, states, strict=True)]
        ends = [o.accepts(s) for o, s in zip(engines, states, strict=True)]
        ways = [
            o.tokens_to_accept(s) for o, s in zip(engines[: len(same) + 1], states, strict=False)
        ]
        counts["prefixes"] += 1
        for number in range(1, len(engines)):
            is_exact = number <= len(same)
            wrong = (
                sets[number] != sets[0] or ends[number] != ends[0] or ways[number] != ways[0]
                if is_exact
                else bool(sets[0] - sets[number]) or ends[0] > ends[number]
            )
            counts[f"{engines[number].name} differs"] += wrong
        if place == len(text):
            return ends[0]
        try:
            states[0] = oracle.pass_token(states[0], text[place])
        except TokenNotPermitted:
            return False
        for number in range(1, len(engines)):
            states[number] = engines[number].pass_token(states[number], text[place])
    raise AssertionError("the walk ends at the last token")


def _give_up(*_: object) -> None:
    raise Slow


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path, help="with the grammar.json files of tree-sitter")
    parser.add_argument("--seconds", type=int, default=20, help="for one grammar at most")
    parser.add_argument("--sentences", type=int, default=3)
    parser.add_argument("--part", default="1/1", help="such as 1/2: the first of two halves")
    given = parser.parse_args()
    part, parts = map(int, given.part.split("/"))
    signal.signal(signal.SIGALRM, _give_up)
    total: Counter[str] = Counter()
    known: set[Grammar | str] = set()
    for number, (name, path) in enumerate(grammars(given.folder)):
        if number % parts != part - 1:
            continue
        signal.alarm(given.seconds)
        try:
            grammar = read_grammar(path)
            if str(grammar) in known:
                total["grammars twice in the folder"] += 1
                continue
            known.add(str(grammar))
            counts = compare(grammar, given.sentences)
        # Not any error: an engine that refuses a token of a sentence must be seen.
        except (Slow, GrammarError, lark.exceptions.LarkError, KeyError) as error:
            total["grammars left out"] += 1
            print(f"{name}: left out, {type(error).__name__} {str(error)[:90]}", flush=True)
            continue
        finally:
            signal.alarm(0)
        total["grammars compared"] += 1
        total += counts
        differing = {what: n for what, n in counts.items() if "differs" in what and n}
        if differing:
            print(f"{name}: {differing}", flush=True)
        if total["grammars compared"] % 10 == 0:
            print(dict(total), flush=True)
    print("total", dict(total), flush=True)


if __name__ == "__main__":
    main()
