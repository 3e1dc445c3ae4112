"""`grammax train`: a parser from the pairs of a domain."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from grammax.cli import train_options as option
from grammax.cli.exit_codes import INTERRUPTED
from grammax.cli.options import Data, Json
from grammax.cli.terminal import late_progress, print_message
from grammax.cli.train_corrections import corrected_pairs
from grammax.cli.training_progress import TrainingProgress
from grammax.model.config import ModelConfig, TrainingConfig, from_json

if TYPE_CHECKING:
    from grammax.language.domain import Domain
    from grammax.training.run import Run
    from grammax.training.trainer import Trainer

_MODEL = ModelConfig()


def train_command(
    context: typer.Context,
    domain: option.Domain = "eqs",
    output: option.Output = None,
    softmax: option.Softmax = None,
    rows: option.Rows = _MODEL.rows,
    matches: option.Matches = _MODEL.matches,
    decisions_only: option.DecisionsOnly = None,
    epochs: option.Epochs = None,
    full_epochs: option.FullEpochs = None,
    batch: option.Batch = None,
    rate: option.Rate = None,
    dropout: option.Dropout = None,
    recombined: option.Recombined = None,
    renumbered: option.Renumbered = None,
    swaps: option.Swaps = None,
    often: option.Often = None,
    held_out: option.HeldOut = None,
    seed: option.Seed = None,
    glove: option.Glove = None,
    corrections: option.Corrections = None,
    resume: option.Resume = False,
    overwrite: option.Overwrite = False,
    device: option.Device = "cpu",
    threads: option.Threads = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Train a parser: checkpoint, log, curve and model in one folder.

    What is not given is as the domain says (`[training]` in its domain.toml), or else as is usual.

    After every epoch a checkpoint is written whole, so an interruption, even a kill, costs at most
    the epoch under way; --resume goes on and ends in the same weights.

    \b
    Examples:
      grammax train
      grammax train --resume
      grammax train --softmax full --rows learnt -o runs/paper
      grammax train --corrections eqs-corrections.jsonl --overwrite
      grammax train --glove glove.6B.100d.txt.gz --seed 1 -o runs/glove
      grammax train domains/geo --data ~/data
    """
    import torch

    from grammax.domains import load_domain, training_folder
    from grammax.training.run import Run
    from grammax.training.trainer import Trainer

    with late_progress(None) as progress:
        progress("loading", 0)
        language = load_domain(domain, data)
        usual = language.training  # for which the grammar is read, and its tables
    told: dict[str, Any] = {
        "softmax": softmax,
        "epochs": epochs,
        "full_epochs": full_epochs,
        "batch": batch,
        "rate": rate,
        "dropout": dropout,
        "recombined": recombined,
        "renumbered": renumbered,
        "swaps": swaps,
        "often": often,
        "held_out": held_out,
        "seed": seed,
    }
    told = {name: value for name, value in told.items() if value is not None}
    training = from_json(TrainingConfig, {**usual, **told})
    if decisions_only is None:
        decisions_only = not training.sees_all_rows(training.epochs - 1)
    model = ModelConfig(rows=rows, matches=matches, decisions_only=decisions_only)
    if threads is not None:
        torch.set_num_threads(threads)
    more = corrected_pairs(corrections, language) if corrections is not None else []
    folder = output or training_folder(language) or Path("runs") / language.name
    if resume:
        run = Run.go_on(folder, language, device, more)
        _require_same(context, run.trainer, model, training)
    else:
        run = Run.begin(folder, lambda: Trainer(language, model, training, device, more), overwrite)
        if glove is not None:
            _load_words(run.trainer, glove)
    _train(run, json)


def _require_same(
    context: typer.Context, trainer: Trainer, model: ModelConfig, training: TrainingConfig
) -> None:
    """Options of the command line that differ from those of the training are refused."""
    kept = {**asdict(trainer.network.config), **asdict(trainer.config)}
    for name, value in {**asdict(model), **asdict(training)}.items():
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE" and kept[name] != value:
            flag = "--" + name.replace("_", "-")
            raise typer.BadParameter(
                f"{flag} is {value}, and the training to go on with has {kept[name]}. "
                f"Leave {flag} out, or begin a new training in another folder."
            )


def _load_words(trainer: Trainer, path: Path) -> None:
    from grammax.training.glove import fitted, read_glove

    network = trainer.network
    vectors = read_glove(path, set(network.reader.words.known))
    known = network.load_words(fitted(vectors, network.config.words, trainer.config.seed))
    given = len(next(iter(vectors.values()))) if vectors else 0
    how = "" if given in (0, network.config.words) else f", {given} dimensions projected"
    total = len(network.reader.words.known)
    print_message(f"{path.name}: vectors for {known:,} of {total:,} words{how}", "dim")


def _train(run: Run, json: bool) -> None:
    """All epochs that are left, with the curve of those that were finished, however it ends."""
    from grammax.cli.train_report import draw_run, print_interrupted, print_training

    with TrainingProgress(run.trainer) as progress:
        try:
            model = run.train(progress.moved, progress.finished)
        except KeyboardInterrupt:
            progress.stop()
            print_interrupted(run)
            raise typer.Exit(INTERRUPTED) from None
        finally:
            drawn = draw_run(run)
    if run.trainer.held_out:
        _calibrate(model, run.trainer.domain)
    print_training(run, drawn, json)


def _calibrate(path: Path, domain: Domain) -> None:
    """Learn from the held-out part when the model is right, and keep that with it."""
    from grammax.confidence import calibrate
    from grammax.domains.no_queries import no_queries

    with late_progress(1) as progress:
        progress("learning when it is right", 0)
        calibrate(path, domain, no_queries(domain.name, "train"))
