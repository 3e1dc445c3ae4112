"""`Reader`: from readings to readings, one symbol at a time.

A *reading* of a text that is being written is the state of the automaton after the names that are
complete, the node where the next name has got to, and the kinds that it may be of. Where a name is
also the beginning of another, both readings go on side by side until what follows decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Generic, TypeVar, final

from grammax.automaton.protocol import Automaton
from grammax.subwords.names import Names, difference
from grammax.subwords.trie import Kinds, Node

S = TypeVar("S")
Reading = tuple[Any, Node, Kinds]
Readings = tuple[Reading, ...]


@final
class Reader(Generic[S]):
    """An automaton and the names of its vocabulary; `first` has the text before the first one."""

    def __init__(self, automaton: Automaton[S], first: Names, names: Names) -> None:
        self.automaton: Final = automaton
        self.first: Final = first
        self.names: Final = names
        self._id = automaton.vocabulary.id

    def renewed(self, automaton: Automaton[Any]) -> Reader[Any]:
        """The same for another automaton; names that both have are shared."""
        vocabulary = automaton.vocabulary
        change = difference(self.names.vocabulary, vocabulary)
        names = self.names.renewed(vocabulary, change)
        if self.first is self.names:
            return Reader(automaton, names, names)
        kinds = automaton.next_tokens(automaton.start).kind_numbers
        return Reader(automaton, self.first.renewed(vocabulary, change, kinds), names)

    def start(self) -> Readings:
        """Before the first symbol."""
        return self.begin(self.automaton.start, self.first)

    def begin(self, state: S, names: Names | None = None) -> Readings:
        """Between two names: the next one begins. None if no name may follow."""
        permitted = self.automaton.next_tokens(state)
        return ((state, *(names or self.names).among(permitted)),) if permitted.size else ()

    def after(self, state: S, text: str) -> S:
        """The automaton's state after a name."""
        return self.automaton.pass_token(state, self._id(text))

    def step(self, readings: Iterable[Reading], symbol: int) -> tuple[Readings, bool]:
        """What a symbol leads to, and whether the text may end after it."""
        found: Readings = ()
        ending = False
        for state, node, kinds in readings:
            child = node.choose(kinds).children.get(symbol)
            if child is None:
                continue
            bits = kinds.bits
            if child.below & bits:
                found += ((state, child, kinds),)
            end = child.end
            if end is not None and bits >> end.kind & 1:
                after = self.after(state, end.text)
                ending = ending or self.automaton.accepts(after)
                found += self.begin(after)
        if len(found) > 2:
            found = tuple(dict.fromkeys(found))
        return found, ending
