"""`grammax evaluate`: how often a trained parser is right, and of what sort its mistakes are."""

from __future__ import annotations

from pathlib import Path

import typer

from grammax.cli import evaluate_options as option
from grammax.cli.options import Data, Json, Model
from grammax.cli.pictures import require_drawable, require_folder
from grammax.cli.terminal import late_progress


def evaluate_command(
    domain: option.Domain = "eqs",
    model: Model = None,
    split: option.Split = None,
    grammar: option.Grammar = None,
    beam: option.Beam = 1,
    no_denotation: option.NoDenotation = False,
    limit: option.Limit = None,
    errors: option.Errors = None,
    picture: option.Picture = None,
    calibration: option.Calibration = False,
    ablation: option.Ablation = False,
    seeds: option.Seeds = 3,
    epochs: option.Epochs = None,
    folder: option.Folder = Path("runs/ablation"),
    device: option.Device = "cpu",
    data: Data = None,
    json: Json = False,
) -> None:
    """Measure a trained parser: exact match, denotation, and the sorts of its mistakes.

    Exact match is up to order and notation; denotation is right where both logical forms have the
    same answer. Intervals are of 95 %, by bootstrap. With --calibration, how far the probability
    that a logical form is right can be trusted (ECE is the expected calibration error), what
    abstaining costs and brings, and how many texts that are no queries are abstained on.
    With --ablation, what each part of the model is worth, over some seeds: trainings of hours,
    kept in a folder, that go on where they were interrupted.

    \b
    Examples:
      grammax evaluate
      grammax evaluate eqs --split test --grammar none --no-denotation
      grammax evaluate --model runs/eqs/model.safetensors --beam 5 --errors wrong.jsonl
      grammax evaluate --picture shares.png --json
      grammax evaluate --calibration --chart confidence.png
      grammax evaluate --ablation --seeds 3 --chart ablation.png
    """
    from grammax.cli.evaluate_wanted import Wanted
    from grammax.domains import load_domain

    decodes = bool(grammar or beam > 1 or errors)
    _require_one_sort(ablation, calibration, model is not None, decodes)
    if errors is not None:
        require_folder(errors)
    if picture is not None:
        require_drawable(picture, "--picture")
    with late_progress(1) as progress:
        progress("loading", 0)
        language = load_domain(domain, data)
    wanted = Wanted(language, split or language.splits[1:], limit, picture, json)
    if ablation:
        from grammax.cli.evaluate_ablation import evaluate_ablation

        evaluate_ablation(wanted, folder, seeds, epochs, device)
    elif calibration:
        from grammax.cli.evaluate_calibration import evaluate_calibration

        evaluate_calibration(wanted, model)
    else:
        from grammax.cli.evaluate_matches import evaluate_matches

        evaluate_matches(wanted, model, grammar, beam, denotation=not no_denotation, errors=errors)


def _require_one_sort(ablation: bool, calibration: bool, loads: bool, decodes: bool) -> None:
    """Refuse options of one sort of evaluation that another has no use for."""
    if ablation and (calibration or loads or decodes):
        message = "the ablation trains and decodes in its own ways: leave out --calibration, "
        raise typer.BadParameter(
            f"{message}--model, --grammar, --beam and --errors", param_hint="--ablation"
        )
    if calibration and decodes:
        message = "the confidence is that of the parser as it is loaded: leave out --grammar, "
        raise typer.BadParameter(f"{message}--beam and --errors", param_hint="--calibration")
