"""Train the base model, which understands questions about any table, and write its file.

    python scripts/train_base_model.py --device cuda

Tables are drawn from the concepts of columns and from the headers and values of WikiSQL in
$GRAMMAX_DATA; none of WikiSQL's questions is used.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path

from grammax.base_model.calibrate import calibrated
from grammax.base_model.columns import Headers
from grammax.base_model.family import plain_words
from grammax.base_model.schemas import SchemaDrawer
from grammax.base_model.train import MODEL, TRAINING, BaseTrainer, drawn_tables
from grammax.model.checkpoint import save_network

CALIBRATION = 1_000_000  # the seed of the first table to calibrate with
OUTPUT = Path("src/grammax/tables/own/model.safetensors")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--tables", type=int, default=2_000, help="tables to draw")
    arguments.add_argument("--questions", type=int, default=50, help="questions per table")
    arguments.add_argument("--calibrate", type=int, default=100, help="tables to calibrate with")
    arguments.add_argument("--first", type=int, default=0, help="the seed of the first table")
    arguments.add_argument("--start", type=Path, help="a model to begin with")
    arguments.add_argument("--rate", type=float, default=TRAINING.learning_rate)
    arguments.add_argument("--epochs", type=int, default=TRAINING.epochs)
    arguments.add_argument("--batch", type=int, default=TRAINING.batch, help="questions per step")
    arguments.add_argument("--device", default="cpu", help="cpu or cuda")
    arguments.add_argument("--output", type=Path, default=OUTPUT)
    given = arguments.parse_args()
    data = os.environ.get("GRAMMAX_DATA")
    if data is None:
        arguments.error("set GRAMMAX_DATA to the folder of the public data: it has wikisql/")
    drawer = SchemaDrawer(Headers.load(Path(data) / "wikisql"))
    print(f"drawing {given.tables:,} tables with {given.questions} questions each", flush=True)
    tables = drawn_tables(
        drawer,
        range(given.first, given.first + given.tables),
        given.questions,
        MODEL,
        lambda n: _told(n, given.tables),
    )
    config = replace(TRAINING, epochs=given.epochs, learning_rate=given.rate, batch=given.batch)
    trainer = BaseTrainer(tables, MODEL, config, given.device, start=given.start)
    print(f"{trainer.pairs:,} questions, {len(trainer.family.vocabulary):,} tokens, "
          f"{len(trainer.network.reader.words):,} words", flush=True)  # fmt: skip
    for _ in range(given.epochs):
        epoch = trainer.run()
        print(f"epoch {epoch.number}: loss {epoch.loss:.3f}, {epoch.seconds:.0f} s", flush=True)
        save_network(given.output, trainer.header(), trainer.tensors())
    if not given.calibrate:
        return
    print(f"calibrating with {given.calibrate} other tables", flush=True)
    seeds = range(CALIBRATION, CALIBRATION + given.calibrate)
    header = calibrated(trainer.header(), trainer.tensors(), drawer, seeds, plain_words(tables))
    save_network(given.output, header, trainer.tensors())
    print(f"{given.output}: {given.output.stat().st_size / 1e6:.1f} MB")


def _told(number: int, total: int) -> None:
    if number % max(1, total // 10) == 0:
        print(f"  {number:,} of {total:,}", flush=True)


if __name__ == "__main__":
    main()
