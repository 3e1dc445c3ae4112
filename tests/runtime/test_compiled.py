"""Compiled loops: they say what NumPy says, in half precision and without."""

from __future__ import annotations

import pytest

pytest.importorskip("numba", reason="loops are compiled with Numba")

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from runtime.test_head import SEEN, SIZES, VOCABULARY, Layer, a_layer

from grammax.head import Options
from grammax.runtime import kernel
from grammax.runtime.cache import OutputRows
from grammax.runtime.compiled import CompiledDecoder, CompiledSpans, to_float16
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.head import RowParts, RuntimeSpans
from grammax.runtime.parser import NotCompiled, RuntimeParser
from grammax.runtime.weights import Weights, load_weights

ONE = np.float32(1)


@pytest.mark.parametrize(
    ("mine", "numpys", "low", "high"),
    [(kernel.tanh, np.tanh, -9, 9), (kernel.exponential, np.exp, -87, 0)],
)
def test_functions_are_right_to_a_few_bits(mine, numpys, low: float, high: float) -> None:
    for x in np.linspace(low, high, 5_000, dtype=np.float32):
        assert mine(x) == pytest.approx(numpys(np.float64(x)), rel=4e-7)


def test_functions_end_where_numbers_do() -> None:
    assert np.isnan([kernel.tanh(ONE * np.nan), kernel.exponential(ONE * np.nan)]).all()
    assert kernel.tanh(ONE * np.inf) == pytest.approx(1, rel=4e-7)
    assert kernel.tanh(-ONE * np.inf) == pytest.approx(-1, rel=4e-7)
    assert kernel.tanh(ONE * 1e-30) == pytest.approx(1e-30, rel=4e-7)
    assert 0 <= kernel.exponential(-ONE * np.inf) < 1e-37


def test_only_what_is_exact_is_to_float16() -> None:
    exact = np.array([[0, -1.5, 65504, 2**-24, 1 / 3]], np.float16).astype(np.float32)
    assert to_float16(exact).dtype == np.uint16
    assert np.array_equal(to_float16(exact).view(np.float16), exact)
    for number in (1 + 2**-11, 65520, 1e9, 2**-25, np.nan):
        other = exact.copy()
        other[0, 0] = number
        assert to_float16(other).dtype == np.float32
        assert np.array_equal(to_float16(other), other, equal_nan=True)


@pytest.mark.parametrize("rows", [1, 3, 4, 6, 13])
@pytest.mark.parametrize("exact", [False, True], ids=["single", "half"])
def test_products_are_numpys_whatever_the_shape(rows: int, exact: bool) -> None:
    rng = np.random.default_rng(rows)
    for columns in (1, 15, 64, 131):
        given, matrix = (rng.normal(size=n).astype(np.float32) for n in (rows, (rows, columns)))
        if exact:
            matrix = matrix.astype(np.float16).astype(np.float32)
        sums = np.ones(columns, np.float32)
        kernel._add_product(sums, given, to_float16(matrix), ONE / 2)
        assert np.allclose(sums, 1 + given @ matrix / 2, atol=1e-5)


def the_weights(rows: str, half: bool, folder: Path) -> Weights:
    """Of a tiny network that has not learnt anything."""
    pytest.importorskip("torch", reason="networks are PyTorch's")
    from model.networks import SMALL, a_trainer
    from model.tiny import TINY

    from grammax.training.checkpoint import save_checkpoint

    path = folder / "model.safetensors"
    save_checkpoint(path, a_trainer(model=replace(SMALL, rows=rows)), [], final=half)
    return load_weights(path, TINY)


@pytest.fixture(scope="module", params=["composed", "learnt"])
def rows(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module", params=[False, True], ids=["single", "half"])
def half(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.fixture(scope="module")
def weights(rows: str, half: bool, tmp_path_factory: pytest.TempPathFactory) -> Weights:
    return the_weights(rows, half, tmp_path_factory.mktemp("model"))


QUERIES = ("steel", "german steel not in south korea", "german " * 30, "東京 ½")
RUNS = [(4,), (1, 2, 3), (0,), (7, 7)]


def test_each_step_is_that_of_the_plain_decoder(weights: Weights, half: bool) -> None:
    plain = RuntimeDecoder(weights)
    compiled = CompiledDecoder(plain)
    assert compiled._gates.dtype == (np.uint16 if half else np.float32)
    for text in QUERIES:
        query = weights.reader.read(text)
        named = [(token,) for match in query.names for token in match.ids]
        one, other = plain.start(query), compiled.start(query)
        for run in [*RUNS, *named]:
            for mine, numpys in zip(compiled.attend(other), plain.attend(one), strict=True):
                assert mine.dtype == np.float32
                assert np.allclose(mine, numpys, atol=1e-5)
            one, other = plain.step(one, run), compiled.step(other, run)
        assert other.covered == one.covered
        assert bool(named) <= bool(other.covered)


def test_states_are_values(weights: Weights) -> None:
    decoder = CompiledDecoder(RuntimeDecoder(weights))
    state = decoder.start(weights.reader.read("german steel german"))
    before = decoder.hidden(state).copy()
    for run in RUNS:
        assert not np.allclose(decoder.hidden(decoder.step(state, run)), before, atol=1e-6)
    assert np.array_equal(decoder.hidden(state), before)


def heads(layer: Layer) -> tuple[RuntimeSpans, CompiledSpans]:
    plain = RuntimeSpans(layer.output, len(VOCABULARY))
    return plain, CompiledSpans(plain, layer.parts)


def rounded(layer: Layer) -> Layer:
    """With learnt parts that are exact in half precision; rows are theirs no more."""
    kinds, own = (
        a.astype(np.float16).astype(np.float32) for a in (layer.parts.kinds, layer.parts.own)
    )
    composed = kinds[layer.parts.kind_of]
    composed[layer.parts.seen] += own
    rows = np.concatenate([composed[:, :-1], layer.output.spelt], 1)
    parts = RowParts(kinds, own, layer.parts.seen, layer.parts.kind_of)
    spelt = layer.output.spelt.shape[1]
    return replace(layer, parts=parts, output=OutputRows.from_whole(rows, composed[:, -1], spelt))


@settings(max_examples=60)
@given(
    st.sets(st.integers(0, len(SIZES) - 1), min_size=1),
    st.booleans(),
    st.booleans(),
    st.integers(0, 99),
)
def test_the_head_scores_and_chooses_as_the_plain_one(
    kinds: set[int], may_end: bool, exact: bool, seed: int
) -> None:
    layer = a_layer(SIZES, SEEN, learnt=7, spelt=33, seed=seed)
    plain, compiled = heads(rounded(layer) if exact else layer)
    assert (compiled.tokens, compiled.end) == (plain.tokens, plain.end)
    options = Options(VOCABULARY.permitted(kinds), may_end)
    hidden = layer.hidden()
    for _ in range(2):  # options that were met before, too
        one, other = plain.scores(hidden, options), compiled.scores(hidden, options)
        assert other.size == one.size
        among = [one.spans[0]]
        for asked in ((1,), (3,), (1, among), (2, among)):
            pairs = zip(one.best(*asked), other.best(*asked), strict=True)
            for (token, log), (same, alike) in pairs:
                assert token == same
                assert log == pytest.approx(alike, abs=1e-4)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_no_token_is_chosen_by_a_damaged_vector(number: float) -> None:
    layer = a_layer(SIZES, SEEN)
    hidden = layer.hidden()
    hidden[-1] = number
    options = Options(VOCABULARY.permitted({0, 2}))
    for head in heads(layer):
        with np.errstate(invalid="ignore"):
            assert head.scores(hidden, options).best(1) == []


def test_threads_at_once_find_what_each_finds_alone(weights: Weights) -> None:
    from model.tiny import TINY

    parser = RuntimeParser(weights, TINY.automaton(TINY.grammars[-1]), compiled=True)
    texts = [pair.query for pair in TINY.train[:40]]
    alone = [parser.parse(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: [parser.parse(text) for text in texts], range(4)):
            assert found == alone


def test_without_numba_nothing_is_compiled_and_to_insist_is_an_error(
    weights: Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    from model.tiny import TINY

    automaton = TINY.automaton(TINY.grammars[-1])
    assert isinstance(RuntimeParser(weights, automaton, compiled=None).search.one, CompiledDecoder)
    assert isinstance(RuntimeParser(weights, automaton).search.one, RuntimeDecoder)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert isinstance(RuntimeParser(weights, automaton, compiled=None).search.one, RuntimeDecoder)
    with pytest.raises(NotCompiled, match=r"cannot be imported: .* 'grammax\[fast\]'"):
        RuntimeParser(weights, automaton, compiled=True)


def test_no_query_waits_for_the_compiler(weights: Weights) -> None:
    from model.tiny import TINY

    parser = RuntimeParser(weights, TINY.automaton(TINY.grammars[-1]), compiled=True)
    functions = (kernel.encode, kernel.read, kernel.attend, kernel.score)
    before = [len(function.signatures) for function in functions]
    for text in QUERIES:
        parser.watch(parser.weights.reader.read(text))
    assert [len(function.signatures) for function in functions] == before


def test_the_plain_runtime_does_not_load_numba() -> None:
    code = "import sys, grammax.runtime.parser; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_without_a_folder_to_keep_it_in_it_is_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from numba import njit

    def nowhere(cache: bool = False, **options: object):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(kernel, "njit", nowhere)
    assert kernel._compiled(lambda x: x + 1)(2) == 3


@pytest.mark.slow
def test_a_second_process_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    code = (
        "import numpy as np; from grammax.runtime.kernel import read as f; a = np.ones(8, 'f4'); "
        "f(np.ones((2, 2), 'f4'), a, np.ones((2, 8), 'f4')); "
        "print(sum(f.stats.cache_hits.values()), sum(f.stats.cache_misses.values()))"
    )
    command = [sys.executable, "-c", code]
    said = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(2)]
    assert [done.stdout.split() for done in said] == [["0", "1"], ["1", "0"]]
