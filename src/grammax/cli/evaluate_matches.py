"""`grammax evaluate` as such: how often a model is right, and the sorts of its mistakes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from grammax.cli.evaluate_report import print_evaluation, write_errors
from grammax.cli.evaluate_wanted import Wanted, chosen_model, require_known
from grammax.cli.terminal import late_progress, print_json
from grammax.errors import GrammaxError
from grammax.evaluation import Report, evaluate
from grammax.evaluation.evaluate import ParseBatch
from grammax.language.domain import Domain, Tokens

NO_GRAMMAR: Final = "none"


def evaluate_matches(
    wanted: Wanted,
    model: Path | None,
    grammar: str | None,
    beam: int,
    *,
    denotation: bool,
    errors: Path | None,
) -> None:
    """Decode all queries, compare with what is right, and show what was found."""
    domain = wanted.domain
    grammar = grammar or domain.grammars[-1]
    require_known("grammar", grammar, (*domain.grammars, NO_GRAMMAR), domain)
    with late_progress(1) as progress:
        progress("loading", 0)
        path, name = chosen_model(domain, model)
        parse_batch = _parser(domain, path, grammar, beam)
        pairs = wanted.pairs()
    with late_progress(sum(map(len, pairs.values()))) as progress:
        outcomes = evaluate(domain, parse_batch, pairs, denotation=denotation, progress=progress)
    report = Report.of(domain, outcomes, model=name, grammar=grammar, beam=beam)
    if wanted.json:
        print_json(asdict(report))
    else:
        print_evaluation(report)
    if errors is not None:
        write_errors(errors, outcomes)
    if wanted.picture is not None:
        from grammax.cli.pictures_evaluation import draw_evaluation

        draw_evaluation(report, wanted.picture)


def _parser(domain: Domain, path: Path, grammar: str, beam: int) -> ParseBatch:
    """The model in a file as a function from queries to tokens."""
    from grammax.head.every_row import EveryRow
    from grammax.model.checkpoint import load_network
    from grammax.model.header import read_header
    from grammax.model.parser import TorchParser, output_layer
    from grammax.reading.parse import QueryNotice
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

    def parse_batch(queries: Sequence[str]) -> list[Tokens]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", QueryNotice)  # for who asks, not for who measures
            if beam == 1:
                return [parse.tokens for parse in parser.parse_batch(queries)]
            return [parser.best(query, beam)[0].tokens for query in queries]

    return parse_batch
