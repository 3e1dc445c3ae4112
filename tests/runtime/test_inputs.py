"""What the encoder reads: put together from what was met before, it is what is made anew."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="a network is trained first")

from dataclasses import replace  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from model.networks import SHORT, SMALL, a_trainer  # noqa: E402
from model.tiny import TINY  # noqa: E402

from grammax.reading.name_index import Match  # noqa: E402
from grammax.runtime.inputs import QueryInputs  # noqa: E402
from grammax.runtime.weights import Weights, load_weights  # noqa: E402
from grammax.training.checkpoint import save_checkpoint  # noqa: E402


@pytest.fixture(scope="module", params=["composed", "learnt"])
def weights(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Weights:
    path: Path = tmp_path_factory.mktemp("model") / "model.safetensors"
    trainer = a_trainer(TINY, replace(SMALL, rows=request.param), SHORT)
    trainer.run()
    save_checkpoint(path, trainer, [], final=True)
    return load_weights(path, TINY)


@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
def test_remembered_words_and_names_add_up_to_the_features(weights: Weights, again: bool) -> None:
    inputs = QueryInputs(weights)
    for pair in TINY.train:
        query = weights.reader.read(pair.query)
        for _ in range(1 + again):
            found = inputs.read(query)
        for mine, made in zip(found, inputs._computed(query), strict=True):
            assert np.allclose(mine, made, atol=1e-5)


def test_what_is_remembered_is_not_changed_by_who_uses_it(weights: Weights) -> None:
    inputs = QueryInputs(weights)
    query = weights.reader.read(TINY.train[0].query)
    before = [part.copy() for part in inputs.read(query)]
    for part in inputs.read(query):
        part[:] = 7
    assert all(map(np.array_equal, inputs.read(query), before))


def test_names_that_overlap_are_described_together(weights: Weights) -> None:
    if weights.reader.names is None:
        pytest.skip("no names")
    ids = weights.reader.read(TINY.train[0].query).names[0].ids
    query = replace(
        weights.reader.read("one two three"), names=(Match(0, 2, ids), Match(1, 3, ids))
    )
    inputs = QueryInputs(weights)
    for mine, made in zip(inputs.read(query), inputs._computed(query), strict=True):
        assert np.array_equal(mine, made)
