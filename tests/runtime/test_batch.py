"""Queries in a batch: each is decoded, and parsed, as it is alone."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="models are trained with PyTorch")

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from model.networks import SHORT, SMALL, a_trainer
from model.tiny import OPEN, TINY, UNSEEN_PAIRS, TinyDomain

from grammax.reading.reader import EmptyQuery
from grammax.runtime.batch import RuntimeBatchDecoder
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.lstm import Array
from grammax.runtime.parser import RuntimeParser
from grammax.runtime.weights import load_weights
from grammax.search import Decoded
from grammax.search.protocol import Run
from grammax.training.checkpoint import save_checkpoint

PAIRS = TINY.train[:2] + TINY.train[30:33]
ids = TINY.vocabulary.ids


@pytest.fixture(scope="module", params=["composed", "learnt"])
def decoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """One that has its first weights."""
    path = tmp_path_factory.mktemp("model") / "model.safetensors"
    save_checkpoint(path, a_trainer(model=replace(SMALL, rows=request.param)), [])
    return RuntimeDecoder(load_weights(path, TINY))


def alone(decoder: RuntimeDecoder, query: str, runs: Sequence[Run]) -> list[Array]:
    """The hidden vectors before each run and after the last."""
    state = decoder.start(decoder.weights.reader.read(query))
    found = [decoder.hidden(state)]
    for run in runs:
        state = decoder.step(state, run)
        found.append(decoder.hidden(state))
    return found


def together(decoder: RuntimeDecoder, queries: Sequence[str]):
    """The same decoder for many, and its first states."""
    many = RuntimeBatchDecoder(decoder)
    return many, many.start([decoder.weights.reader.read(query) for query in queries])


def near(one: Array, other: Array) -> bool:
    return np.allclose(one, other, atol=1e-5)


def test_many_queries_are_decoded_as_each_alone(decoder: RuntimeDecoder) -> None:
    runs = [[(token,) for token in ids(pair.tokens)] for pair in PAIRS]
    lengths = {len(decoder.weights.reader.read(pair.query).ids) for pair in PAIRS}
    assert len(lengths) > 1
    assert len(set(map(len, runs))) > 1
    want = [alone(decoder, pair.query, run) for pair, run in zip(PAIRS, runs, strict=True)]
    many, states = together(decoder, [pair.query for pair in PAIRS])
    going = list(range(len(PAIRS)))
    for step in range(max(map(len, runs)) + 1):
        hidden = many.hidden(states, range(len(going)))
        for row, member in enumerate(going):
            assert near(hidden[row], want[member][step])
        kept = [row for row, member in enumerate(going) if step < len(runs[member])]
        going = [going[row] for row in kept]
        if kept:
            states = many.step(states, kept, [runs[member][step] for member in going])
    assert going == []


def test_a_run_of_several_tokens_is_read_at_once(decoder: RuntimeDecoder) -> None:
    german, steel, bracket = ids(["COU_GERMANY", "SEC_STEEL", ")"])
    runs = [(german, bracket, bracket), (steel,), (german, bracket), (german, steel)]
    queries = ["german steel", "steel", "german steel", "steel not german cars"]
    many, states = together(decoder, queries)
    hidden = many.hidden(many.step(states, range(4), runs), range(4))
    for row, (query, run) in enumerate(zip(queries, runs, strict=True)):
        assert near(hidden[row], alone(decoder, query, [run])[-1])
        one_by_one = alone(decoder, query, [(token,) for token in run])[-1]
        assert near(hidden[row], one_by_one) == (len(run) == 1)


def test_members_part_and_end_as_beams_do(decoder: RuntimeDecoder) -> None:
    queries = ["german steel", "top 10 banks in south korea", "cars"]
    paths = [
        (0, ["COU_GERMANY", "("]),
        (2, ["SEC_AUTOMOBILES", "SEC_AUTOMOBILES"]),
        (0, ["SEC_STEEL", "COU_GERMANY"]),
        (2, ["(", "top"]),
    ]
    many, states = together(decoder, queries)
    for step in range(2):
        members = [query for query, _ in paths] if step == 0 else range(len(paths))
        states = many.step(states, members, [(*ids([path[step]]),) for _, path in paths])
    asked = [3, 0, 0, 2]  # as many as there are, in another order
    hidden = many.hidden(states, asked)
    for row, member in enumerate(asked):
        query, path = paths[member]
        runs = [(token,) for token in ids(path)]
        assert near(hidden[row], alone(decoder, queries[query], runs)[-1])


def test_states_of_a_batch_are_values(decoder: RuntimeDecoder) -> None:
    many, states = together(decoder, ["german steel german", "cars"])
    before = many.hidden(states, [0, 1])
    for token in ids(["COU_GERMANY", "SEC_STEEL", "SEC_AUTOMOBILES", "("]):
        after = many.hidden(many.step(states, [0, 1], [(token,), (token,)]), [0, 1])
        assert not near(after, before)
    assert np.array_equal(many.hidden(states, [0, 1]), before)


MODELS = {
    "bracketed": (TINY, SMALL),
    "decisions": (TINY, replace(SMALL, decisions_only=True)),
    "open": (OPEN, SMALL),
}
TEXTS = (
    *(pair.query for pair in (*TINY.train, *TINY.test, *UNSEEN_PAIRS)),
    "top 10 software in france not german not japanese",
    "steel ½ 東京",
    "german " * 40,
)


@pytest.fixture(scope="module", params=MODELS)
def parser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """One that has learnt a little."""
    domain, model = MODELS[request.param]
    return learnt(domain, model, tmp_path_factory.mktemp("model"))


def learnt(domain: TinyDomain, model, folder: Path) -> RuntimeParser:
    trainer = a_trainer(domain, model, replace(SHORT, epochs=4, batch=8))
    for _ in range(4):
        trainer.run()
    path = folder / "model.safetensors"
    save_checkpoint(path, trainer, [], final=True)
    return RuntimeParser.load(path, domain)


def assert_alike(found: Sequence[Decoded], wanted: Sequence[Decoded]) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert one.tokens == other.tokens
        assert one.permitted == other.permitted
        assert one.scored == other.scored
        assert one.ending == other.ending
        log = other.log_probability
        assert one.log_probability == pytest.approx(log, abs=1e-4)


def test_more_queries_than_a_batch_holds_are_parsed_as_each_alone(parser: RuntimeParser) -> None:
    texts = (TEXTS * 2)[:150]
    wanted = [parser.parse(text) for text in texts]
    assert len({parse.tokens for parse in wanted}) > 5
    assert_alike(parser.parse_batch(texts), wanted)


@settings(max_examples=20)
@given(texts=st.lists(st.sampled_from(TEXTS), max_size=9))
def test_any_queries_in_any_order_are_parsed_as_each_alone(
    parser: RuntimeParser, texts: list[str]
) -> None:
    assert_alike(parser.parse_batch(texts), [parser.parse(text) for text in texts])


def test_no_queries_give_no_parses_and_an_empty_one_is_refused(parser: RuntimeParser) -> None:
    assert parser.parse_batch([]) == []
    with pytest.raises(EmptyQuery):
        parser.parse_batch(["german steel", " "])
