"""The steps of epochs: the seed decides them, the number of processes does not."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")

from dataclasses import replace  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from model.networks import SHORT, SMALL, a_trainer, few, same_weights  # noqa: E402
from model.tiny import TINY  # noqa: E402

from grammax.model.choices import Choices, ManyRows, arrays  # noqa: E402
from grammax.training.checkpoint import resume_training, save_checkpoint  # noqa: E402
from grammax.training.padding import padded, step_shape  # noqa: E402
from grammax.training.recorded import RecordedSteps  # noqa: E402
from grammax.training.stream import Bucket, Step  # noqa: E402
from grammax.training.trainer import Trainer  # noqa: E402
from grammax.training.workers import usable_workers  # noqa: E402

FEW = few(40)
TWICE = replace(SHORT, epochs=5, redraw=2)


def same_step(one: Step, other: Step) -> bool:
    pairs = zip(arrays(one), arrays(other), strict=True)
    return len(one) == len(other) and all(np.array_equal(*pair) for pair in pairs)


def run(trainer: Trainer, epochs: int) -> Trainer:
    for _ in range(epochs):
        trainer.run()
    return trainer


@pytest.mark.skipif(not usable_workers(1), reason="processes are not forked here")
@pytest.mark.parametrize("workers", [1, 3])
def test_the_weights_do_not_depend_on_the_number_of_processes(workers: int) -> None:
    config = replace(SHORT, full_epochs=1)
    alone = run(Trainer(TINY, SMALL, config, workers=0), 3)
    helped = run(Trainer(TINY, SMALL, config, workers=workers), 3)
    assert same_weights(alone.network, helped.network)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_weights_do_not_depend_on_the_number_of_threads(threads: int) -> None:
    config = replace(SHORT, batch=64)  # of two parts
    torch.set_num_threads(threads)
    try:
        trainer = run(a_trainer(config=config), 2)
        assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(1)
    assert same_weights(trainer.network, run(a_trainer(config=config), 2).network)


def test_a_batch_in_parts_has_the_gradient_of_the_whole() -> None:
    config = replace(SHORT, dropout=0.0, p_unknown=0.0)
    one, other = a_trainer(config=config), a_trainer(config=config)
    batch = one.examples(False)[:40]
    random = np.random.default_rng(0)
    whole = replace(one.maker(), parts=1).step(batch, random)
    parts = replace(other.maker(), parts=2).step(batch, random)
    assert [len(whole), len(parts)] == [1, 2]
    assert float(one.learn(whole)) == pytest.approx(float(other.learn(parts)), rel=1e-5)
    pairs = zip(one.network.parameters(), other.network.parameters(), strict=True)
    for mine, theirs in pairs:
        assert (mine.grad is None) == (theirs.grad is None)
        if mine.grad is not None and theirs.grad is not None:
            assert torch.allclose(mine.grad, theirs.grad, atol=1e-5)


@pytest.mark.parametrize("only", [False, True])
@pytest.mark.parametrize("pairs", [1, 7, 16])
def test_a_batch_of_a_rounded_shape_has_the_gradient_of_the_batch(only: bool, pairs: int) -> None:
    config = replace(SHORT, dropout=0.0, p_unknown=0.0)
    model = replace(SMALL, decisions_only=only)
    one, other = (a_trainer(TINY, model, config) for _ in range(2))
    steps = RecordedSteps(other.network, other.optimizer, 16, config.max_grad_norm, graphs=False)
    maker = replace(one.maker(), parts=1)
    for start in range(0, 48, 16):
        batch = one.examples(False)[start : start + pairs]
        (whole,) = maker.step(batch, np.random.default_rng(0))
        shape = step_shape(whole, 16)
        assert shape is not None
        assert step_shape(padded(whole, shape)._replace(pairs=16), 16) is not None
        found = steps.learn(whole)
        assert found is not None
        assert float(found) == pytest.approx(float(one.learn((whole,))), rel=1e-5)
        every = zip(one.network.parameters(), other.network.parameters(), strict=True)
        for mine, theirs in every:
            assert (mine.grad is None) == (theirs.grad is None)
            if mine.grad is not None and theirs.grad is not None:
                assert torch.allclose(mine.grad, theirs.grad, atol=1e-5)
        other.network.load_state_dict(one.network.state_dict())


def test_a_batch_with_large_sets_of_rows_keeps_its_shape() -> None:
    trainer = a_trainer(FEW)
    (whole,) = replace(trainer.maker(), parts=1).step(
        trainer.examples(False)[:4], np.random.default_rng(0)
    )
    few = whole.choices.few
    assert few is not None
    many = ManyRows(few.members[:1], few.wanted[:1], [(((0, 300),), 1)])
    assert step_shape(whole._replace(choices=Choices(1, None, many)), 16) is None


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_a_gpu_ends_in_the_same_weights_whatever_it_recorded_before(tmp_path: Path) -> None:
    config, file = replace(SHORT, epochs=4), tmp_path / "checkpoint"
    one, other = (Trainer(FEW, SMALL, config, "cuda") for _ in range(2))
    save_checkpoint(file, one, [one.run() for _ in range(2)])
    resumed, _ = resume_training(file, FEW, "cuda")
    unbroken = run(other, 4)
    assert same_weights(run(one, 2).network, unbroken.network)
    assert same_weights(run(resumed, 2).network, unbroken.network)


def test_the_steps_of_a_bucket_can_be_made_again() -> None:
    maker = a_trainer(FEW).maker()
    one, other, next_epoch = (list(maker.steps(Bucket(e, False, 0))) for e in (1, 1, 2))
    assert all(map(same_step, one, other))
    assert not all(map(same_step, one, next_epoch))
    assert sum(batch.pairs for step in one for batch in step) == maker.pairs


@pytest.mark.parametrize("full_epochs", [0, 2])
@pytest.mark.parametrize("done", [1, 2, 3])
def test_a_training_is_resumed_amid_variations_that_serve_two_epochs(
    done: int, full_epochs: int, tmp_path: Path
) -> None:
    config = replace(TWICE, full_epochs=full_epochs)
    unbroken = run(a_trainer(FEW, config=config), 5)
    trainer = a_trainer(FEW, config=config)
    file = tmp_path / "checkpoint"
    save_checkpoint(file, trainer, [trainer.run() for _ in range(done)])
    resumed, _ = resume_training(file, FEW)
    assert same_weights(run(resumed, 5 - done).network, unbroken.network)


def test_variations_serve_two_epochs_in_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def spied(self: Trainer, step: Step, *_: object) -> torch.Tensor:
        seen[-1].append(" ".join(str(batch.words.tolist()) for batch in step))
        return torch.zeros(())

    monkeypatch.setattr(Trainer, "learn", spied)
    trainer = a_trainer(FEW, config=replace(TWICE, batch=4))
    for _ in range(4):
        seen.append([])
        trainer.run()
    first, again, other, _ = seen
    assert first != again
    assert sorted(first) == sorted(again)
    assert sorted(first) != sorted(other)
