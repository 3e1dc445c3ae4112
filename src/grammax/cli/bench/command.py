"""`grammax bench`: the paper's Table 1, measured here."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from grammax.cli.charts import require_drawable
from grammax.cli.options import Data, Json
from grammax.cli.terminal import late_progress, print_json, print_message

if TYPE_CHECKING:
    from grammax.language.domain import Domain
    from grammax.model.network import Network

_RUNS: Final = 5
_QUICK_RUNS: Final = 2
_QUICK_QUERIES: Final = 12


DomainName = Annotated[str, typer.Argument(metavar="DOMAIN", help="Name or folder of the domain.")]
Checkpoint = Annotated[
    Path | None,
    typer.Option("--model", metavar="FILE", help="A checkpoint; by default that of the domain."),
]
Train = Annotated[
    bool, typer.Option("--train", help="Train the network of the domain again, and cache it.")
]
Device = Annotated[
    str, typer.Option(metavar="NAME", help="Device for training; times are always of the CPU.")
]
Quick = Annotated[
    bool,
    typer.Option(
        "--quick", help=f"{_QUICK_QUERIES} queries and {_QUICK_RUNS} runs: under three minutes."
    ),
]
Queries = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="The first N test queries; by default all."),
]
Runs = Annotated[
    int | None, typer.Option(metavar="N", min=1, help=f"Runs over all queries [{_RUNS}].")
]
Chart = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw the times as bars, as .png or .svg.")
]


def bench_command(
    domain: DomainName = "eqs",
    model: Checkpoint = None,
    train: Train = False,
    device: Device = "cpu",
    quick: Quick = False,
    queries: Queries = None,
    runs: Runs = None,
    chart: Chart = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Reproduce the speed table of the paper.

    One network is timed with every output layer and several grammars. That of eqs comes with the
    source of grammax, not with its wheel; for a folder it is trained on first use and stored there.
    All rows are measured side by side on one thread; a time is that of a whole query of the split
    `test`, from its text to its logical form.

    \b
    Examples:
      grammax bench --quick
      grammax bench eqs --chart table.png
      grammax bench --model runs/eqs/model.safetensors --queries 100 --json
      grammax bench domains/geo --data ~/data
    """
    from grammax.cli.bench.report import print_table, speedup
    from grammax.domains import load_for_paper
    from grammax.evaluation.benchmark import benchmark_json, machine
    from grammax.evaluation.paper.claims import table_claims
    from grammax.evaluation.paper.measure import measure
    from grammax.evaluation.paper.rows import table_rows

    if model is not None and train:
        raise typer.BadParameter(
            "--train trains the network of the domain, and --model names another"
        )
    if chart is not None:
        require_drawable(chart, "--chart")
    with late_progress(None) as progress:
        progress("loading", 0)
        language = load_for_paper(domain, data)
        pairs = language.pairs("test")  # before the training, so that errors are found early
    network = _network(language, model, train, device)
    with late_progress(None) as progress:
        progress("compiling the grammars", 0)
        rows = table_rows(language, network)
    pairs = pairs[: queries or (_QUICK_QUERIES if quick else None)]
    runs = runs or (_QUICK_RUNS if quick else _RUNS)
    with late_progress(runs * len(pairs)) as progress:
        table = measure(language, rows, pairs, runs, progress)
    claims, on = table_claims(table), machine("torch")
    if json:
        figures = [asdict(row) for row in table]
        print_json(benchmark_json(f"bench {language.name}", on, figures, claims))
    else:
        print_table(table, claims, on)
    if chart is not None:
        from grammax.cli.charts import draw_table

        draw_table(table, [speedup(row.speedup) for row in table], chart)


def _network(domain: Domain, model: Path | None, train: bool, device: str) -> Network:
    """The given network, or the one of the domain, trained first if there is none."""
    from grammax.domains import NoModel, shipped_bench_network, training_folder
    from grammax.evaluation.paper import network
    from grammax.model.checkpoint import load_network

    if model is None:
        folder = training_folder(domain)
        shipped = shipped_bench_network(domain.name)
        path = network.stored_path(domain, folder, shipped)
        if path is None and folder is None and not train and not shipped.exists():
            raise NoModel(
                f"the network of the table is not in this installation: a wheel leaves it out, for "
                f"its size. Take src/grammax/domains/{domain.name}/{shipped.name} of the source of "
                f"grammax and give it with --model, or train it here with --train, which takes "
                f"long."
            )
        if train or path is None:
            path = network.cached_path(domain, folder)
            _train(domain, path, device)
        return network.stored_network(path, domain)
    if not network.saw_all_rows(model):
        print_message(
            f"{model} was trained under a grammar to the end, so NSP, which has none, is at a "
            f"disadvantage. Train with --full-epochs for a fair row.",
            "yellow",
        )
    return load_network(model, domain)


def _train(domain: Domain, path: Path, device: str) -> None:
    from grammax.cli.train.progress import TrainingProgress
    from grammax.evaluation.paper import network

    print_message(f"Training the network of the table, which is then stored: {path}", "dim")
    trainer = network.new_trainer(domain, device)
    with TrainingProgress(trainer) as progress:
        network.train(trainer, path, progress.moved, progress.finished)
