"""`grammax evaluate`: how often a trained parser is right, and of what sort its mistakes are."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from grammax.cli.evaluate_report import print_evaluation, write_errors
from grammax.cli.pictures import require_drawable, require_folder
from grammax.cli.terminal import late_progress, print_json
from grammax.domain import Domain, Tokens
from grammax.errors import GrammaxError
from grammax.evaluation import Report, evaluate
from grammax.evaluation.evaluate import ParseMany
from grammax.nearest import nearest

NO_GRAMMAR: Final = "none"
_ABLATION: Final = "Ablation"


def evaluate_command(
    domain: Annotated[
        str, typer.Argument(metavar="DOMAIN", help="What the parser was trained for.")
    ] = "eqs",
    model: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A checkpoint; by default the model that is shipped."),
    ] = None,
    split: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="May be repeated; by default all but train."),
    ] = None,
    grammar: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Decode under it; by default the tightest. 'none' decodes without one.",
        ),
    ] = None,
    beam: Annotated[
        int, typer.Option(metavar="N", min=1, help="The width of the beam; 1 is greedy.")
    ] = 1,
    no_denotation: Annotated[
        bool, typer.Option("--no-denotation", help="Do not compare answers.")
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Only the first N queries of each split."),
    ] = None,
    errors: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what is not an exact match, as JSON lines."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", "--chart", metavar="FILE", help="Draw the figures, as .png or .svg."
        ),
    ] = None,
    calibration: Annotated[
        bool,
        typer.Option(
            "--calibration", help="Measure the confidence instead, and when the parser abstains."
        ),
    ] = False,
    ablation: Annotated[
        bool,
        typer.Option(
            "--ablation",
            help="Train the paper's network and ours, part by part, and measure each.",
            rich_help_panel=_ABLATION,
        ),
    ] = False,
    seeds: Annotated[
        int, typer.Option(metavar="N", min=1, help="Of each.", rich_help_panel=_ABLATION)
    ] = 3,
    epochs: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Of each [as for training].", rich_help_panel=_ABLATION
        ),
    ] = None,
    folder: Annotated[
        Path,
        typer.Option(metavar="DIR", help="Keeps the trainings.", rich_help_panel=_ABLATION),
    ] = Path("runs/ablation"),
    device: Annotated[
        str, typer.Option(metavar="NAME", help="cpu, cuda ...", rich_help_panel=_ABLATION)
    ] = "cpu",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
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
    from grammax.domains import load_domain, trained_model

    if ablation and (calibration or model or grammar or beam > 1 or errors):
        message = "the ablation trains and decodes in its own ways: leave out --calibration, "
        raise typer.BadParameter(
            f"{message}--model, --grammar, --beam and --errors", param_hint="--ablation"
        )
    if calibration and (grammar or beam > 1 or errors):
        message = "the confidence is that of the parser as it is loaded: leave out --grammar, "
        raise typer.BadParameter(f"{message}--beam and --errors", param_hint="--calibration")
    if errors is not None:
        require_folder(errors)
    if picture is not None:
        require_drawable(picture, "--picture")
    with late_progress(1) as progress:
        progress("loading", 0)
        language = load_domain(domain)
        decoded_under = grammar or language.grammars[-1]
        _require_known("grammar", decoded_under, (*language.grammars, NO_GRAMMAR), language)
        names = split or language.splits[1:]
        for name in names:
            _require_known("split", name, language.splits, language)
        path = model or trained_model(language)
        given = path.name if model is None else str(model)
    if ablation:
        from grammax.cli.evaluate_ablation import evaluate_ablation

        evaluate_ablation(
            language,
            names,
            folder=folder,
            seeds=seeds,
            epochs=epochs,
            device=device,
            limit=limit,
            picture=picture,
            json=json,
        )
        return
    if calibration:
        from grammax.cli.evaluate_calibration import evaluate_calibration

        evaluate_calibration(
            language, path, names, limit=limit, model=given, chart=picture, json=json
        )
        return
    with late_progress(1) as progress:
        progress("loading", 0)
        parse_many = _parser(language, path, decoded_under, beam)
        pairs = {name: language.pairs(name)[:limit] for name in names}
    with late_progress(sum(map(len, pairs.values()))) as progress:
        outcomes = evaluate(
            language, parse_many, pairs, denotation=not no_denotation, progress=progress
        )
    report = Report.of(language, outcomes, model=given, grammar=decoded_under, beam=beam)
    if json:
        print_json(asdict(report))
    else:
        print_evaluation(report)
    if errors is not None:
        write_errors(errors, outcomes)
    if picture is not None:
        from grammax.cli.pictures_evaluation import draw_evaluation

        draw_evaluation(report, picture)


def _parser(domain: Domain, path: Path, grammar: str, beam: int) -> ParseMany:
    """The model in a file as a function from queries to tokens."""
    from grammax.head.every_row import EveryRow
    from grammax.model.checkpoint import load_network
    from grammax.model.header import read_header
    from grammax.model.parse import QueryNotice
    from grammax.model.parser import TorchParser, output_layer
    from grammax.search import Unconstrained

    network = load_network(path, domain)
    if network.config.decisions_only:
        trained = read_header(path).training.grammar
        if grammar != trained:
            raise GrammaxError(
                f"{path} was trained on the decisions that the grammar {trained!r} leaves, so it "
                f"cannot decode under {grammar!r}. Give --grammar {trained}."
            )
    if grammar == NO_GRAMMAR:
        free = Unconstrained(domain.vocabulary)
        parser = TorchParser(network, free, EveryRow(output_layer(network)))
    else:
        parser = TorchParser(network, domain.automaton(grammar))

    def parse_many(queries: Sequence[str]) -> list[Tokens]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", QueryNotice)  # for who asks, not for who measures
            if beam == 1:
                return [parse.tokens for parse in parser.parse_many(queries)]
            return [parser.best(query, beam)[0].tokens for query in queries]

    return parse_many


def _require_known(what: str, given: str, names: Sequence[str], domain: Domain) -> None:
    if given not in names:
        close = nearest(given, names)
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        message = f"{domain.name} has no {what} {given!r}; there is {', '.join(names)}.{hint}"
        raise typer.BadParameter(message, param_hint=f"--{what}")
