"""The options of `grammax evaluate`, in the order of its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

_ABLATION: Final = "Ablation"

Domain = Annotated[str, typer.Argument(metavar="DOMAIN", help="What the parser was trained for.")]
Split = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="May be repeated; by default all but train."),
]
Grammar = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Decode under it; by default the tightest. 'none' decodes without one.",
    ),
]
Beam = Annotated[int, typer.Option(metavar="N", min=1, help="The width of the beam; 1 is greedy.")]
NoDenotation = Annotated[bool, typer.Option("--no-denotation", help="Do not compare answers.")]
Limit = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Only the first N queries of each split.")
]
Errors = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write what is not an exact match, as JSON lines."),
]
Picture = Annotated[
    Path | None,
    typer.Option("--picture", "--chart", metavar="FILE", help="Draw the figures, as .png or .svg."),
]
Calibration = Annotated[
    bool,
    typer.Option(
        "--calibration", help="Measure the confidence instead, and when the parser abstains."
    ),
]
Ablation = Annotated[
    bool,
    typer.Option(
        "--ablation",
        help="Train the paper's network and ours, part by part, and measure each.",
        rich_help_panel=_ABLATION,
    ),
]
Seeds = Annotated[int, typer.Option(metavar="N", min=1, help="Of each.", rich_help_panel=_ABLATION)]
Epochs = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Of each [as for training].", rich_help_panel=_ABLATION),
]
Folder = Annotated[
    Path, typer.Option(metavar="DIR", help="Keeps the trainings.", rich_help_panel=_ABLATION)
]
Device = Annotated[
    str, typer.Option(metavar="NAME", help="cpu, cuda ...", rich_help_panel=_ABLATION)
]
