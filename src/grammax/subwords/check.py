"""Whether the pieces of names, put together, are the pieces of texts: the canonical spelling.

Most tokenizers split a text at spaces before anything else, so that what a word is spelled as does
not depend on its neighbours. That is no law, so it is checked with texts of the grammar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any, Final

from grammax.automaton.protocol import Automaton
from grammax.subwords.spelling import CanonicalSpelling, NotCanonical
from grammax.subwords.tokenizer import Subwords, shown

WALKS: Final = 200
LONGEST: Final = 24  # names


def check_canonical(
    spelling: CanonicalSpelling, prefix: str, separator: str, texts: Sequence[Sequence[str]]
) -> None:
    """Raise `NotCanonical` if the tokenizer spells one of these lists of names otherwise."""
    given = [names for names in texts if names]
    encoded = spelling.subwords.encode([prefix + separator.join(names) for names in given])
    for names, ids in zip(given, encoded, strict=True):
        first, rest = spelling.spell(prefix, names[:1]), spelling.spell(separator, names[1:])
        pieces = list(chain.from_iterable((*first, *rest)))
        if pieces != list(ids):
            raise NotCanonical(_difference(spelling.subwords, pieces, ids))


def walks(automaton: Automaton[Any], count: int = WALKS, seed: int = 0) -> Iterator[list[str]]:
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


def _difference(subwords: Subwords, pieces: Sequence[int], ids: Sequence[int]) -> str:
    """Where two spellings of a text part, with a few pieces of both."""
    least = min(len(pieces), len(ids))
    at = next((at for at in range(least) if pieces[at] != ids[at]), least)
    mine, theirs = (
        " ".join(shown(subwords, token) for token in some[max(0, at - 1) : at + 3])
        for some in (pieces, ids)
    )
    return (
        f"the pieces of the names are {mine or 'nothing'} where the tokenizer, given the whole "
        f"text, has {theirs or 'nothing'}"
    )
