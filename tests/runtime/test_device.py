"""Batches on a device: the sentences are those that NumPy decodes, whatever the device knows."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="devices decode with PyTorch")

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from model.networks import SHORT, SMALL, a_trainer
from model.tiny import OPEN, TINY, UNSEEN_PAIRS, TinyDomain

from grammax.automaton.lr.engine import LrEngine
from grammax.reading.name_index import Match
from grammax.reading.parse import QueryNotice
from grammax.runtime.device import DeviceSearch
from grammax.runtime.device.grounding import DeviceGrounding
from grammax.runtime.device.network import exact
from grammax.runtime.device.search import NoSuchDevice
from grammax.runtime.grounding import GROUNDED, WHOLE, grounding_arrays
from grammax.runtime.grounding import NAMED as NAMED_MODE
from grammax.runtime.inputs import QueryInputs
from grammax.runtime.parser import RuntimeParser
from grammax.search import Decoded
from grammax.training.checkpoint import save_checkpoint

NAMED = replace(TINY, must_be_named=frozenset({"COUNTRY", "SECTOR"}))
MODELS = {
    "bracketed": (TINY, SMALL),
    "decisions": (TINY, replace(SMALL, decisions_only=True)),
    "open": (OPEN, SMALL),
    "open decisions": (OPEN, replace(SMALL, decisions_only=True)),
    "learnt rows": (TINY, replace(SMALL, rows="learnt", matches=False)),
    "named": (NAMED, replace(SMALL, decisions_only=True)),
    "named, every token": (NAMED, SMALL),
}
TEXTS = (
    *(pair.query for pair in (*TINY.train, *TINY.test, *UNSEEN_PAIRS)),
    "top 10 software in france not german not japanese",
    "steel ½ 東京",
    "german " * 40,
    "german " * 70,  # more names than a device can cover
)
GPU = [
    "cpu",
    pytest.param(
        "cuda",
        marks=[
            pytest.mark.gpu,
            pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU"),
        ],
    ),
]


@pytest.fixture(scope="module", params=MODELS)
def parser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """One that has learnt a little."""
    domain, model = MODELS[request.param]
    return learnt(domain, model, tmp_path_factory.mktemp("model"))


def learnt(domain: TinyDomain, model, folder: Path, epochs: int = 4) -> RuntimeParser:
    trainer = a_trainer(domain, model, replace(SHORT, epochs=max(1, epochs), batch=8))
    for _ in range(epochs):
        trainer.run()
    path = folder / "model.safetensors"
    save_checkpoint(path, trainer, [], final=True)
    return RuntimeParser.load(path, domain)


def assert_alike(found: Sequence[Decoded], wanted: Sequence[Decoded]) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert one.ids == other.ids
        assert one.tokens == other.tokens
        assert one.permitted == other.permitted
        assert one.scored == other.scored
        assert one.ending == other.ending
        log = other.log_probability
        assert one.log_probability == pytest.approx(log, abs=1e-4)


def a_search(parser: RuntimeParser, device: str) -> DeviceSearch:
    """One that knows no state of the automaton."""
    return DeviceSearch(parser.search.one, parser.automaton, parser.decode_batch, device)


@pytest.mark.parametrize("device", GPU)
def test_sentences_are_those_of_the_cpu_at_first_and_once_all_states_are_known(
    parser: RuntimeParser, device: str
) -> None:
    queries = [parser.read(text) for text in TEXTS]
    wanted = parser.decode_batch(queries)
    assert len({parse.tokens for parse in wanted}) > 5
    search = a_search(parser, device)
    assert_alike(search.decode(queries), wanted)
    before, too_many = search.left, sum(len(query.names) > 63 for query in queries)
    assert before > 0
    assert_alike(search.decode(queries), wanted)
    assert search.left == before + too_many


@settings(max_examples=20)
@given(texts=st.lists(st.sampled_from(TEXTS), max_size=40))
def test_any_queries_in_any_order_are_parsed_as_each_alone(
    parser: RuntimeParser, texts: list[str]
) -> None:
    wanted = [parser.parse(text) for text in texts]
    assert_alike(parser.parse_batch(texts, device="cpu"), wanted)


@pytest.mark.parametrize("budget", [8, 14, 21])
@pytest.mark.parametrize("name", ["decisions", "open", "open decisions", "named"])
def test_a_sentence_fits_its_budget(name: str, budget: int, tmp_path: Path) -> None:
    domain, model = MODELS[name]
    parser = learnt(domain, replace(model, budget=budget), tmp_path, epochs=0)
    queries = [parser.read(text) for text in TEXTS[::7]]
    wanted = parser.decode_batch(queries)
    search = a_search(parser, "cpu")
    search.decode(queries)
    before, too_many = search.left, sum(len(query.names) > 63 for query in queries)
    assert_alike(search.decode(queries), wanted)
    assert search.left == before + too_many


def test_a_full_table_begins_again(parser: RuntimeParser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grammax.runtime.device.automaton._STATES", 24)
    queries = [parser.read(text) for text in TEXTS]
    assert_alike(a_search(parser, "cpu").decode(queries), parser.decode_batch(queries))


def test_words_are_forgotten_when_the_table_is_full(
    parser: RuntimeParser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grammax.runtime.device.words._FIRST", 2)
    monkeypatch.setattr("grammax.runtime.device.words._ENTRIES", 60)
    search = a_search(parser, "cpu")
    for start in range(0, 60, 10):
        queries = [parser.read(text) for text in TEXTS[start : start + 10]]
        assert_alike(search.decode(queries), parser.decode_batch(queries))


MODES = {GROUNDED: "grounded", NAMED_MODE: "named", WHOLE: "whole"}


def test_models_with_names_choose_among_those_of_the_query(
    request: pytest.FixtureRequest, parser: RuntimeParser
) -> None:
    mode = MODES[a_search(parser, "cpu").model.mode]
    assert mode == ("named" if "named" in request.node.callspec.id else "whole")


def test_words_are_described_as_on_the_cpu_also_where_names_overlap(parser: RuntimeParser) -> None:
    if parser.weights.reader.names is None or not parser.weights.config.matches:
        pytest.skip("no names")
    ids = [parser.read(text).names[0].ids for text in ("german steel", "banks")]
    overlapping = replace(
        parser.weights.reader.read("one two three four"),
        names=(Match(0, 2, ids[0]), Match(1, 3, ids[1]), Match(1, 4, ids[0])),
    )
    queries = [parser.read("german steel"), overlapping, parser.read("top 10 banks in france")]
    search, w = a_search(parser, "cpu"), parser.weights
    with exact():
        prepared = search.prepare(queries)
    vectors, spelt, uncovered = (
        part.numpy() for part in search.model.words.split(search.model.words.rows[prepared.slots])
    )
    wanted = [QueryInputs(w).read(query) for query in queries]
    table = np.concatenate([vectors @ w.encoder_inputs + w.encoder_bias, spelt], 1)
    assert np.allclose(table, np.concatenate([each.table for each in wanted]), atol=1e-5)
    assert np.allclose(uncovered, np.concatenate([each.uncovered for each in wanted]), atol=1e-5)
    second = slice(*prepared.words_first[1:3])
    assert prepared.within[second].tolist() == [0b1, 0b111, 0b110, 0b100]


def test_no_queries_give_no_parses_and_an_unknown_device_is_refused(parser: RuntimeParser) -> None:
    assert parser.parse_batch([], device="cpu") == []
    with pytest.raises(NoSuchDevice, match="'abacus' cannot be used"):
        parser.parse_batch(["steel"], device="abacus")


@settings(max_examples=60)
@given(data=st.data())
def test_what_is_left_of_a_grammar_is_what_its_automaton_leaves(data: st.DataObject) -> None:
    from grammax.automaton.grounded import restriction

    automaton = TINY.automaton("lr")
    engine = automaton.engine
    assert isinstance(engine, LrEngine)
    kinds = range(len(automaton.vocabulary.kinds))
    must = data.draw(st.sets(st.sampled_from(kinds)))
    arrays = grounding_arrays(automaton, must)
    there = np.array([[data.draw(st.booleans()) for _ in kinds] for _ in range(3)])
    left = DeviceGrounding(arrays, torch.device("cpu")).restrict(torch.from_numpy(there))
    for row, given_kinds in enumerate(there):
        wanted = restriction(engine, frozenset(k for k in must if not given_kinds[k]))
        dead, tables = wanted._dead, engine.tables
        assert [not live for live in left.kinds[row].tolist()] == [k in dead for k in kinds]
        assert left.alive[row].tolist() == [
            any(dead.isdisjoint(tables.rule(rule)[1][dot:]) for rule, dot in kernel)
            for kernel in tables.kernels
        ]


@pytest.mark.slow
@pytest.mark.parametrize("device", GPU)
def test_the_shipped_model_decodes_its_test_queries_as_numpy_does(device: str) -> None:
    from domains.eqs.shared import eqs

    from grammax.domains import shipped_model

    parser = RuntimeParser.load(shipped_model("eqs"), eqs())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        queries = [parser.read(pair.query) for pair in eqs().pairs("test")]
    wanted = parser.decode_batch(queries)
    search = a_search(parser, device)
    assert_alike(search.decode(queries), wanted)
    before = search.left
    assert_alike(search.decode(queries), wanted)
    assert search.left == before
