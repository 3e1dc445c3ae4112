"""`grammax train`: a parser from the pairs of a domain."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grammax.cli.terminal import late_progress, print_json, print_lines, print_message
from grammax.cli.train_corrections import corrected_pairs
from grammax.cli.training_progress import TrainingProgress
from grammax.model.config import ModelConfig, RowsName, Softmax, TrainingConfig

if TYPE_CHECKING:
    from grammax.domain import Domain
    from grammax.model.run import Run
    from grammax.model.training import Trainer

_MODEL, _TRAINING = ModelConfig(), TrainingConfig()


def train_command(
    context: typer.Context,
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="Its name or folder.")] = "eqs",
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="Where it is kept [runs/DOMAIN, or DOMAIN/run]."
        ),
    ] = None,
    softmax: Annotated[
        Softmax, typer.Option(help="What competes: what the grammar permits, or all rows.")
    ] = _TRAINING.softmax,
    rows: Annotated[
        RowsName, typer.Option(help="Rows composed from names, or learnt as in the paper.")
    ] = _MODEL.rows,
    matches: Annotated[
        bool, typer.Option("--matches/--no-matches", help="Look for names in queries, or do not.")
    ] = _MODEL.matches,
    decisions_only: Annotated[
        bool | None,
        typer.Option(
            "--decisions-only/--every-token",
            help="A step a choice, or a step a token [choices, unless all rows compete].",
        ),
    ] = None,
    epochs: Annotated[int, typer.Option(metavar="N", min=1, help="How many.")] = _TRAINING.epochs,
    full_epochs: Annotated[
        int, typer.Option(metavar="N", min=0, help="Of them, the last that see all rows.")
    ] = _TRAINING.full_epochs,
    batch: Annotated[int, typer.Option(metavar="N", min=1, help="Pairs.")] = _TRAINING.batch,
    rate: Annotated[float, typer.Option(metavar="R", help="Learning rate.")] = _TRAINING.rate,
    dropout: Annotated[float, typer.Option(metavar="P", help="Share.")] = _TRAINING.dropout,
    recombined: Annotated[
        float, typer.Option(metavar="P", help="Share of pairs mixed with parts of others.")
    ] = _TRAINING.recombined,
    renumbered: Annotated[
        float, typer.Option(metavar="P", help="Share of pairs with numbers swapped for others.")
    ] = _TRAINING.renumbered,
    swaps: Annotated[
        float, typer.Option(metavar="P", help="Share of pairs with names swapped for others.")
    ] = _TRAINING.swaps,
    held_out: Annotated[
        float, typer.Option(metavar="P", help="Share of the pairs that only measures.")
    ] = _TRAINING.held_out,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed, the same weights.")] = 0,
    glove: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Begin with these word vectors; text, also gzipped."),
    ] = None,
    corrections: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Learn from these too, as `grammax serve` keeps them."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is there.")] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Begin again, over what is there.")
    ] = False,
    device: Annotated[str, typer.Option(metavar="NAME", help="cpu, cuda ...")] = "cpu",
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Of the processor [all].")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Train a parser: checkpoint, log, curve and model in one folder.

    After every epoch a checkpoint is written whole, so an interruption, even a kill, costs at most
    the epoch under way; --resume goes on and ends in the same weights.

    \b
    Examples:
      grammax train
      grammax train --resume
      grammax train --softmax full --rows learnt -o runs/paper
      grammax train --corrections eqs-corrections.jsonl --overwrite
      grammax train --glove glove.6B.100d.txt.gz --seed 1 -o runs/glove
    """
    import torch

    from grammax.domains import load_domain
    from grammax.model.run import Run
    from grammax.model.training import Trainer

    chosen = load_domain(domain)
    training = TrainingConfig(
        softmax=softmax,
        grammar=chosen.grammars[-1],
        epochs=epochs,
        full_epochs=full_epochs,
        batch=batch,
        rate=rate,
        dropout=dropout,
        recombined=recombined,
        renumbered=renumbered,
        swaps=swaps,
        held_out=held_out,
        seed=seed,
    )
    if decisions_only is None:
        decisions_only = not training.sees_all_rows(epochs - 1)
    model = ModelConfig(rows=rows, matches=matches, decisions_only=decisions_only)
    if threads is not None:
        torch.set_num_threads(threads)
    more = corrected_pairs(corrections, chosen) if corrections is not None else []
    folder = output or _folder(chosen)
    if resume:
        run = Run.go_on(folder, chosen, device, more)
        _require_same(context, run.trainer, {**asdict(model), **asdict(training)})
    else:
        run = Run.begin(folder, lambda: Trainer(chosen, model, training, device, more), overwrite)
        if glove is not None:
            _load_words(run.trainer, glove)
    with TrainingProgress(run.trainer) as progress:
        try:
            model_file = run.train(progress.moved, progress.finished)
        except KeyboardInterrupt:
            progress.stop()
            print_message(_interrupted(run), "yellow")
            raise typer.Exit(130) from None
        finally:
            drawn = _draw(run)
    if run.trainer.held_out:
        _calibrate(model_file, chosen)
    _print(run, drawn, json)


def _folder(domain: Domain) -> Path:
    """Where a training is kept: with a domain that is a folder, or in `runs`."""
    from grammax.folder.domain import RUN, FolderDomain

    return domain.folder / RUN if isinstance(domain, FolderDomain) else Path("runs") / domain.name


def _calibrate(path: Path, domain: Domain) -> None:
    """Learn from the held-out part when the model is right, and keep that with it."""
    from grammax.confidence import calibrate
    from grammax.domains.no_queries import no_queries

    with late_progress(1) as progress:
        progress("learning when it is right", 0)
        calibrate(path, domain, no_queries(domain.name, "train"))


def _require_same(context: typer.Context, trainer: Trainer, given: dict[str, Any]) -> None:
    """Options of the command line that differ from those of the training are refused."""
    kept = {**asdict(trainer.network.config), **asdict(trainer.config)}
    for name, value in given.items():
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE" and kept[name] != value:
            option = "--" + name.replace("_", "-")
            raise typer.BadParameter(
                f"{option} is {value}, and the training to go on with has {kept[name]}. "
                f"Leave {option} out, or begin a new training in another folder."
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


def _draw(run: Run) -> Path | None:
    """The curve so far; None where there is nothing to draw, or nothing to draw with."""
    from grammax.cli.pictures_training import draw_curve

    if not run.epochs:
        return None
    path = run.folder / "curve.png"
    try:
        draw_curve(run.epochs, path)
    except ModuleNotFoundError:
        print_message('No curve was drawn: pip install "grammax[plot]"', "yellow")
        return None
    return path


def _interrupted(run: Run) -> str:
    done, wanted = len(run.epochs), run.trainer.config.epochs
    return (
        f"Stopped after {done} of {wanted} epochs, which are kept in {run.folder}. "
        f"Go on with --resume."
    )


def _print(run: Run, drawn: Path | None, json: bool) -> None:
    from grammax.model.run import CHECKPOINT, LOG, MODEL

    last = run.epochs[-1]
    files = [run.folder / name for name in (MODEL, CHECKPOINT, LOG)] + ([drawn] if drawn else [])
    seconds = sum(epoch.seconds for epoch in run.epochs)
    if json:
        print_json(
            {
                "domain": run.trainer.domain.name,
                "epochs": last.number,
                "loss": last.loss,
                "accuracy": last.accuracy,
                "seconds": seconds,
                "pairs_a_second": last.pairs / last.seconds,
                "files": [str(path) for path in files],
            }
        )
        return
    accuracy = "" if last.accuracy is None else f", held-out exact match {last.accuracy:.1%}"
    print_lines(
        [
            f"{last.number} epochs in {seconds:,.0f} s, loss {last.loss:.3f}{accuracy}",
            *(str(path) for path in files),
        ]
    )
