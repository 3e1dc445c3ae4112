"""`grammax train`: a parser from the pairs of a domain."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from grammax.cli.exit_codes import INTERRUPTED
from grammax.cli.options import Data, Json
from grammax.cli.terminal import late_progress, messages_console, print_message
from grammax.cli.train import options as option
from grammax.cli.train.progress import (
    TrainingProgress,
    draw_run,
    print_interrupted,
    print_training,
)
from grammax.model.config import ModelConfig, RowsName, TrainingConfig

if TYPE_CHECKING:
    from grammax.language.domain import Domain, Pair
    from grammax.training.run import Run
    from grammax.training.trainer import Trainer

_MODEL = ModelConfig()
_TAUGHT = 4  # times that a taught pair is learnt in an epoch, beside 2,500 generated ones


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
    learning_rate: option.LearningRate = None,
    dropout: option.Dropout = None,
    p_recombine: option.PRecombine = None,
    p_nest: option.PNest = None,
    p_renumber: option.PRenumber = None,
    p_swap: option.PSwap = None,
    min_count: option.MinCount = None,
    teachers: option.Teachers = None,
    with_dev: option.WithDev = None,
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
    """Train a parser.

    For a table of yours, DOMAIN is the folder of its schema.toml: the model of all tables is
    fine-tuned on questions that are generated from the table, on the pairs that `grammax teach`
    stored in the folder, and on the corrections that `grammax serve` stored there.

    Corrections of another domain are found where `grammax serve` stores them, too; --corrections
    names another file.

    The output folder contains the model, a checkpoint, a log and a curve. Options that are not
    given come from the domain (`[training]` in its domain.toml), or have their default values.

    A checkpoint is written after every epoch, so an interruption, even a kill, loses at most the
    current epoch; --resume continues from it and ends with the same weights.

    \b
    Examples:
      grammax train
      grammax train --resume
      grammax train --softmax full --rows learnt -o runs/paper
      grammax train --corrections corrections.jsonl --overwrite
      grammax train --glove glove.6B.100d.txt.gz --seed 1 -o runs/glove
      grammax train domains/geo --data ~/data
      grammax train films
    """
    from grammax.domains import load_domain, training_folder
    from grammax.training.run import Run

    with late_progress(None) as progress:
        progress("loading", 0)
        language = load_domain(domain, data)
        training = _training_config(  # reads the grammar and its tables
            language,
            softmax=softmax, epochs=epochs, full_epochs=full_epochs, batch=batch,
            learning_rate=learning_rate, dropout=dropout, p_recombine=p_recombine,
            p_nest=p_nest, p_renumber=p_renumber, p_swap=p_swap, min_count=min_count,
            teachers=teachers, with_dev=with_dev, held_out=held_out, seed=seed,
        )  # fmt: skip
    model = _model_config(language, training, rows, matches, decisions_only)
    _set_threads(threads)
    more = [*_taught_pairs(language), *_corrected_pairs(corrections, language)]
    folder = output or training_folder(language) or Path("runs") / language.name
    with _teaching(folder, training) as tell:
        if resume:
            run = Run.resume(folder, language, device, more, tell)
        else:
            run = Run.new(
                folder, language, model, training,
                device=device, more=more, overwrite=overwrite, tell=tell,
            )  # fmt: skip
    if resume:
        _require_same(context, run.trainer, model, training)
    elif glove is not None:
        _load_words(run.trainer, glove)
    _train(run, json)


@contextmanager
def _teaching(folder: Path, training: TrainingConfig) -> Iterator[Callable[[str], None]]:
    """Reports the training of teachers; if it is interrupted, how to go on."""
    if not training.teachers:
        yield lambda _: None
        return
    try:
        with late_progress(None) as progress:
            if messages_console().is_interactive:
                yield lambda text: progress(text, 0)
            else:
                yield lambda text: print_message(text, "")
    except KeyboardInterrupt:
        stored = f"Stopped while teachers were trained; what is finished is in {folder}."
        print_message(f"{stored} The same command, without --overwrite, continues.", "yellow")
        raise typer.Exit(INTERRUPTED) from None


def _model_config(
    domain: Domain,
    training: TrainingConfig,
    rows: RowsName,
    matches: bool,
    decisions_only: bool | None,
) -> ModelConfig:
    """The default model of a domain, with the options that were given."""
    from grammax.training.run import default_model

    usual = default_model(domain, training)
    if decisions_only is None:
        decisions_only = usual.decisions_only
    filled = usual.filled and rows == "composed" and matches
    return replace(usual, rows=rows, matches=matches, decisions_only=decisions_only, filled=filled)


def _set_threads(threads: int | None) -> None:
    import torch

    if threads is not None:
        torch.set_num_threads(threads)


def _training_config(domain: Domain, **given: Any) -> TrainingConfig:
    from grammax.training.run import training_config

    options = {name: value for name, value in given.items() if value is not None}
    return training_config(domain, **options)


def _taught_pairs(domain: Domain) -> Sequence[Pair]:
    """The pairs that `grammax teach` stored for a table; unusable ones are reported and skipped."""
    from grammax.tables.domain import TableDomain

    if domain.folder is None or not isinstance(domain, TableDomain):
        return []
    from grammax.tables.teach.pairs import PAIRS, trained_pairs

    pairs, problems = trained_pairs(domain.folder, domain)
    for problem in problems:
        print_message(problem, "yellow")
    if pairs:
        print_message(f"{PAIRS}: {len(pairs):,} taught pairs to learn from", "dim")
    return [pair for pair in pairs for _ in range(_TAUGHT)]


def _corrected_pairs(given: Path | None, domain: Domain) -> Sequence[Pair]:
    """The corrections that a service stored, as pairs; unusable lines are reported and skipped.

    By default they are those that a service of the domain stores, if there are any. Of several
    corrections of one query, the last one counts.
    """
    from grammax.files import data_folder
    from grammax.language.domain import Pair
    from grammax.service.corrections import read
    from grammax.tables.data_files import user_file

    path = given
    if path is None:
        if domain.folder is None:
            path = data_folder() / f"{domain.name}-corrections.jsonl"
        else:
            path = user_file(str(domain.folder), "corrections")
        if not path.is_file():
            return []
    found = read(path)
    problems = list(found.problems)
    pairs: dict[str, Pair] = {}
    for correction in found.corrections:
        if domain.grammatical(correction.tokens) and domain.well_typed(correction.tokens):
            pairs[correction.query] = _to_learn(Pair(correction.query, correction.tokens), domain)
        else:
            problems.append(
                f"{path}: left out, as {domain.name} {domain.version} has no such logical form: "
                f"{correction.query!r}, {correction.lf}"
            )
    for problem in problems:
        print_message(problem, "yellow")
    if pairs or problems or given is not None:
        print_message(f"{path.name}: {len(pairs):,} corrections to learn from", "dim")
    return list(pairs.values())


def _to_learn(pair: Pair, domain: Domain) -> Pair:
    """A pair without the words that were taught since, which need not be learnt."""
    from grammax.language.phrases import without_conditions

    rest = domain.without_phrases(pair.query)
    left = without_conditions(rest, pair.tokens) if rest and rest.text else None
    return pair if rest is None or left is None else pair._replace(query=rest.text, tokens=left)


def _require_same(
    context: typer.Context, trainer: Trainer, model: ModelConfig, training: TrainingConfig
) -> None:
    """Raise if an option of the command line differs from that of the training to resume."""
    stored = {**asdict(trainer.network.config), **asdict(trainer.config)}
    for name, value in {**asdict(model), **asdict(training)}.items():
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE" and stored[name] != value:
            flag = "--" + name.replace("_", "-")
            raise typer.BadParameter(
                f"{flag} is {value}, but the training to resume has {stored[name]}. "
                f"Leave {flag} out, or start a new training in another folder."
            )


def _load_words(trainer: Trainer, path: Path) -> None:
    from grammax.model.glove import fitted, read_glove

    network = trainer.network
    vectors = read_glove(path, set(network.reader.words.known))
    known = network.load_words(fitted(vectors, network.config.words, trainer.config.seed))
    given = len(next(iter(vectors.values()))) if vectors else 0
    how = "" if given in (0, network.config.words) else f", {given} dimensions projected"
    total = len(network.reader.words.known)
    print_message(f"{path.name}: vectors for {known:,} of {total:,} words{how}", "dim")


def _train(run: Run, json: bool) -> None:
    """Run the remaining epochs; however this ends, the finished ones are drawn."""
    with TrainingProgress(run.trainer) as progress:
        try:
            run.train_epochs(progress.moved, progress.finished)
        except KeyboardInterrupt:
            progress.stop()
            print_interrupted(run)
            raise typer.Exit(INTERRUPTED) from None
        finally:
            drawn = draw_run(run)
    _finish(run)
    print_training(run, drawn, json)


def _finish(run: Run) -> None:
    """Calibrate and write the model; if it cannot be calibrated, say so."""
    from grammax.training.second import CalibrationNotice

    with warnings.catch_warnings(record=True) as notices, late_progress(None) as progress:
        warnings.simplefilter("always", CalibrationNotice)
        run.finish(lambda text: progress(text, 0))
    for notice in notices:
        print_message(str(notice.message), "yellow")
