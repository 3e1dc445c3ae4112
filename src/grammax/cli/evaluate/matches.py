"""Exact match, denotation and the kinds of mistakes: decoded, compared, and shown."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from grammax.cli.evaluate.scope import Scope, chosen_model, require_known
from grammax.cli.terminal import late_progress, new_table, plain, print_json, print_result
from grammax.errors import GrammaxError
from grammax.evaluation import Outcome, Report, Share, evaluate
from grammax.evaluation.evaluate import ParseBatch
from grammax.language.domain import Domain, Tokens
from grammax.model.header import decoding_grammar, read_header

NO_GRAMMAR: Final = "none"


def evaluate_matches(
    scope: Scope,
    model: Path | None,
    grammar: str | None,
    beam: int,
    *,
    denotation: bool,
    errors: Path | None,
) -> None:
    """Decode all queries, compare them with the expected logical forms, and show the result."""
    domain = scope.domain
    if grammar is not None:
        require_known("grammar", grammar, (*domain.grammars, NO_GRAMMAR), domain)
    with late_progress(1) as progress:
        progress("loading", 0)
        path, name = chosen_model(domain, model)
        grammar = grammar or _own_grammar(path, domain)
        parse_batch = _parser(domain, path, grammar, beam)
        pairs = scope.pairs()
    with late_progress(sum(map(len, pairs.values()))) as progress:
        outcomes = evaluate(domain, parse_batch, pairs, denotation=denotation, progress=progress)
    report = Report.from_outcomes(domain, outcomes, model=name, grammar=grammar, beam=beam)
    if scope.json:
        print_json(asdict(report))
    else:
        print_evaluation(report)
    if errors is not None:
        write_errors(errors, outcomes)
    if scope.chart is not None:
        from grammax.cli.charts import draw_evaluation

        draw_evaluation(report, scope.chart)


def print_evaluation(report: Report) -> None:
    """One row per split, the mistakes by kind, and what was measured."""
    numbers = ("queries", "exact match %", "denotation %", "ungrammatical", "ill typed")
    table = new_table("split", *numbers, numbers=numbers)
    for split in report.splits:
        table.add_row(
            split.split,
            f"{split.queries:,}",
            _share(split.exact),
            _share(split.denotation),
            f"{split.ungrammatical:,}",
            f"{split.ill_typed:,}",
        )
    print_result(table)
    if report.mistakes:
        names = [split.split for split in report.splits]
        table = new_table("mistake", *names, numbers=names)
        for kind in report.mistakes:
            counts = (f"{split.mistakes.get(kind, 0):,}" for split in report.splits)
            table.add_row(plain(kind), *counts)
        print_result(table)
    how = "greedy" if report.beam == 1 else f"beam {report.beam}"
    print_result(
        plain(
            f"{report.domain} {report.version}, {report.model}, grammar {report.grammar}, {how}; "
            f"95 % intervals in brackets."
        )
    )


def write_errors(path: Path, outcomes: Mapping[str, Sequence[Outcome]]) -> None:
    """Write every outcome that is not an exact match, with its split, as a line of JSON."""
    with path.open("w", encoding="utf-8") as file:
        for split, judged in outcomes.items():
            for outcome in judged:
                if not outcome.exact:
                    row = {"split": split, **asdict(outcome)}
                    file.write(f"{json.dumps(row, ensure_ascii=False)}\n")


def _own_grammar(path: Path, domain: Domain) -> str:
    """The grammar that a model decodes under."""
    header = read_header(path)
    if header.model.decisions_only:
        return header.training.grammar
    return decoding_grammar(header.model, domain)


def _parser(domain: Domain, path: Path, grammar: str, beam: int) -> ParseBatch:
    """A function from queries to tokens: the model of a checkpoint, decoding under a grammar."""
    from grammax.head.every_row import EveryRow
    from grammax.model.checkpoint import load_network
    from grammax.model.parser import TorchParser, output_layer
    from grammax.reading.parse import QueryNotice
    from grammax.search import Unconstrained

    network = load_network(path, domain)
    if network.config.decisions_only:
        trained = read_header(path).training.grammar
        if grammar != trained:
            raise GrammaxError(
                f"{path} was trained on the decisions that the grammar {trained!r} leaves open, "
                f"so it cannot decode under {grammar!r}. Leave --grammar out."
            )
    if grammar == NO_GRAMMAR:
        free = Unconstrained(domain.vocabulary)
        parser = TorchParser(network, free, EveryRow(output_layer(network)))
    else:
        parser = TorchParser(network, domain.automaton(grammar))

    def parse_batch(queries: Sequence[str]) -> list[Tokens]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", QueryNotice)  # notices are for people who type queries
            if beam == 1:
                return [parse.tokens for parse in parser.parse_batch(queries)]
            return [parser.best(query, beam)[0].tokens for query in queries]

    return parse_batch


def _share(share: Share | None) -> str:
    """A share in percent with its interval.

    >>> _share(Share(0.5, 0.4, 0.6))
    '50.0 [40.0–60.0]'
    """
    if share is None:
        return "–"
    return f"{share.value:.1%} [{share.low:.1%}–{share.high:.1%}]".replace("%", "")
