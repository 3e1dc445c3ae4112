"""The steps of a parse: permitted and scored tokens, and the path through the automaton."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.explain import readable
from grammax.automaton.walk import walk
from grammax.parser import Parsed
from grammax.service.schemas.parsing import Edge, Node, Path, Step
from grammax.service.snapshot.snapshot import Snapshot

_KINDS: Final = 12  # listed per step; further ones are only counted
_RULES: Final = 2  # named in the label of a state


def explain_steps(
    parsed: Parsed, seconds: Sequence[float], snapshot: Snapshot
) -> tuple[list[Step], Path]:
    """The steps, and the path through the automaton; a state that recurs is one node.

    The path of a form with tokens that the query filled is empty: its automaton has slots for them.
    """
    automaton: Any = snapshot.automaton
    if any(token not in automaton.vocabulary for token in parsed.tokens):
        return _without_path(parsed, seconds, len(automaton.vocabulary)), Path([], [])
    vocabulary = automaton.vocabulary
    numbers: dict[Any, int] = {}
    path = Path([], [])
    steps: list[Step] = []
    walked = list(walk(automaton, parsed.tokens))
    here = _node(automaton, automaton.start, numbers, path.nodes)
    for index, token in enumerate(parsed.tokens):
        steps.append(
            Step(
                token=token,
                permitted=parsed.permitted[index],
                of=len(vocabulary),
                scored=parsed.scored[index],
                forced=parsed.permitted[index] == 1,
                kinds=_kinds(walked[index].permitted.kinds),
                seconds=seconds[index],
                words=parsed.sources[index],
                state=f"{here}: {path.nodes[here].label}",
            )
        )
        kind = readable(vocabulary.kinds[vocabulary.kind_of(token)])
        there = _node(automaton, walked[index + 1].state, numbers, path.nodes)
        path.edges.append(Edge(here, there, token, snapshot.domain.label(token), kind))
        here = there
    return steps, path


def _without_path(parsed: Parsed, seconds: Sequence[float], rows: int) -> list[Step]:
    return [
        Step(
            token=token,
            permitted=parsed.permitted[index],
            of=rows,
            scored=parsed.scored[index],
            forced=parsed.permitted[index] == 1,
            kinds=[],
            seconds=seconds[index],
            words=parsed.sources[index],
            state="",
        )
        for index, token in enumerate(parsed.tokens)
    ]


def _kinds(permitted: Sequence[str]) -> list[str]:
    kinds = [readable(kind) for kind in permitted]
    more = [f"and {len(kinds) - _KINDS} more"] if len(kinds) > _KINDS else []
    return [*kinds[:_KINDS], *more]


def _node(
    automaton: BoundAutomaton[Any], state: Any, numbers: dict[Any, int], nodes: list[Node]
) -> int:
    """The number of a state's node; a new node for a new state."""
    if state not in numbers:
        numbers[state] = len(nodes)
        where = "; ".join(automaton.engine.where(state)[:_RULES])
        accepts = automaton.accepts(state)
        label = where or ("complete" if accepts else "start")
        nodes.append(Node(len(nodes), label, accepts, automaton.next_tokens(state).size))
    return numbers[state]
