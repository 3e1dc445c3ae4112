"""Compiled searches: they find what NumPy finds, whatever their tables hold."""

from __future__ import annotations

import pytest

pytest.importorskip("numba", reason="searches are compiled with Numba")
pytest.importorskip("torch", reason="networks are PyTorch's")

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from model.networks import SHORT, SMALL, a_trainer
from model.tiny import OPEN, TINY, TinyDomain

from grammax.automaton.grounded import _dead_symbols
from grammax.automaton.lr.engine import LrEngine
from grammax.model.precision import rounded
from grammax.runtime.compiled import arithmetic, inputs, search
from grammax.runtime.compiled.arrays import _smallest
from grammax.runtime.compiled.compile import (
    MODULES,
    callable_from_python,
    converts_half_precision,
    multiplies_bytes,
)
from grammax.runtime.compiled.grounding import find_dead
from grammax.runtime.compiled.room import Room, Rooms, Sizes
from grammax.runtime.grounding import grounding_arrays
from grammax.runtime.parser import NotCompiled, RuntimeParser
from grammax.runtime.states import UNKNOWN, StateTable
from grammax.runtime.weights import load_weights
from grammax.search import NoScore, QueriesFailed
from grammax.training.checkpoint import save_checkpoint

ONE = np.float32(1)
QUERIES = ("steel", "german steel not in south korea", "german " * 30, "東京 ½", "?")


@callable_from_python
def _tanh(x: np.float32) -> np.float32:
    return arithmetic.tanh(x)


@callable_from_python
def _exponential(x: np.float32) -> np.float32:
    return arithmetic.exponential(x)


@callable_from_python
def _add_products(sums: Any, given: Any, weight: arithmetic.Weight, factor: np.float32) -> None:
    arithmetic.add_products(sums, given, weight, factor)


@pytest.mark.parametrize(
    ("mine", "numpys", "low", "high"), [(_tanh, np.tanh, -9, 9), (_exponential, np.exp, -87, 0)]
)
def test_functions_are_right_to_a_few_bits(
    mine: Callable[..., float], numpys: Callable[..., float], low: float, high: float
) -> None:
    for x in np.linspace(low, high, 5_000, dtype=np.float32):
        assert mine(x) == pytest.approx(numpys(np.float64(x)), rel=4e-7)


def test_functions_end_where_numbers_do() -> None:
    assert np.isnan([_tanh(ONE * np.nan), _exponential(ONE * np.nan)]).all()
    assert _tanh(ONE * np.inf) == pytest.approx(1, rel=4e-7)
    assert _tanh(-ONE * np.inf) == pytest.approx(-1, rel=4e-7)
    assert _tanh(ONE * 1e-30) == pytest.approx(1e-30, rel=4e-7)
    assert 0 <= _exponential(-ONE * np.inf) < 1e-37


@pytest.mark.parametrize("precision", ["eight bits", "half", "single"])
@pytest.mark.parametrize("vectors", [1, 5])
def test_products_are_numpys_whatever_the_shape(precision: str, vectors: int) -> None:
    wanted = {"eight bits": np.int8, "half": np.uint16, "single": np.float32}[precision]
    if precision == "eight bits" and not multiplies_bytes():
        pytest.skip("this processor has no instruction for it")
    if precision == "half" and not converts_half_precision():
        pytest.skip("this processor has no instruction for it")
    rng = np.random.default_rng(vectors)
    for rows, columns in ((1, 1), (3, 15), (4, 64), (13, 131), (150, 174)):
        matrix = rng.normal(size=(rows, columns)).astype(np.float32)
        if precision == "eight bits":
            matrix = rounded(matrix.T).T
        elif precision == "half":
            matrix = matrix.astype(np.float16).astype(np.float32)
            matrix[0, 0] = 2048 + 1 / 3 if rows == columns == 1 else matrix[0, 0]
            matrix = matrix.astype(np.float16).astype(np.float32)
        (weight,) = _smallest([matrix])
        if rows > 3:  # a matrix of a few numbers may be exact in less than was meant
            assert weight.matrix.dtype == wanted
        given = np.tanh(rng.normal(size=(vectors, rows))).astype(np.float32)
        sums = np.ones((vectors, columns), np.float32)
        _add_products(sums, given, weight, ONE / 2)
        exact = 1 + given @ matrix / 2
        assert np.allclose(sums, exact, atol=1e-3 if wanted == np.int8 else 1e-5)


def a_parser(
    domain: TinyDomain = TINY, budget: int = 40, final: bool = True, folder: Path | None = None
) -> tuple[RuntimeParser, RuntimeParser]:
    """A parser with NumPy and a compiled one, of a network that has learnt a little."""
    assert folder is not None
    trainer = a_trainer(domain, replace(SMALL, budget=budget), replace(SHORT, epochs=1))
    trainer.run()
    path = folder / "model.safetensors"
    save_checkpoint(path, trainer, [], final=final)
    weights = load_weights(path, domain)
    automaton = domain.automaton(domain.grammars[-1])
    return RuntimeParser(weights, automaton), RuntimeParser(weights, automaton, compiled=True)


@pytest.fixture(scope="module")
def parsers(tmp_path_factory: pytest.TempPathFactory) -> tuple[RuntimeParser, RuntimeParser]:
    return a_parser(folder=tmp_path_factory.mktemp("model"))


def assert_alike(plain: RuntimeParser, compiled: RuntimeParser, text: str) -> None:
    query = plain.weights.reader.read(text)
    one, seen = plain.watch(query)
    other, also_seen = compiled.watch(query)
    wanted = (one.ids, one.permitted, one.scored, one.ending)
    assert (other.ids, other.permitted, other.scored, other.ending) == wanted
    assert other.log_probability == pytest.approx(one.log_probability, abs=1e-2)
    assert np.allclose(np.array(also_seen.attention), np.array(seen.attention), atol=1e-3)
    assert compiled.decode(query).ids == one.ids
    for width in (1, 2, 4):
        best, also_best = plain.best(query, width), compiled.best(query, width)
        assert [found.ids for found in also_best] == [found.ids for found in best]
        assert [found.scored for found in also_best] == [found.scored for found in best]
        assert [found.ending for found in also_best] == [found.ending for found in best]


def test_every_search_finds_what_numpy_finds(
    parsers: tuple[RuntimeParser, RuntimeParser],
) -> None:
    plain, compiled = parsers
    texts = [*QUERIES, *(pair.query for pair in TINY.train[:20])]
    for text in texts:
        assert_alike(plain, compiled, text)
    read = [plain.weights.reader.read(text) for text in texts]
    found = [(each.ids, each.ending) for each in compiled.decode_batch(read)]
    assert found == [(each.ids, each.ending) for each in plain.decode_batch(read)]


def test_what_earlier_searches_left_makes_no_difference(
    parsers: tuple[RuntimeParser, RuntimeParser], monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Rooms.take

    def littered(rooms: Rooms, sizes: Sizes) -> Room:
        room = take(rooms, sizes)
        for array in (*room.encoded, room.tokens, room.attention, *room.members):
            array.fill(np.nan if array.dtype.kind == "f" else 1)
        return room

    monkeypatch.setattr(Rooms, "take", littered)
    for text in QUERIES:
        assert_alike(*parsers, text)


def test_rooms_are_used_again_if_they_are_large_enough(
    parsers: tuple[RuntimeParser, RuntimeParser],
) -> None:
    found = parsers[1].compiled_search
    assert found is not None
    rooms = Rooms(found.decoder.weights.config, found.grounding)
    small, large = Sizes(1, 1, 3, 3, 2, 20), Sizes(1, 1, 70, 70, 40, 300)
    first = rooms.take(small)
    assert rooms.take(small) is not first  # it is in use
    rooms.give(first)
    assert rooms.take(small) is first
    rooms.give(first)
    second = rooms.take(large)
    assert all(there >= wanted for there, wanted in zip(second.sizes, large, strict=True))
    assert len(second.encoded[0]) >= large.words


@pytest.mark.parametrize("budget", [6, 7, 9, 12])
@pytest.mark.parametrize("domain", [TINY, OPEN], ids=["bracketed", "open"])
def test_short_budgets_are_met_as_with_numpy(
    domain: TinyDomain, budget: int, tmp_path: Path
) -> None:
    plain, compiled = a_parser(domain, budget, folder=tmp_path)
    for text in QUERIES:
        assert_alike(plain, compiled, text)
        assert len(compiled.decode(plain.weights.reader.read(text)).ids) <= budget


@pytest.mark.slow
def test_weights_in_single_precision_do_as_well(tmp_path: Path) -> None:
    plain, compiled = a_parser(final=False, folder=tmp_path)
    assert compiled.compiled_search is not None
    assert compiled.compiled_search.network.gates.matrix.dtype == np.float32
    for text in QUERIES:
        assert_alike(plain, compiled, text)


def test_tables_that_are_full_are_begun_again(
    parsers: tuple[RuntimeParser, RuntimeParser], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, compiled = parsers
    found = compiled.compiled_search
    assert found is not None
    longest = max(len(plain.parse(pair.query).ids) for pair in TINY.train[:20])
    monkeypatch.setattr(inputs, "_TOKENS", 4)
    monkeypatch.setattr(inputs, "_WORDS", 3)
    small = search.CompiledSearch(found.decoder, found.automaton, found.network)
    rooms = iter([2, 3, longest + 1])
    monkeypatch.setattr(
        search, "StateTable", lambda automaton: StateTable(automaton, next(rooms, 1_000))
    )
    small.states = StateTable(found.automaton, 2)
    for pair in TINY.train[:20]:
        query = plain.read(pair.query)
        assert small.greedy(query).decoded.ids == plain.decode(query).ids


def test_the_table_has_the_moves_of_the_automaton() -> None:
    automaton = TINY.automaton(TINY.grammars[-1])
    table = StateTable(automaton)
    for state in range(8):
        (kinds,) = np.nonzero(table.arrays.moves[state] == UNKNOWN)
        for kind in kinds.tolist():
            assert table.find(state, kind)
            assert table.find(state, kind)  # known by now
        if state >= len(table) - 1:
            break
    for number, state in enumerate(table._states):
        permitted = automaton.next_tokens(state)
        assert table.arrays.size[number] == permitted.size
        assert table.arrays.distance[number] == automaton.tokens_to_accept(state)
        assert set(np.nonzero(table.arrays.moves[number] != -1)[0]) == permitted.kind_numbers


@callable_from_python
def _find_dead(grounding: Any, kind_of: Any, rows: Any, dead: Any) -> None:
    find_dead(grounding, kind_of, rows, dead)


@settings(max_examples=60)
@given(st.data())
def test_symbols_die_as_in_python(data: st.DataObject) -> None:
    automaton = TINY.automaton(TINY.grammars[-1])
    assert isinstance(automaton.engine, LrEngine)
    kinds = range(len(automaton.vocabulary.kinds))
    must = data.draw(st.sets(st.sampled_from(kinds)))
    there = data.draw(st.sets(st.sampled_from(kinds)))
    arrays = grounding_arrays(automaton, must)
    rows = np.array([automaton.vocabulary.spans(kind)[0][0] for kind in sorted(there)], np.int64)
    kind_of = np.array(automaton.vocabulary.kinds_by_id, np.int32)
    dead = np.zeros(len(arrays.rules), np.bool_)
    _find_dead(arrays, kind_of, rows, dead)
    assert set(np.flatnonzero(dead)) == _dead_symbols(automaton.engine.tables, must - there)


def test_threads_at_once_find_what_each_finds_alone(
    parsers: tuple[RuntimeParser, RuntimeParser],
) -> None:
    _, parser = parsers
    texts = [pair.query for pair in TINY.train[:40]]
    alone = [parser.parse(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: [parser.parse(text) for text in texts], range(4)):
            assert found == alone


def test_damaged_weights_are_told(parsers: tuple[RuntimeParser, RuntimeParser]) -> None:
    plain, _ = parsers
    weights = plain.weights
    damaged = replace(weights, state_bias=np.full_like(weights.state_bias, np.nan))
    compiled = RuntimeParser(damaged, plain.automaton, compiled=True)
    with pytest.raises(NoScore, match="the model gives NaN"):
        compiled.parse("german steel")


def test_a_query_without_a_score_fails_alone_in_its_batch(
    parsers: tuple[RuntimeParser, RuntimeParser], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, compiled = parsers
    search = compiled.compiled_search
    assert search is not None
    texts = ["german", "german steel", "german zeppelin"]
    alone = compiled.parse_batch(texts)
    begin = type(search).begin

    def begin_unless_damaged(self: Any, queries: Any) -> Any:
        if any("steel" in query.words for query in queries):
            raise NoScore(5)
        return begin(self, queries)

    monkeypatch.setattr(type(search), "begin", begin_unless_damaged)
    with pytest.raises(QueriesFailed, match=r"1 of the 3 queries .* index 1") as failed:
        compiled.parse_batch(texts)
    assert sorted(failed.value.errors) == [1]
    assert [failed.value.found[0], failed.value.found[2]] == [alone[0], alone[2]]


def test_without_numba_nothing_is_compiled_and_to_insist_is_an_error(
    parsers: tuple[RuntimeParser, RuntimeParser], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, compiled = parsers
    assert compiled.compiled_search is not None
    weights, automaton = plain.weights, plain.automaton
    assert not RuntimeParser(weights, automaton, compiled=None).compiled  # see conftest.py
    monkeypatch.delenv("GRAMMAX_COMPILED")
    # Code for these types is stored by now, so it is loaded at once.
    assert RuntimeParser(weights, automaton, compiled=None).compiled_search is not None
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not RuntimeParser(weights, automaton, compiled=None).compiled
    with pytest.raises(NotCompiled, match=r"cannot be imported: .* 'grammax\[fast\]'"):
        RuntimeParser(weights, automaton, compiled=True)


def test_queries_are_parsed_while_code_is_being_compiled(
    parsers: tuple[RuntimeParser, RuntimeParser], monkeypatch: pytest.MonkeyPatch
) -> None:
    from threading import Event

    plain, _ = parsers
    begun, may_end = Event(), Event()

    def slowly(_: object) -> None:
        begun.set()
        may_end.wait(60)

    monkeypatch.delenv("GRAMMAX_COMPILED")
    monkeypatch.setattr(search.CompiledSearch, "is_stored", False)
    monkeypatch.setattr(search.CompiledSearch, "compile", slowly)
    parser = RuntimeParser(plain.weights, plain.automaton, compiled=None)
    assert begun.wait(60)
    assert parser.compiled_search is None
    assert parser.parse("german steel") == plain.parse("german steel")
    may_end.set()


def test_the_plain_runtime_does_not_load_numba() -> None:
    code = "import sys, grammax.runtime.parser; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.slow
def test_a_second_process_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path))
    code = (
        "import numpy as np\n"
        "from grammax.runtime.compiled.arithmetic import dot as f\n"
        "from numba import float32\n"
        "f.compile((float32[::1], float32[::1]))\n"
        "print(sum(f.stats.cache_hits.values()), sum(f.stats.cache_misses.values()))"
    )
    command = [sys.executable, "-c", code]
    said = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(2)]
    assert [done.stdout.split() for done in said] == [["0", "1"], ["1", "0"]]


def test_code_is_compiled_again_when_any_module_of_it_changes() -> None:
    folder = Path(search.__file__).parent
    marks = ("@compiled", "@callable_from_python", "intrinsic(")
    for file in folder.glob("*.py"):
        if any(mark in file.read_text(encoding="utf-8") for mark in marks):
            assert file.stem in MODULES, file.name
    assert all((folder / f"{name}.py").exists() for name in MODULES)
