"""Epochs: the seed decides all, interruptions nothing, and what is held out is not learnt."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")

import json  # noqa: E402
import os  # noqa: E402
import signal  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
from dataclasses import replace  # noqa: E402
from math import inf, nan  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

from model.networks import (  # noqa: E402
    SHORT,
    SMALL,
    a_trainer,
    few,
    same_weights,
    trained,
    weights,
)
from model.tiny import OPEN, TINY, UNSEEN_PAIRS, TinyDomain  # noqa: E402

from grammax.errors import GrammaxError  # noqa: E402
from grammax.head.every_row import EveryRow  # noqa: E402
from grammax.language.domain import Pair  # noqa: E402
from grammax.model.config import ConfigError, Softmax, TrainingConfig  # noqa: E402
from grammax.model.header import read_header  # noqa: E402
from grammax.model.parser import TorchParser, output_layer  # noqa: E402
from grammax.search import Unconstrained  # noqa: E402
from grammax.training import stream  # noqa: E402
from grammax.training.checkpoint import resume_training, save_checkpoint  # noqa: E402
from grammax.training.examples import (  # noqa: E402
    Example,
    UntrainablePair,
    batches,
    divided,
)
from grammax.training.trainer import Diverged, Trainer  # noqa: E402

FEW = few(24)


def run(trainer: Trainer, epochs: int) -> Trainer:
    for _ in range(epochs):
        trainer.run()
    return trainer


def accuracy(parser: TorchParser, pairs: tuple[Pair, ...]) -> float:
    found = parser.parse_batch([pair.query for pair in pairs])
    return sum(f.tokens == p.tokens for f, p in zip(found, pairs, strict=True)) / len(pairs)


def test_the_same_seed_gives_the_same_weights_bit_for_bit() -> None:
    one, other = run(a_trainer(FEW), 2), a_trainer(FEW)
    for _ in range(2):
        torch.rand(7)  # what else draws random numbers does not matter
        other.run()
    assert same_weights(one.network, other.network)


def test_another_seed_gives_other_weights() -> None:
    one = run(a_trainer(FEW), 1)
    other = run(a_trainer(FEW, config=replace(SHORT, seed=1)), 1)
    mine, theirs = weights(one.network), weights(other.network)
    name = "encoder.forwards.weight_ih_l0"
    assert not torch.equal(mine[name], theirs[name])


@pytest.mark.parametrize("done", [1, 2])
def test_a_resumed_training_ends_in_the_weights_of_an_unbroken_one(
    done: int, tmp_path: Path
) -> None:
    config = replace(SHORT, full_epochs=1)
    unbroken = run(a_trainer(FEW, config=config), 3)
    file = tmp_path / "checkpoint"
    trainer = a_trainer(FEW, config=config)
    epochs = [trainer.run() for _ in range(done)]
    save_checkpoint(file, trainer, epochs)
    resumed, before = resume_training(file, FEW)
    assert before == epochs
    assert resumed.epochs_done == done
    run(resumed, 3 - done)
    assert same_weights(resumed.network, unbroken.network)


CHILD = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import torch
from model.networks import a_trainer, few
from grammax.training.checkpoint import save_checkpoint

def hang():
    print("now", flush=True)
    signal.pause()

trainer, epochs = a_trainer(few(24)), []
writes = []
if sys.argv[3] == "while writing":
    os.fsync = lambda file: hang() if len(epochs) == 2 else None
for number in range(3):
    epochs.append(trainer.run(lambda done, loss: hang() if number == 2 else None))
    save_checkpoint(Path(sys.argv[2]), trainer, epochs)
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")
@pytest.mark.parametrize(
    ("when", "kept"),
    [pytest.param("in an epoch", 2, marks=pytest.mark.slow), ("while writing", 1)],
)
def test_a_killed_training_goes_on_as_if_nothing_had_happened(
    when: str, kept: int, tmp_path: Path
) -> None:
    file = tmp_path / "checkpoint"
    tests = Path(__file__).parents[1]
    command = [sys.executable, "-c", CHILD, str(tests), str(file), when]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "now\n"
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
    trainer, epochs = resume_training(file, FEW)
    assert len(epochs) == kept
    run(trainer, 3 - kept)
    assert same_weights(trainer.network, run(a_trainer(FEW), 3).network)


def test_the_loss_falls_and_the_held_out_pairs_are_learnt() -> None:
    trainer = a_trainer(config=replace(SHORT, epochs=20))
    epochs = [trainer.run() for _ in range(20)]
    assert [epoch.number for epoch in epochs] == list(range(1, 21))
    assert epochs[-1].loss < 0.2 * epochs[0].loss
    assert epochs[-1].accuracy is not None
    assert epochs[-1].accuracy > 0.5
    assert all(epoch.seconds > 0 for epoch in epochs)
    assert trainer.epochs_done == 20


def test_what_was_learnt_holds_for_pairs_and_names_that_were_never_seen() -> None:
    parser = TorchParser.for_domain(trained().network, TINY)
    assert accuracy(parser, TINY.test) >= 0.8
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        assert accuracy(parser, tuple(UNSEEN_PAIRS)) >= 0.8


@pytest.mark.parametrize(
    ("domain", "softmax", "full_epochs"),
    [
        pytest.param(FEW, "full", 0, marks=pytest.mark.slow),
        pytest.param(OPEN, "full", 0, marks=pytest.mark.slow),
        (OPEN, "grammar", 30),
    ],
    ids=["bracketed", "open", "grammar first"],
)
def test_a_network_that_saw_all_rows_works_without_a_grammar(
    domain: TinyDomain, softmax: Softmax, full_epochs: int
) -> None:
    config = replace(SHORT, epochs=60, batch=8, held_out=0.0)
    config = replace(config, softmax=softmax, full_epochs=full_epochs)
    trainer = run(a_trainer(domain, config=config), 60)
    free = Unconstrained(domain.vocabulary)
    parser = TorchParser(trainer.network, free, EveryRow(output_layer(trainer.network)))
    assert accuracy(parser, domain.train) >= 0.5


def test_the_end_is_learnt_where_the_grammar_leaves_it_open() -> None:
    trainer = run(a_trainer(OPEN, config=replace(SHORT, epochs=25, batch=8, held_out=0.0)), 25)
    assert accuracy(TorchParser.for_domain(trainer.network, OPEN), OPEN.train) >= 0.5


def test_only_the_last_epochs_see_all_rows() -> None:
    plain = run(a_trainer(FEW), 2)
    mixed = run(a_trainer(FEW, config=replace(SHORT, full_epochs=1)), 2)
    assert same_weights(plain.network, mixed.network)
    assert not same_weights(run(plain, 1).network, run(mixed, 1).network)
    half = replace(SHORT, learning_rate=SHORT.learning_rate / 2)
    full = run(a_trainer(FEW, config=replace(half, softmax="full")), 1)
    always = run(a_trainer(FEW, config=replace(SHORT, full_epochs=3)), 1)
    assert same_weights(full.network, always.network)  # it begins with half the rate


def test_rows_that_the_grammar_never_permits_take_no_part() -> None:
    model = replace(SMALL, rows="learnt")
    domain = replace(FEW, train=tuple(p for p in FEW.train if "top" not in p.tokens))
    config = replace(SHORT, softmax="grammar", held_out=0.0)
    trainer = a_trainer(domain, model, config)
    digits = domain.vocabulary.ids("0123456789")
    before = trainer.network.rows.layer().weight[digits].clone()
    run(trainer, 2)
    assert torch.equal(trainer.network.rows.layer().weight[digits], before)


@pytest.mark.parametrize("value", [nan, inf])
def test_weights_that_are_no_numbers_stop_the_training(value: float, tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    trainer = a_trainer(FEW)
    save_checkpoint(file, trainer, [trainer.run()])
    whole = file.read_bytes()
    with torch.no_grad():
        trainer.network.encoder.forwards.weight_ih_l0.fill_(value)
    with pytest.raises(
        Diverged, match=r"in epoch 2, after 0 of 22 pairs.*lower learning_rate than 0.01"
    ):
        trainer.run()
    assert trainer.epochs_done == 1
    assert file.read_bytes() == whole
    assert len(read_header(file).epochs) == 1


@pytest.mark.parametrize("held_out", [0.0, 0.1])
def test_weights_that_the_last_step_ruined_are_noticed_too(held_out: float) -> None:
    """Else the next checkpoint would overwrite the last good one, and could not be read."""
    config = TrainingConfig(epochs=3, batch=99, learning_rate=3e38, held_out=held_out)
    trainer = a_trainer(FEW, config=config)
    with pytest.raises(Diverged, match="epoch 1"):
        trainer.run()
    assert trainer.epochs_done == 0


def test_held_out_pairs_are_not_trained_on() -> None:
    config = replace(SHORT, held_out=0.25)
    _, held_out = divided(FEW.train, 0.25, config.seed)
    assert len(held_out) == 6
    other = Pair("quite another query", ("(", "FLD_SECTOR", "EQ", "SEC_SOFTWARE", ")"))
    changed = replace(FEW, train=tuple(other if p in held_out else p for p in FEW.train))
    one, two = a_trainer(FEW, config=config), a_trainer(changed, config=config)
    assert one.held_out == held_out
    assert one.pairs == two.pairs == 18
    epochs = [one.run(), two.run()]
    assert [epoch.pairs for epoch in epochs] == [18, 18]
    assert same_weights(one.network, two.network)
    assert "quite" not in two.network.reader.words.known


def test_nothing_held_out_measures_nothing() -> None:
    epoch = a_trainer(FEW, config=replace(SHORT, held_out=0.0)).run()
    assert epoch.accuracy is None
    assert epoch.pairs == 24


@pytest.mark.parametrize("share", [0.0, 0.05, 0.3, 0.99])
def test_pairs_are_divided_in_their_order_and_none_is_lost(share: float) -> None:
    pairs = [Pair(str(number), ()) for number in range(41)]
    kept, held_out = divided(pairs, share, seed=5)
    assert len(held_out) == int(share * 41)
    for part in (kept, held_out):
        assert part == sorted(part, key=lambda pair: int(pair.query))
    assert sorted(kept + held_out, key=lambda pair: int(pair.query)) == pairs
    if held_out and kept:
        assert divided(pairs, share, seed=5) == (kept, held_out)
        assert divided(pairs, share, seed=6) != (kept, held_out)


def test_progress_is_told_after_every_batch() -> None:
    told: list[tuple[int, float]] = []
    trainer = a_trainer(FEW, config=replace(SHORT, batch=5, held_out=0.0))
    epoch = trainer.run(lambda done, loss: told.append((done, loss)))
    done = [pairs for pairs, _ in told]
    assert done == sorted(set(done))
    assert (len(done), done[-1]) == (5, 24)
    assert told[-1][1] == pytest.approx(epoch.loss)
    json.dumps(told)


def test_every_epoch_has_batches_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[list[str]]] = []

    def spied(*arguments: Any) -> list[list[Example]]:
        found = batches(*arguments)
        drawn.append([[example.query.text for example in batch] for batch in found])
        return found

    monkeypatch.setattr(stream, "batches", spied)
    run(a_trainer(FEW), 2)
    run(a_trainer(FEW), 2)
    assert drawn[0] != drawn[1]
    assert drawn[:2] == drawn[2:]


def test_training_leaves_no_dropout_behind() -> None:
    trainer = a_trainer(FEW, config=replace(SHORT, dropout=0.5))
    trainer.run()
    parser = TorchParser.for_domain(trainer.network, TINY)
    one, other = (parser.parse("german steel") for _ in range(2))
    assert one == other


def test_a_pair_that_does_not_fit_is_named() -> None:
    odd = Pair("an odd one", ("(", "FLD_SECTOR", "EQ", "COU_JAPAN", ")"))
    trainer = a_trainer(replace(FEW, train=(*FEW.train, odd)), config=replace(SHORT, held_out=0.0))
    with pytest.raises(UntrainablePair, match="'an odd one'"):
        trainer.run()


def test_training_without_pairs_is_refused() -> None:
    with pytest.raises(GrammaxError, match="no pairs"):
        a_trainer(replace(TINY, train=())).run()


def test_words_begin_with_vectors_that_are_known() -> None:
    network = a_trainer(FEW).network
    vector = torch.arange(SMALL.words, dtype=torch.float32)
    before = weights(network)["words.weight"]
    assert network.load_words({"german": vector.numpy(), "unheard": vector.numpy()}) == 1
    after = weights(network)["words.weight"]
    row = network.reader.words.id("german")
    assert torch.equal(after[row], vector)
    after[row] = before[row]
    assert torch.equal(after, before)


def test_decisions_only_and_all_rows_contradict_each_other() -> None:
    only = replace(SMALL, decisions_only=True)
    for config in (replace(SHORT, softmax="full"), replace(SHORT, full_epochs=1)):
        with pytest.raises(ConfigError, match="decisions_only"):
            a_trainer(model=only, config=config)
