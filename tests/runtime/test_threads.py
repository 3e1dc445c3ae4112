"""The threads of BLAS: one while a query is decoded, and as they were before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Thread

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import grammax
from grammax.parser import Parser
from grammax.runtime.threads import SingleThreaded, single_threaded

QUERY = "steel western europe not german"


def limits() -> dict[str, int]:
    found = threadpool_info()
    return {each["filepath"]: each["num_threads"] for each in found if each["user_api"] == "blas"}


@pytest.fixture
def two() -> Iterator[dict[str, int]]:
    """A process in which each BLAS may use two threads."""
    with threadpool_limits(2, user_api="blas"):
        found = limits()
        if 2 not in found.values():
            pytest.skip("this BLAS has no threads")
        yield found


def test_loading_and_parsing_leave_the_threads_as_they_were(two: dict[str, int]) -> None:
    with grammax.load("eqs", compiled=False) as parser:
        assert limits() == two
        assert calls(parser)
        for call in calls(parser):
            call()
            assert limits() == two


def calls(parser: Parser) -> list[Callable[[], object]]:
    return [
        lambda: parser.parse(QUERY),
        lambda: parser.parse(QUERY, best=2),
        lambda: parser.parse_batch([QUERY] * 3),
        lambda: parser.step_seconds(QUERY),
    ]


def test_a_query_is_decoded_by_one_thread(
    two: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = grammax.load("eqs", compiled=False)
    seen: list[set[int]] = []
    for name in ("scores", "scores_of"):
        given = getattr(parser._runtime.head, name)

        def scores(*args: object, given: Callable[..., object] = given) -> object:
            seen.append(set(limits().values()))
            return given(*args)

        monkeypatch.setattr(parser._runtime.head, name, scores)
    for call in calls(parser):
        seen.clear()
        call()
        assert seen
        assert all(found == {1} for found in seen)
    assert limits() == two


def test_it_is_restored_by_the_last_of_several_threads(two: dict[str, int]) -> None:
    limiter = SingleThreaded()
    turns = [Barrier(2) for _ in range(3)]

    def first() -> None:
        with limiter:
            turns[0].wait()
            turns[1].wait()
        turns[2].wait()

    thread = Thread(target=first)
    thread.start()
    turns[0].wait()
    with limiter:
        turns[1].wait()
        turns[2].wait()  # the first has left, and it holds still
        assert set(limits().values()) == {1}
    thread.join()
    assert limits() == two


def test_many_threads_leave_it_as_it_was(two: dict[str, int]) -> None:
    parser = grammax.load("eqs", compiled=False)
    with ThreadPoolExecutor(4) as pool:
        forms = {found.lf for found in pool.map(parser.parse, [QUERY] * 40)}
    assert len(forms) == 1
    assert limits() == two


def test_it_may_be_nested_and_an_error_restores_it(two: dict[str, int]) -> None:
    def fail() -> None:
        with single_threaded:
            with single_threaded:
                pass
            assert set(limits().values()) == {1}
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert limits() == two


def test_a_limit_that_somebody_changed_meanwhile_is_left_alone(two: dict[str, int]) -> None:
    with single_threaded:
        threadpool_limits(3, user_api="blas")
    assert limits() == dict.fromkeys(two, 3)


def test_a_limit_of_ones_own_is_kept(tmp_path: Path) -> None:
    with threadpool_limits(1, user_api="blas"):
        before = limits()
        with pytest.raises(FileNotFoundError):
            grammax.load("eqs", tmp_path / "none.safetensors")
        with single_threaded:
            assert limits() == before
        assert limits() == before
