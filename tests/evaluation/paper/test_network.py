"""The network of the table: trained, kept, and read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="networks are trained with PyTorch")

from model.networks import SHORT, a_trainer, few
from model.tiny import TINY

from grammax.errors import FileFormatError
from grammax.evaluation.paper.network import (
    cached_path,
    new_trainer,
    saw_all_rows,
    stored_network,
    train,
)
from grammax.model.header import Epoch


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path))
    return cached_path(TINY)


def test_it_is_kept_by_domain_and_version(path: Path, tmp_path: Path) -> None:
    assert path == tmp_path / "bench-tiny-one.safetensors"


def test_it_is_the_default_network_and_sees_all_rows_at_the_end() -> None:
    trainer = new_trainer(few(8))
    config = trainer.config
    assert not trainer.network.config.decisions_only
    assert (config.softmax, config.grammar, config.epochs) == ("grammar", "lr", 100)
    assert [epoch for epoch in range(100) if config.sees_all_rows(epoch)] == [*range(88, 100)]


@pytest.mark.parametrize(("epochs", "full"), [(100, 12), (10, 1), (3, 1)])
def test_it_is_trained_as_its_domain_says(epochs: int, full: int) -> None:
    usual = {"epochs": epochs, "batch": 7}
    config = new_trainer(replace(few(8), settings=usual)).config
    assert (config.epochs, config.full_epochs, config.batch) == (epochs, full, 7)


@pytest.mark.parametrize("full_epochs", [0, 1])
def test_what_was_trained_is_read_again(path: Path, full_epochs: int) -> None:
    told: list[Epoch] = []
    config = replace(SHORT, epochs=2, full_epochs=full_epochs)
    train(a_trainer(few(8), config=config), path, finished=told.append)
    assert [epoch.number for epoch in told] == [1, 2]
    assert stored_network(path, TINY).config.budget == 40
    assert saw_all_rows(path) is bool(full_epochs)


def test_a_damaged_one_says_how_to_make_it_anew(path: Path) -> None:
    path.write_bytes(b"half a network")
    with pytest.raises(FileFormatError, match=r"not a checkpoint.*--train` trains it again"):
        stored_network(path, TINY)
