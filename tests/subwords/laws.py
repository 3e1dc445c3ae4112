"""What every constraint owes, and plain oracles: texts written out and tokenized."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from grammax import Automaton
from grammax.automaton.walk import accepts_tokens
from grammax.subwords import Constraint, SubwordConstraint, Subwords


def written(constraint: SubwordConstraint[Any], state: Any, subwords: Subwords) -> bytes:
    """What is written after a state if `needed` is followed, and that it counts right."""
    left = constraint.needed(state)
    assert left is not None
    ids: list[int] = []
    while not constraint.is_done(state):
        found = [
            (constraint.needed(constraint.advance(state, t)), t) for t in constraint.rows(state)
        ]
        best, token = min((needed, token) for needed, token in found if needed is not None)
        assert best < left, "there is a token after which less is needed"
        state, left = constraint.advance(state, token), best
        ids.append(token)
    assert left == 0
    assert ids[-1] == constraint.eos
    text = subwords.decode(ids[:-1])
    assert text is not None
    return text


def is_sentence(automaton: Automaton, text: bytes, prefix: str, separator: str) -> bool:
    """Whether a text is what the grammar writes; its names have no separator in them."""
    whole = text.decode()
    if not whole.startswith(prefix):
        return False
    whole = whole[len(prefix) :]
    return accepts_tokens(automaton, whole.split(separator) if whole else [])


def random_states(
    constraint: Constraint[Any], count: int, most: int, seed: int = 0
) -> Iterator[tuple[list[int], Any]]:
    """States that random tokens lead to, with those tokens."""
    random = Random(seed)
    for _ in range(count):
        state = constraint.start()
        ids: list[int] = []
        while not constraint.is_done(state) and len(ids) < most:
            yield ids, state
            token = random.choice(constraint.rows(state).ids.tolist())
            state = constraint.advance(state, token)
            ids = [*ids, token]


def canonical_texts(
    subwords: Subwords, sentences: Iterable[Sequence[str]], prefix: str, separator: str
) -> list[list[int]]:
    """Sentences as the tokenizer spells them, each with the end of the sequence."""
    texts = [prefix + separator.join(sentence) for sentence in sentences]
    return [[*ids, subwords.eos] for ids in subwords.encode(texts)]


def next_ids(texts: Iterable[Sequence[int]]) -> dict[tuple[int, ...], set[int]]:
    """For each beginning of the texts the ids that come next in one of them."""
    found: dict[tuple[int, ...], set[int]] = {}
    for ids in texts:
        for at, token in enumerate(ids):
            found.setdefault(tuple(ids[:at]), set()).add(token)
    return found


def next_ids_in_bytes(subwords: Subwords, texts: Sequence[bytes], begin: bytes) -> set[int]:
    """The tokens that continue a beginning to the beginning of a text, or end it."""
    found = {
        token
        for token, piece in enumerate(subwords.bytes_of)
        if piece and any(text.startswith(begin + piece) for text in texts)
    }
    return found | ({subwords.eos} if begin in texts else set())
