"""The options of `grammax train`, in the order of its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from grammax.model import config

_USUAL = config.TrainingConfig()


def _usual(text: str, name: str) -> str:
    """A help text with the default value; a domain may set another."""
    return f"{text} [{getattr(_USUAL, name)}]."


def _option(metavar: str, text: str, name: str, least: int | None = None) -> Any:
    return typer.Option(metavar=metavar, min=least, help=_usual(text, name))


Domain = Annotated[str, typer.Argument(metavar="DOMAIN", help="Name or folder of the domain.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="DIR", help="Output folder [runs/DOMAIN or DOMAIN/run]."
    ),
]
Softmax = Annotated[
    config.Softmax | None,
    typer.Option(help=_usual("Score the permitted rows only, or all rows", "softmax")),
]
Rows = Annotated[
    config.RowsName,
    typer.Option(help="Rows composed from names, or learnt one by one as in the paper."),
]
Matches = Annotated[
    bool, typer.Option("--matches/--no-matches", help="Whether names are looked up in queries.")
]
DecisionsOnly = Annotated[
    bool | None,
    typer.Option(
        "--decisions-only/--every-token",
        help="One step per choice, or per token [per choice, unless all rows are scored].",
    ),
]
Epochs = Annotated[int | None, _option("N", "Epochs", "epochs", least=1)]
FullEpochs = Annotated[
    int | None, _option("N", "Score all rows in the last N epochs", "full_epochs", least=0)
]
Batch = Annotated[int | None, _option("N", "Pairs per batch", "batch", least=1)]
LearningRate = Annotated[float | None, _option("R", "Learning rate", "learning_rate")]
Dropout = Annotated[float | None, _option("P", "Dropout", "dropout")]
PRecombine = Annotated[
    float | None, _option("P", "Share of pairs recombined with parts of others", "p_recombine")
]
PNest = Annotated[
    float | None, _option("P", "Share of pairs in which another pair replaces a name", "p_nest")
]
PRenumber = Annotated[
    float | None, _option("P", "Share of pairs whose numbers are replaced", "p_renumber")
]
PSwap = Annotated[float | None, _option("P", "Share of pairs whose names are replaced", "p_swap")]
MinCount = Annotated[
    int | None,
    _option("N", "Occurrences from which a token has an own embedding", "min_count", least=1),
]
Teachers = Annotated[
    int | None,
    _option(
        "N", "Networks to train first; what most of them parse alike is learnt", "teachers", least=0
    ),
]
WithDev = Annotated[
    bool | None,
    typer.Option(
        "--with-dev/--without-dev",
        help="Whether to train on the split `dev` as well, for the final model [without].",
    ),
]
HeldOut = Annotated[
    float | None, _option("P", "Share of the pairs held out to measure accuracy", "held_out")
]
Seed = Annotated[int | None, _option("N", "Equal seeds give equal weights", "seed")]
Glove = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Start with these word vectors: text, may be gzipped."),
]
Corrections = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Learn from these corrections of `grammax serve`, and not from those it stores by "
        "default.",
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an interrupted training.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the training in the folder.")]
Device = Annotated[str, typer.Option(metavar="NAME", help="cpu, cuda ...")]
Threads = Annotated[int | None, typer.Option(metavar="N", min=1, help="CPU threads [all].")]
