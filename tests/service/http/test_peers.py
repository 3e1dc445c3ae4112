"""Which connection makes room for a new one."""

from __future__ import annotations

import pytest

from grammax.service.http import peers
from grammax.service.http.peers import Peers


@pytest.fixture(autouse=True)
def _few(monkeypatch) -> None:
    monkeypatch.setattr(peers, "CONNECTIONS", 6)
    monkeypatch.setattr(peers, "CLIENT_CONNECTIONS", 4)


def test_a_client_that_has_too_many_gives_up_its_own() -> None:
    found: Peers[str] = Peers()
    found.add("one", "honest")
    for name in "abcde":
        found.add("many", name)
    assert found.is_full("many", is_proxy=False)
    assert not found.is_full("many", is_proxy=True)
    assert found.superfluous("many", "e") == "a"


def test_what_waited_longest_goes_first_and_what_works_stays() -> None:
    found: Peers[str] = Peers()
    for name in "abcde":
        found.add("many", name)
    found.works("many", "a")
    found.waits("many", "b")
    assert found.superfluous("many", "e") == "c"
    for name in "bcd":
        found.works("many", name)
    assert found.superfluous("many", "e") is None


def test_if_there_are_too_many_the_client_with_most_gives_up_one() -> None:
    found: Peers[str] = Peers()
    found.add("one", "honest")
    for name in "abcd":
        found.add("many", name)
    for name in "xy":
        found.add("some", name)
    assert found.is_full("some", is_proxy=False)
    assert found.superfluous("some", "y") == "a"
    found.remove("many", "a")
    found.remove("many", "a")  # again, when its connection is lost
    assert not found.is_full("some", is_proxy=False)
    assert sorted(found.of("many")) == ["b", "c", "d"]
