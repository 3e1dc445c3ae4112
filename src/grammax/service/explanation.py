"""A parse → each of its steps: what the grammar permitted, what was scored, and the states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.explain import readable
from grammax.parser import Parsed
from grammax.service.serving import Serving
from grammax.service.shown import Json

_KINDS: Final = 12  # of a step: more are only counted
_RULES: Final = 2  # that are under way, in what is said of a state


def explained(
    parsed: Parsed, seconds: Sequence[float], serving: Serving
) -> tuple[list[Json], Json]:
    """The steps, and the path through the automaton: states that were met again are one node."""
    automaton: Any = serving.automaton
    of = len(automaton.vocabulary)
    numbers: dict[Any, int] = {}
    nodes: list[Json] = []
    edges: list[Json] = []
    steps: list[Json] = []
    state = automaton.start
    here = _node(automaton, state, numbers, nodes)
    for place, token in enumerate(parsed.tokens):
        permitted = automaton.next_tokens(state)
        kinds = [readable(kind) for kind in permitted.kinds]
        more = [f"and {len(kinds) - _KINDS} more"] if len(kinds) > _KINDS else []
        steps.append(
            {
                "token": token,
                "permitted": parsed.permitted[place],
                "of": of,
                "scored": parsed.scored[place],
                "forced": parsed.permitted[place] == 1,
                "kinds": [*kinds[:_KINDS], *more],
                "seconds": seconds[place],
                "words": parsed.sources[place],
                "state": f"{here}: {nodes[here]['label']}",
            }
        )
        kind = automaton.vocabulary.kinds[automaton.vocabulary.kind_of(token)]
        state = automaton.pass_token(state, token)
        there = _node(automaton, state, numbers, nodes)
        label = serving.domain.label(token)
        edges.append(
            {
                "source": here,
                "target": there,
                "token": token,
                "label": label,
                "kind": readable(kind),
            }
        )
        here = there
    return steps, {"nodes": nodes, "edges": edges}


def _node(
    automaton: BoundAutomaton[Any], state: Any, numbers: dict[Any, int], nodes: list[Json]
) -> int:
    if state not in numbers:
        numbers[state] = len(nodes)
        where = "; ".join(automaton.engine.where(state)[:_RULES])
        accepts = automaton.accepts(state)
        nodes.append(
            {
                "id": len(nodes),
                "label": where or ("complete" if accepts else "start"),
                "accepts": accepts,
                "permitted": automaton.next_tokens(state).size,
            }
        )
    return numbers[state]
