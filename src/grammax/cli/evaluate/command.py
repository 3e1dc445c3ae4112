"""`grammax evaluate`: the accuracy of a trained parser, and its mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from grammax.cli.charts import require_drawable, require_folder
from grammax.cli.options import Data, Json, Model
from grammax.cli.terminal import late_progress

_ABLATION: Final = "Ablation"

DomainName = Annotated[
    str, typer.Argument(metavar="DOMAIN", help="The domain that the parser was trained for.")
]
Split = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="May be repeated; by default all splits but train."),
]
GrammarName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Decode under this grammar; by default that of the model. 'none' decodes without one.",
    ),
]
Beam = Annotated[int, typer.Option(metavar="N", min=1, help="Beam width; 1 decodes greedily.")]
NoDenotation = Annotated[bool, typer.Option("--no-denotation", help="Do not compare answers.")]
Limit = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Only the first N queries of each split.")
]
Errors = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the queries without an exact match, as JSON lines."),
]
Chart = Annotated[
    Path | None,
    typer.Option("--chart", "--picture", metavar="FILE", help="Draw a chart, as .png or .svg."),
]
Calibrated = Annotated[
    bool, typer.Option("--calibration", help="Measure confidence and abstention instead.")
]
Ablation = Annotated[
    bool,
    typer.Option(
        "--ablation",
        help="Train the paper's network and ours, part by part, and measure each.",
        rich_help_panel=_ABLATION,
    ),
]
Seeds = Annotated[
    int,
    typer.Option(metavar="N", min=1, help="Trainings per stage.", rich_help_panel=_ABLATION),
]
Epochs = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Epochs per training [as in `grammax train`].",
        rich_help_panel=_ABLATION,
    ),
]
Folder = Annotated[
    Path, typer.Option(metavar="DIR", help="Stores the trainings.", rich_help_panel=_ABLATION)
]
Device = Annotated[
    str, typer.Option(metavar="NAME", help="cpu, cuda ...", rich_help_panel=_ABLATION)
]


def evaluate_command(
    domain: DomainName = "eqs",
    model: Model = None,
    split: Split = None,
    grammar: GrammarName = None,
    beam: Beam = 1,
    no_denotation: NoDenotation = False,
    limit: Limit = None,
    errors: Errors = None,
    chart: Chart = None,
    calibration: Calibrated = False,
    ablation: Ablation = False,
    seeds: Seeds = 3,
    epochs: Epochs = None,
    folder: Folder = Path("runs/ablation"),
    device: Device = "cpu",
    data: Data = None,
    json: Json = False,
) -> None:
    """Measure a trained parser.

    Exact match ignores order and notation; a denotation is right if both logical forms have the
    same answer. Intervals are 95 % bootstrap intervals. --calibration measures the calibration of
    the confidence (ECE is the expected calibration error), the cost of abstaining, and on how many
    out-of-domain texts the parser abstains: "coverage" is the share of queries that it answers,
    "match covered" the share of these that are right, "of these wrong" the abstentions that would
    have been wrong, and "area of risk" the mean share of errors if only the most confident queries
    were answered, over all shares of them. --ablation measures the contribution of each part of
    the model over several seeds: this trains for hours, and resumes where it was interrupted.

    \b
    Examples:
      grammax evaluate
      grammax evaluate eqs --split test --grammar none --no-denotation
      grammax evaluate --model runs/eqs/model.safetensors --beam 5 --errors wrong.jsonl
      grammax evaluate --calibration --chart confidence.png
      grammax evaluate --ablation --seeds 3 --chart ablation.png
    """
    from grammax.cli.evaluate.scope import Scope
    from grammax.domains import load_domain

    decodes = bool(grammar or beam > 1 or errors)
    _require_one_kind(ablation, calibration, model is not None, decodes)
    if errors is not None:
        require_folder(errors)
    if chart is not None:
        require_drawable(chart, "--chart")
    with late_progress(None) as progress:
        progress("loading", 0)
        language = load_domain(domain, data)
    scope = Scope(language, split or language.splits[1:], limit, chart, json)
    if ablation:
        from grammax.cli.evaluate.ablation import evaluate_ablation

        evaluate_ablation(scope, folder, seeds, epochs, device)
    elif calibration:
        from grammax.cli.evaluate.calibration import evaluate_calibration

        evaluate_calibration(scope, model)
    else:
        from grammax.cli.evaluate.matches import evaluate_matches

        evaluate_matches(scope, model, grammar, beam, denotation=not no_denotation, errors=errors)


def _require_one_kind(ablation: bool, calibration: bool, loads: bool, decodes: bool) -> None:
    """Raise if an option is given that the chosen kind of evaluation does not use."""
    if ablation and (calibration or loads or decodes):
        message = "the ablation trains and decodes in its own ways: leave out --calibration, "
        raise typer.BadParameter(
            f"{message}--model, --grammar, --beam and --errors", param_hint="--ablation"
        )
    if calibration and decodes:
        message = "confidence is measured on the parser as it is loaded: leave out --grammar, "
        raise typer.BadParameter(f"{message}--beam and --errors", param_hint="--calibration")
