"""What training on a pair takes, stage by stage, and the least that its products could take."""

from __future__ import annotations

from statistics import median
from time import perf_counter, process_time

import torch
from report import Row
from training_rate import keep

from grammax.domains import load_domain
from grammax.model.config import ModelConfig
from grammax.training.batch import Array, Batch
from grammax.training.run import default_model, training_config
from grammax.training.stream import Bucket, Step
from grammax.training.trainer import Trainer

FORWARD_AND_BACK = 3  # products: one forwards, two backwards
SIZE = 1024  # of the matrices whose product measures the machine


def stages(device: str, count: int, pairs: int | None) -> tuple[list[Row], float]:
    """Rows of the stages of a step, and how many times the least time a step takes."""
    domain = load_domain("eqs")
    if pairs is not None:
        keep(domain, pairs)
    config = training_config(domain)
    trainer = Trainer(domain, default_model(domain, config), config, device, workers=0)
    maker = trainer.prepared_maker()
    began = process_time()
    steps = list(maker.steps(Bucket(0, False, 0)))
    drawn = (process_time() - began) / sum(batch.pairs for step in steps for batch in step)
    trainer.network.train()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    speed = flops_a_second(device)
    taken = [_timed(trainer, step, device) for step in steps[: count + 2]][2:]
    torch.set_num_threads(threads)
    learnt = median(seconds / sum(batch.pairs for batch in step) for step, seconds in taken)
    model = trainer.network.config
    least = sum(products(batch, model) for step, _ in taken for batch in step)
    least /= speed * sum(batch.pairs for step, _ in taken for batch in step)
    rows: list[Row] = [
        {"name": "draw, read and collate, one process", "ms per pair": drawn * 1e3},
        {"name": f"a step, one thread, {device}", "ms per pair": learnt * 1e3},
        {"name": "its products at the speed of this machine", "ms per pair": least * 1e3},
    ]
    return rows, learnt / least


def products(batch: Batch[Array], model: ModelConfig) -> float:
    """Floating-point operations of the matrix products of a batch, without padding."""
    words, steps, choices = int(batch.lengths.sum()), len(batch.real), len(batch.real)
    features = batch.spelling.shape[2] + batch.flags.shape[2]
    lstm = 8 * model.encoder * (model.words + model.encoder)
    encoder = words * (2 * lstm + 2 * features * model.words)
    decoder = steps * 8 * model.decoder * (model.tokens + model.decoder)
    learnt = model.hidden - model.spelt
    attention = choices * 2 * (model.decoder**2 + 2 * model.decoder * learnt)
    return float(FORWARD_AND_BACK * (encoder + decoder + attention))


def flops_a_second(device: str) -> float:
    """The speed of a product of two large matrices."""
    one, other = torch.randn(SIZE, SIZE, device=device), torch.randn(SIZE, SIZE, device=device)
    taken = []
    for _ in range(20):
        began = perf_counter()
        one @ other
        _wait(device)
        taken.append(perf_counter() - began)
    return 2 * SIZE**3 / median(taken)


def _timed(trainer: Trainer, step: Step, device: str) -> tuple[Step, float]:
    began = perf_counter()
    trainer.learn(step)
    _wait(device)
    return step, perf_counter() - began


def _wait(device: str) -> None:
    if device != "cpu":
        torch.cuda.synchronize()
