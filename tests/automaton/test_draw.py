"""Pictures of automata."""

import shutil
from pathlib import Path

import pytest

import grammax
from grammax.automaton.draw import draw, to_dot
from grammax.errors import DrawingError
from grammax.grammar import Grammar

NESTED = Grammar.read('start: "(" start ")" | NAME\nNAME: "a" | "b" | "say \\"hi\\""')


def test_kinds_are_collapsed_on_arcs() -> None:
    dot = to_dot(grammax.superset(NESTED))
    assert dot.startswith("digraph")
    assert 'label="NAME"' in dot
    assert '"a"' not in dot
    assert "doublecircle" in dot


def test_an_arc_with_many_kinds_is_shortened() -> None:
    grammar = Grammar.read("start: " + " | ".join(f'"t{i}"' for i in range(50)))
    assert "and 46 more kinds" in to_dot(grammax.superset(grammar))


def test_infinitely_many_states_are_cut_at_the_limit() -> None:
    dot = to_dot(grammax.lr(NESTED), limit=5)
    assert dot.count("shape=circle") + dot.count("shape=doublecircle") - 1 == 5
    assert "style=dashed" in dot
    assert "style=dashed" not in to_dot(grammax.superset(NESTED))


def test_dot_files_need_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    draw(grammax.superset(NESTED), tmp_path / "x.dot")
    assert (tmp_path / "x.dot").read_text().startswith("digraph")


def test_a_picture_without_graphviz_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DrawingError, match=r"needs Graphviz.*or draw to a .dot file"):
        draw(grammax.superset(NESTED), tmp_path / "x.svg")


def test_an_unknown_suffix_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(DrawingError, match=r"'\.gif'; pictures are \.svg, \.png, \.pdf or \.dot"):
        draw(grammax.superset(NESTED), tmp_path / "x.gif")


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize(("suffix", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_pictures_are_drawn(suffix: str, magic: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"x.{suffix}"
    draw(grammax.lr(NESTED), path, limit=10)
    assert path.read_bytes().startswith(magic)
