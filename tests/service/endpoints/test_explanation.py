"""`/explain` has a time for each choice, and ordinary parsing no clock."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter, sleep
from typing import Any

import pytest

from grammax.runtime.observe import TimedDecoder
from grammax.service.worker import Worker

pytestmark = pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")
QUERY = "auto nysex last quarter mcap > $1bn"


def test_each_choice_has_its_own_time_and_what_is_forced_none(post) -> None:
    began = perf_counter()
    steps = post("/explain", {"query": QUERY})["steps"]
    took = perf_counter() - began
    chosen = [step["seconds"] for step in steps if step["scored"]]
    assert len(chosen) > 5
    assert all(seconds > 0 for seconds in chosen)
    assert len(set(chosen)) > 1  # not a share of the whole
    assert sum(chosen) < took
    assert {step["seconds"] for step in steps if not step["scored"]} == {0.0}


def test_a_step_that_is_slow_is_told_as_slow(worker: Worker) -> None:
    runtime = worker.snapshot.parser._runtime
    head = runtime.head
    calls = 0

    class Slow:
        end, tokens, memory_bytes = head.end, head.tokens, head.memory_bytes

        def scores(self, hidden: Any, options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == 4:
                sleep(0.05)
            return head.scores(hidden, options)

    parse = runtime.parse(QUERY)
    timed = TimedDecoder(runtime._decoder)
    found = replace(runtime.search, one=timed, head=Slow()).parse(runtime.read(QUERY))
    seconds = timed.finished()
    assert found.tokens == parse.tokens
    assert len(seconds) == sum(scored > 0 for scored in found.scored)
    assert [number for number, each in enumerate(seconds) if each >= 0.05] == [3]


def test_parsing_has_no_clock(post, monkeypatch) -> None:
    def broken(*_: object) -> None:
        raise AssertionError("a clock on the ordinary path")

    monkeypatch.setattr(TimedDecoder, "__init__", broken)
    post("/parse", {"query": QUERY})
    post("/ask", {"query": QUERY})
    assert post("/explain", {"query": QUERY}, 500)["error"]["code"] == "bug"
