"""A constraint that is a list: finitely many sequences of ids, each with its end."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from grammax.errors import GrammaxError
from grammax.subwords import SubwordNotPermitted
from grammax.vocabulary import Rows

State = tuple[int, ...]


class FiniteTexts:
    """Exactly these texts; `forced` and `needed` may be left out, as with other engines."""

    def __init__(
        self, texts: Iterable[Sequence[int]], eos: int, size: int, knows_needed: bool = True
    ) -> None:
        self.texts = frozenset((*text, eos) for text in texts)
        self.eos, self.size, self.knows_needed = eos, size, knows_needed
        found: dict[State, set[int]] = {}
        shortest: dict[State, int] = {}
        for text in self.texts:
            for length in range(len(text) + 1):
                prefix = text[:length]
                found.setdefault(prefix, set()).update(text[length : length + 1])
                left = len(text) - length
                shortest[prefix] = min(left, shortest.get(prefix, left))
        self.next = {prefix: Rows.from_ids(sorted(ids)) for prefix, ids in found.items()}
        self.shortest = shortest

    def start(self) -> State:
        return ()

    def rows(self, state: State) -> Rows:
        return self.next[state]

    def advance(self, state: State, token: int) -> State:
        if (*state, token) not in self.next:
            raise SubwordNotPermitted(token, "", self.next[state])
        return (*state, token)

    def forced(self, state: State) -> tuple[int, ...]:
        run: list[int] = []
        while self.next[(*state, *run)].size == 1:
            run += self.next[(*state, *run)]
        return tuple(run)

    def is_done(self, state: State) -> bool:
        return bool(state) and state[-1] == self.eos

    def needed(self, state: State) -> int | None:
        return self.shortest[state] if self.knows_needed else None

    def written(self, ids: Sequence[int]) -> State:
        """A text without the padding after its end; it is one of these."""
        text = tuple(ids)
        text = text[: text.index(self.eos) + 1] if self.eos in text else text
        if text not in self.texts:
            raise GrammaxError(f"{text} is none of the texts")
        return text


def drawn_texts(seed: int, size: int, eos: int, count: int = 60, longest: int = 9) -> FiniteTexts:
    """Random texts that share beginnings, with long stretches in which nothing is to be chosen."""
    draw = random.Random(seed)
    alphabet = draw.sample(range(3, size), 12)
    pieces = [draw.choices(alphabet, k=draw.randint(1, 4)) for _ in range(8)]
    texts = []
    for _ in range(count):
        text: list[int] = []
        while len(text) < draw.randint(1, longest):
            text += draw.choice(pieces)
        texts.append(text[:longest])
    return FiniteTexts(texts, eos, size)
