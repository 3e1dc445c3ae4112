"""Automata as pictures: DOT text always; SVG, PNG or PDF if Graphviz's `dot` is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.explain import readable
from grammax.errors import DrawingError

_KINDS_ON_AN_ARC = 4
_SECONDS = 60


def to_dot(automaton: BoundAutomaton[Any], limit: int = 200) -> str:
    """The automaton in DOT, with one arc between two states, labelled with its kinds.

    At most `limit` states are drawn, nearest to the start first, because an exact automaton may
    have infinitely many. Dashed arcs lead to the states that are not drawn.
    """
    states, arcs = _explore(automaton, limit)
    lines = [
        f"digraph {_quoted(automaton.name)} {{",
        "  rankdir=LR;",
        '  node [shape=circle, fontname="Helvetica", style=filled, fillcolor="#f4f4f4"];',
        '  edge [fontname="Helvetica", fontsize=10];',
        '  start [shape=none, label="", width=0, style=""];',
        "  start -> 0;",
    ]
    for number, state in enumerate(states):
        shape = "doublecircle" if automaton.accepts(state) else "circle"
        lines.append(f"  {number} [shape={shape}, tooltip={_quoted(_where(automaton, state))}];")
    if any(target is None for _, target in arcs):
        lines.append('  more [shape=none, label="…", style=""];')
    for (source, target), kinds in arcs.items():
        end = "more" if target is None else target
        dashed = ", style=dashed" if target is None else ""
        lines.append(f"  {source} -> {end} [label={_quoted(_label(kinds))}{dashed}];")
    return "\n".join([*lines, "}", ""])


def draw(automaton: BoundAutomaton[Any], path: Path, limit: int = 200) -> None:
    """Write the picture; the suffix of the path is its format."""
    suffix = path.suffix.lower().removeprefix(".")
    dot = to_dot(automaton, limit)
    if suffix in ("dot", "gv"):
        path.write_text(dot, encoding="utf-8")
        return
    if suffix not in ("svg", "png", "pdf"):
        raise DrawingError(
            f"{path} ends in {path.suffix or 'no suffix'!r}; pictures are .svg, .png, .pdf or .dot"
        )
    program = shutil.which("dot")
    if program is None:
        raise DrawingError(
            f"a .{suffix} picture needs Graphviz's program `dot`, which is not installed here. "
            f"Install Graphviz, or draw to a .dot file."
        )
    try:
        done = subprocess.run(
            [program, f"-T{suffix}"], input=dot.encode(), capture_output=True, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise DrawingError(
            f"`dot` did not finish within {_SECONDS} s; draw fewer states (limit={limit})"
        ) from None
    if done.returncode:
        raise DrawingError(f"`dot` failed: {done.stderr.decode(errors='replace').strip()}")
    path.write_bytes(done.stdout)


def _explore(
    automaton: BoundAutomaton[Any], limit: int
) -> tuple[list[Any], dict[tuple[int, int | None], list[str]]]:
    """The states nearest to the start, and the kinds on the arcs between them."""
    engine, names = automaton.engine, automaton.vocabulary.kinds
    states = [engine.start]
    number = {engine.start: 0}
    arcs: dict[tuple[int, int | None], list[str]] = {}
    for source, state in enumerate(states):
        for kind in sorted(automaton.next_tokens(state).kind_numbers):
            target = engine.move(state, kind)
            if target not in number and len(states) < limit:
                number[target] = len(states)
                states.append(target)
            arcs.setdefault((source, number.get(target)), []).append(names[kind])
    return states, arcs


def _label(kinds: list[str]) -> str:
    shown = [readable(kind) for kind in kinds[:_KINDS_ON_AN_ARC]]
    rest = len(kinds) - len(shown)
    return "\n".join([*shown, f"and {rest:,} more kinds"] if rest else shown)


def _where(automaton: BoundAutomaton[Any], state: Any) -> str:
    return "\n".join(automaton.engine.where(state)[:6])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
