"""Workers take turns: who has fewest connections, and among those who has waited longest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grammax.service import counts
from grammax.service.counts import Counts


@pytest.fixture
def two(tmp_path: Path, monkeypatch) -> tuple[Counts, Counts]:
    """Two workers: this process and its parent, which lives as long."""
    one = Counts(tmp_path / "connections")
    monkeypatch.setattr(os, "getpid", os.getppid)
    return one, Counts(tmp_path / "connections")


def test_who_has_more_connections_waits(two: tuple[Counts, Counts]) -> None:
    one, other = two
    one.tell(3)
    other.tell(2)
    assert (one.is_my_turn(), other.is_my_turn()) == (False, True)
    one.tell(1)
    assert (one.is_my_turn(), other.is_my_turn()) == (True, False)


def test_among_equals_who_took_the_last_waits(two: tuple[Counts, Counts]) -> None:
    one, other = two
    one.took()
    assert (one.is_my_turn(), other.is_my_turn()) == (False, True)
    other.took()
    assert (one.is_my_turn(), other.is_my_turn()) == (True, False)


def test_no_one_waits_for_a_worker_that_ends(two: tuple[Counts, Counts]) -> None:
    one, other = two
    one.tell(3)
    assert not one.is_my_turn()
    other.leave()
    assert one.is_my_turn()


def test_no_one_waits_for_the_dead_and_a_new_worker_takes_their_place(tmp_path: Path) -> None:
    path = tmp_path / "connections"
    script = "import sys, pathlib; from grammax.service.counts import Counts\n"
    script += "Counts(pathlib.Path(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    one = Counts(path)
    assert one._mine == 0
    one.tell(3)
    assert one.is_my_turn()


def test_who_cannot_be_counted_takes_what_comes(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(counts, "_WORKERS", 1)
    first = Counts(tmp_path / "connections")
    second = Counts(tmp_path / "connections")
    second.tell(9)
    second.took()
    assert (first._mine, second._mine) == (0, None)
    assert second.is_my_turn()
