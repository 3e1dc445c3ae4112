"""The options of `grammax train`, in the order of its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from grammax.model import config

_USUAL = config.TrainingConfig()


def _usual(text: str, name: str) -> str:
    """A help text, with what is usual; a domain may say otherwise."""
    return f"{text} [{getattr(_USUAL, name)}]."


def _option(metavar: str, text: str, name: str, least: int | None = None) -> Any:
    return typer.Option(metavar=metavar, min=least, help=_usual(text, name))


Domain = Annotated[str, typer.Argument(metavar="DOMAIN", help="Its name or folder.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="DIR", help="Where it is kept [runs/DOMAIN, or DOMAIN/run]."
    ),
]
Softmax = Annotated[
    config.Softmax | None,
    typer.Option(help=_usual("What competes: what the grammar permits, or all rows", "softmax")),
]
Rows = Annotated[
    config.RowsName, typer.Option(help="Rows composed from names, or learnt as in the paper.")
]
Matches = Annotated[
    bool, typer.Option("--matches/--no-matches", help="Look for names in queries, or do not.")
]
DecisionsOnly = Annotated[
    bool | None,
    typer.Option(
        "--decisions-only/--every-token",
        help="A step a choice, or a step a token [choices, unless all rows compete].",
    ),
]
Epochs = Annotated[int | None, _option("N", "How many", "epochs", least=1)]
FullEpochs = Annotated[
    int | None, _option("N", "Of them, the last that see all rows", "full_epochs", least=0)
]
Batch = Annotated[int | None, _option("N", "Pairs", "batch", least=1)]
Rate = Annotated[float | None, _option("R", "Learning rate", "rate")]
Dropout = Annotated[float | None, _option("P", "Share", "dropout")]
Recombined = Annotated[
    float | None, _option("P", "Share of pairs mixed with parts of others", "recombined")
]
Renumbered = Annotated[
    float | None, _option("P", "Share of pairs with numbers swapped for others", "renumbered")
]
Swaps = Annotated[
    float | None, _option("P", "Share of pairs with names swapped for others", "swaps")
]
Often = Annotated[
    int | None,
    _option("N", "Times that a token is seen before it learns a part of its own", "often", least=1),
]
HeldOut = Annotated[float | None, _option("P", "Share of the pairs that only measures", "held_out")]
Seed = Annotated[int | None, _option("N", "The same seed, the same weights", "seed")]
Glove = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Begin with these word vectors; text, also gzipped."),
]
Corrections = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Learn from these too, as `grammax serve` keeps them."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what is there.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Begin again, over what is there.")]
Device = Annotated[str, typer.Option(metavar="NAME", help="cpu, cuda ...")]
Threads = Annotated[int | None, typer.Option(metavar="N", min=1, help="Of the processor [all].")]
