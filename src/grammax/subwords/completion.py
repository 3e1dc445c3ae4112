"""How a text can be completed, and in how many symbols.

The completion takes the name after which the automaton needs the fewest tokens, of several the
shortest, of those the one whose kind comes first. After any symbol of it the same completion is
found again, one symbol shorter, so a search that follows it always ends in time. It is not always
the shortest: that would be a search of its own at every step.
"""

from __future__ import annotations

from typing import Any, Final, final

from grammax.subwords.reading import Reader, Reading
from grammax.subwords.spelling import Completion
from grammax.subwords.trie import Name

_MOST: Final = 100_000  # names of a completion
_REMEMBERED: Final = 100_000  # states of an automaton


COMPLETE: Final = Completion(0, (), None)


@final
class Completions:
    """The completions of readings. Those of complete names are remembered by automaton state."""

    def __init__(self, reader: Reader[Any]) -> None:
        self._reader = reader
        self._known: dict[Any, Completion | None] = {}

    def of(self, reading: Reading) -> Completion | None:
        """The completion of a text; None where following `tokens_to_accept` does not end."""
        found = self._next(reading)
        if found is None:
            return None
        name, after = found
        rest = self._after(after)
        symbols = name.symbols[reading[1].depth :]
        return None if rest is None else Completion(len(symbols) + rest.length, symbols, rest)

    def _after(self, state: Any) -> Completion | None:
        """The completion between two names, or at the end."""
        reader, known = self._reader, self._known
        path: list[tuple[Any, Name]] = []
        on_path = set()
        found: Completion | None = None
        while True:
            if state in known:
                found = known[state]
                break
            if reader.automaton.accepts(state):
                found = COMPLETE
                break
            begun = reader.begin(state)
            best = self._next(begun[0]) if begun and len(path) < _MOST else None
            if best is None or state in on_path:
                break
            on_path.add(state)
            path.append((state, best[0]))
            state = best[1]
        if len(known) + len(path) > _REMEMBERED:
            known.clear()
        for passed, name in reversed(path):
            if found is not None:
                found = Completion(found.length + len(name.symbols), name.symbols, found)
            known[passed] = found
        return found

    def _next(self, reading: Reading) -> tuple[Name, Any] | None:
        """The next name of the completion, and the automaton's state after it."""
        state, node, kinds = reading
        reader, bits = self._reader, kinds.bits
        measure = reader.automaton.tokens_to_accept
        best: tuple[int, int, int] | None = None
        found: tuple[Name, Any] | None = None
        for kind, name in node.shortest.items():
            if bits >> kind & 1:
                after = reader.after(state, name.text)
                rank = (measure(after), len(name.symbols), kind)
                if best is None or rank < best:
                    best, found = rank, (name, after)
        return found
