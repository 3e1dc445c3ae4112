"""Texts of a grammar, to check that a tokenizer spells names alike wherever they stand.

Most tokenizers split a text at spaces before anything else, so that the pieces of a word do not
depend on its neighbours. That is no law, so it is checked with texts of the grammar.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from grammax.automaton.protocol import Automaton
from grammax.subwords.spelling import SAMPLE

LONGEST: Final = 24  # names


def walks(automaton: Automaton[Any], count: int = SAMPLE, seed: int = 0) -> Iterator[list[str]]:
    """Names that may follow each other, drawn at random: sentences or beginnings of them.

    A kind is drawn first and then a name of it, so that small kinds are not lost among large ones.
    """
    random = Random(seed)
    vocabulary = automaton.vocabulary
    for _ in range(count):
        state = automaton.start
        names: list[str] = []
        while len(names) < LONGEST:
            permitted = automaton.next_tokens(state)
            if not permitted.size:
                break
            if permitted.rows is not None:
                row = random.choice(permitted.rows)
            else:
                kind = random.choice(sorted(permitted.kind_numbers))
                row = random.choice(
                    [random.randrange(*span) for span in vocabulary.spans(kind)],
                )
            names.append(vocabulary.tokens[row])
            state = automaton.pass_token(state, row)
        yield names
