"""Sizes and choices: what does not fit together is refused, and files bring them back."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, asdict
from math import nan
from typing import Any

import pytest

from grammax.model.config import ConfigError, ModelConfig, TrainingConfig, from_json


def test_the_decoder_begins_where_both_directions_end() -> None:
    assert ModelConfig(encoder=70).decoder == 140


def test_only_composed_rows_spell() -> None:
    assert ModelConfig(rows="composed", spelling=40).spelt == 40
    assert ModelConfig(rows="learnt", spelling=40).spelt == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"words": 0}, "words is 0; it must be above 0"),
        ({"encoder": -5}, "encoder is -5"),
        ({"budget": 0}, "budget is 0"),
        ({"longest_query": 0}, "longest_query is 0"),
        ({"rows": "copied"}, "rows is 'copied'; it is one of composed, learnt"),
        ({"hidden": 64, "spelling": 64}, "spelling is 64.*give 1 to 63"),
        ({"spelling": 0}, "spelling is 0"),
    ],
)
def test_a_model_that_cannot_be_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ModelConfig(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"epochs": 0}, "epochs is 0"),
        ({"batch": 0}, "batch is 0"),
        ({"learning_rate": 0}, "learning_rate is 0"),
        ({"learning_rate": nan}, "learning_rate is nan"),
        ({"max_grad_norm": -1.0}, "max_grad_norm is -1.0"),
        ({"softmax": "half"}, "softmax is 'half'; it is one of grammar, full"),
        ({"dropout": 1.0}, "dropout is 1.0; it is a share"),
        ({"held_out": -0.1}, "held_out is -0.1; it is a share"),
        ({"p_unknown": nan}, "p_unknown is nan; it is a share"),
        ({"epochs": 5, "full_epochs": 6}, "full_epochs is 6; it is part of the 5 epochs"),
        ({"full_epochs": -1}, "full_epochs is -1"),
    ],
)
def test_a_training_that_cannot_be_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TrainingConfig(**given)


def test_learnt_rows_need_no_room_to_spell() -> None:
    assert ModelConfig(rows="learnt", hidden=16, spelling=128).hidden == 16


def test_the_last_epochs_see_all_rows() -> None:
    config = TrainingConfig(epochs=5, full_epochs=2)
    assert [config.sees_all_rows(epoch) for epoch in range(5)] == [False] * 3 + [True] * 2
    assert not any(TrainingConfig(epochs=5).sees_all_rows(epoch) for epoch in range(5))
    full = TrainingConfig(softmax="full", epochs=5)
    assert all(full.sees_all_rows(epoch) for epoch in range(5))


def test_the_rate_never_rises_and_never_ends() -> None:
    config = TrainingConfig(epochs=20, learning_rate=0.5)
    rates = [config.learning_rate_at(epoch) for epoch in range(20)]
    assert rates[0] == 0.5
    assert rates == sorted(rates, reverse=True)
    assert 0 < rates[-1] < 0.1
    assert TrainingConfig(epochs=1, learning_rate=0.5).learning_rate_at(0) == 0.5


@pytest.mark.parametrize(
    "config",
    [
        ModelConfig(),
        ModelConfig(words=3, rows="learnt", decisions_only=True),
        TrainingConfig(),
        TrainingConfig(softmax="full", learning_rate=1, seed=7),
    ],
)
def test_a_configuration_survives_json(config: ModelConfig | TrainingConfig) -> None:
    assert from_json(type(config), json.loads(json.dumps(asdict(config)))) == config


def test_what_a_file_leaves_out_is_as_usual() -> None:
    assert from_json(ModelConfig, {"words": 7}) == ModelConfig(words=7)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"words": 7, "heads": 8, "layers": 2}, "has no heads, layers; it has words, encoder"),
        ({"words": "7"}, "words is '7'; it must be int"),
        ({"words": 7.5}, "words is 7.5; it must be int"),
        ({"words": True}, "words is True; it must be int"),
        ({"words": None}, "words is None"),
        ({"decisions_only": 1}, "decisions_only is 1; it must be bool"),
        ({"rows": ["composed"]}, "rows is"),
        ({"rows": "other"}, "rows is 'other'"),
        ({"words": -7}, "words is -7"),
    ],
)
def test_a_damaged_configuration_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_json(ModelConfig, values)


def test_configurations_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        ModelConfig().words = 7  # type: ignore[misc]


def test_names_of_earlier_releases_are_read() -> None:
    old = {"rate": 0.5, "clip": 2.0, "often": 3, "recombined": 0.1, "renumbered": 0.2}
    found = from_json(TrainingConfig, {**old, "swaps": 0.3, "unknown": 0.4})
    assert (found.learning_rate, found.max_grad_norm, found.min_count) == (0.5, 2.0, 3)
    assert (found.p_recombine, found.p_renumber, found.p_swap, found.p_unknown) == (
        0.1, 0.2, 0.3, 0.4,
    )  # fmt: skip
