"""One training with the recipe of its domain, and how many pairs per second it takes.

It uses only what every release of the library has, so `training.py --against` also runs it on the
sources of another checkout. It prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import warnings
from dataclasses import replace
from time import perf_counter

import torch

from grammax.domains import load_domain
from grammax.language.domain import Domain, Pair
from grammax.training.run import default_model, training_config
from grammax.training.trainer import Trainer


def main() -> None:
    """Train some epochs; the first one, which also builds what later ones need, counts as well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domain", nargs="?", default="eqs")
    parser.add_argument("--pairs", type=int, help="use only so many of the training pairs")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    domain = load_domain(given.domain)
    if given.pairs is not None:
        keep(domain, given.pairs)
    config = replace(training_config(domain), held_out=0.0)
    started = perf_counter()
    trainer = Trainer(domain, default_model(domain, config), config, given.device)
    ready = perf_counter()
    epochs = [trainer.run() for _ in range(given.epochs)]
    if given.device != "cpu":
        torch.cuda.synchronize()
    trained = perf_counter() - ready
    found = {
        "pairs": trainer.pairs,
        "setup, s": ready - started,
        "pairs per second": trainer.pairs * given.epochs / trained,
        "pairs per second, last epoch": trainer.pairs / epochs[-1].seconds,
        "epochs, s": [round(epoch.seconds, 2) for epoch in epochs],
        "loss": epochs[-1].loss,
    }
    print(json.dumps(found))


def keep(domain: Domain, count: int) -> None:
    """Leave a domain so many training pairs, and none that people wrote."""
    some: tuple[Pair, ...] = tuple(domain.pairs("train")[:count])
    domain.pairs = lambda _: some  # type: ignore[method-assign,assignment]
    domain.written_pairs = lambda: ()  # type: ignore[method-assign]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
