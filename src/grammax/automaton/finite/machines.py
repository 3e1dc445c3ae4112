"""Automata built by hand, machine by machine, as in section 3 of the paper.

An arc is labelled with a kind, a token, another machine, or several of these. An arc labelled with
a machine stands for a copy of it: its start is joined to the arc's source and its final states to
the arc's target.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, Union, final

from grammax.automaton.finite.dfa import Dfa
from grammax.automaton.finite.nfa import NfaBuilder
from grammax.errors import AutomatonError, UnknownToken, VocabularyError
from grammax.vocabulary import Vocabulary

Label: TypeAlias = Union[str, "Machine", tuple["Label", ...]]
Arc: TypeAlias = tuple[int, Label, int]


@final
@dataclass(frozen=True)
class Machine:
    """Arcs are (source, label, target); state 0 is the start.

    >>> from grammax import Machine, Vocabulary
    >>> fpnm = Machine("FPNM", ((0, "-", 1), (0, "DIGIT", 2), (1, "DIGIT", 2), (2, "DIGIT", 2),
    ...                         (2, ".", 3), (3, "DIGIT", 4), (4, "DIGIT", 4)), {2, 4})
    >>> list_ = Machine("LIST", ((0, "[", 1), (1, fpnm, 2), (2, "]", 3)), {3})
    >>> kinds = {"DIGIT": "0123456789", "-": "-", ".": ".", "[": "[", "]": "]"}
    >>> vocabulary = Vocabulary(kinds)
    >>> dfa = list_.dfa(vocabulary)
    >>> dfa.accepts(vocabulary.kind_of(token) for token in "[-12.5]")
    True
    >>> dfa.accepts(vocabulary.kind_of(token) for token in "[12.]")
    False
    """

    name: str
    arcs: tuple[Arc, ...]
    final: frozenset[int] | set[int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "final", frozenset(self.final))
        states = {0} | {s for source, _, target in self.arcs for s in (source, target)}
        if not self.final or not self.final <= states or min(states) < 0:
            raise AutomatonError(
                f"the machine {self.name} has the states {sorted(states)}, and its final states "
                f"{sorted(self.final)} must be some of them"
            )

    def __or__(self, other: Machine) -> Machine:
        """The machine that accepts what either machine accepts; the paper writes "|", too."""
        return Machine(f"{self.name} | {other.name}", ((0, (self, other), 1),), {1})

    def __repr__(self) -> str:
        return f"Machine({self.name}, {len(self.arcs)} arcs)"

    def dfa(self, vocabulary: Vocabulary) -> Dfa:
        """The minimal automaton over the kinds of a vocabulary."""
        return _Compiler(vocabulary).dfa(self)


class _Compiler:
    """Compiles each machine once, however often it is used."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._kinds = {name: number for number, name in enumerate(vocabulary.kinds)}
        self._done: dict[int, Dfa] = {}

    def dfa(self, machine: Machine) -> Dfa:
        if id(machine) not in self._done:
            self._done[id(machine)] = self._compile(machine)
        return self._done[id(machine)]

    def _compile(self, machine: Machine) -> Dfa:
        nfa = NfaBuilder()
        for _ in range(max(max(source, target) for source, _, target in machine.arcs)):
            nfa.state()
        for source, label, target in machine.arcs:
            for part in _parts(label):
                if isinstance(part, Machine):
                    inner = self.dfa(part)
                    nfa.splice(inner.arcs, inner.final, source, target)
                else:
                    nfa.arc(source, self._kind(part, machine), target)
        return Dfa.from_nfa(nfa, machine.final).minimal()

    def _kind(self, label: str, machine: Machine) -> int:
        if label in self._kinds:
            return self._kinds[label]
        try:
            row = self._vocabulary.id(label)
        except UnknownToken as unknown:
            raise UnknownToken(
                label,
                f"the machine {machine.name} has an arc {label!r}, which is neither a kind nor a "
                f"token: {unknown}",
                unknown.nearest,
            ) from None
        kind = self._vocabulary.kinds_by_id[row]
        start, stop = self._vocabulary.span(kind)
        if stop - start > 1:
            raise VocabularyError(
                f"the machine {machine.name} tells the token {label!r} apart from others of kind "
                f"{self._vocabulary.kinds[kind]}; give it a kind of its own"
            )
        return kind


def _parts(label: Label) -> Iterator[str | Machine]:
    waiting: list[Label] = [label]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(reversed(part))
        else:
            yield part
