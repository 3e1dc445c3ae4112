"""`grammax bench`: the paper's Table 1, measured here."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from grammax.cli.bench_report import print_table
from grammax.cli.options import Data, Json
from grammax.cli.pictures import require_drawable
from grammax.cli.terminal import late_progress, print_json, print_message
from grammax.cli.training_progress import TrainingProgress
from grammax.evaluation.benchmark import benchmark_json, machine

if TYPE_CHECKING:
    from grammax.language.domain import Domain
    from grammax.model.network import Network

_RUNS: Final = 5
_QUICK_RUNS: Final = 2
_QUICK_QUERIES: Final = 12


def bench_command(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="Its name or folder.")] = "eqs",
    model: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A checkpoint; by default one is trained and kept."),
    ] = None,
    retrain: Annotated[bool, typer.Option("--retrain", help="Train it anew.")] = False,
    device: Annotated[
        str, typer.Option(metavar="NAME", help="To train on: cpu, cuda ...; measured is the cpu.")
    ] = "cpu",
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help=f"{_QUICK_QUERIES} queries and {_QUICK_RUNS} runs: under a minute."
        ),
    ] = False,
    queries: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="The first N test queries; by default all."),
    ] = None,
    runs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=f"Over all of them [{_RUNS}].")
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the seconds, as .png or .svg.")
    ] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Measure the rows of the paper's table: one network, with every head and several grammars.

    The network is trained on first use and kept in the cache folder, or with a domain that is a
    folder. All rows are measured side by side on one thread; times are of a whole query of the
    split `test`, from its text to its logical form.

    \b
    Examples:
      grammax bench --quick
      grammax bench eqs --chart table.png
      grammax bench --model runs/eqs/model.safetensors --queries 100 --json
      grammax bench domains/geo --data ~/data
    """
    from grammax.domains import load_domain
    from grammax.evaluation.paper.claims import table_claims
    from grammax.evaluation.paper.measure import measure
    from grammax.evaluation.paper.rows import table_rows

    if model is not None and retrain:
        raise typer.BadParameter("--retrain is for the network in the cache, and --model is not it")
    if chart is not None:
        require_drawable(chart, "--chart", "a chart is")
    with late_progress(None) as progress:
        progress("loading", 0)
        language = load_domain(domain, data)
        measured = language.pairs("test")  # before hours of training
    rows = table_rows(language, _network(language, model, retrain, device))
    pairs = measured[: queries or (_QUICK_QUERIES if quick else None)]
    runs = runs or (_QUICK_RUNS if quick else _RUNS)
    with late_progress(runs * len(pairs)) as progress:
        table = measure(language, rows, pairs, runs, progress)
    claims, on = table_claims(table), machine("torch")
    if json:
        print_json(
            benchmark_json(f"bench {language.name}", on, [asdict(row) for row in table], claims)
        )
    else:
        print_table(table, claims, on)
    if chart is not None:
        from grammax.cli.pictures_bench import draw_table

        draw_table(table, chart)


def _network(domain: Domain, model: Path | None, retrain: bool, device: str) -> Network:
    """The one that was given, or the one in the cache, trained first if need be."""
    from grammax.domains import training_folder
    from grammax.evaluation.paper.network import (
        kept_network,
        kept_path,
        new_trainer,
        saw_all_rows,
        train,
    )
    from grammax.model.checkpoint import load_network

    if model is not None:
        if not saw_all_rows(model):
            print_message(
                f"{model} was trained under a grammar to the end, so NSP, which has none, is at a "
                f"loss. Train with --full-epochs for a fair row.",
                "yellow",
            )
        return load_network(model, domain)
    path = kept_path(domain, training_folder(domain))
    if retrain or not path.exists():
        print_message(f"Training the network of the table, which is then kept: {path}", "dim")
        trainer = new_trainer(domain, device)
        with TrainingProgress(trainer) as progress:
            train(trainer, path, progress.moved, progress.finished)
    return kept_network(path, domain)
