"""`grammax eqs`: equity search without the neural parser: logical forms, names, answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from grammax.cli.ask.report import write_csv
from grammax.cli.eqs.reports import (
    CheckReport,
    FindReport,
    answer_report,
    print_check,
    print_found,
    print_market_answer,
    print_statistics,
    statistics_json,
)
from grammax.cli.grammar.reports import NextReport, explanation_json, print_next
from grammax.cli.options import Json, Tables, new_group
from grammax.cli.terminal import late_progress, plain, print_json, print_lines, print_result
from grammax.domains.eqs.catalogue import DEFAULT_SIZE, load_catalogue
from grammax.domains.eqs.domain import TRAINING_PAIRS
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.form.text import prefix_tokens, read

if TYPE_CHECKING:
    from grammax.tables.query.store import Store

app = new_group("Logical forms of the domain eqs: check, run, look up names.")

Form = Annotated[
    str,
    typer.Argument(
        metavar="LF", help="A logical form, such as '(FLD_DOMICILE EQ enumValue(COU_JAPAN))'."
    ),
]
Size = Annotated[
    int,
    typer.Option(
        "--size", metavar="N", min=1_000, max=1_000_000, help="How many tokens the catalogue has."
    ),
]


@app.command("run")
def run_command(
    lf: Form,
    sql: Annotated[bool, typer.Option("--sql", help="Print the SQL instead.")] = False,
    dialect: Annotated[
        str, typer.Option(metavar="NAME", help="The dialect of --sql: duckdb, postgres, trino ...")
    ] = "duckdb",
    explain: Annotated[bool, typer.Option("--explain", help="Print its meaning first.")] = False,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="At most N rows.")] = 20,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.01, help="The time limit.")] = 10.0,
    tables: Tables = None,
    json: Json = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Answer a logical form from the market.

    The answer has the ticker, the name, and the constrained and displayed fields. The market is
    built on first use, in some seconds. Its companies are real; columns marked * hold generated
    numbers, not facts. With --tables your own tables take its place.

    \b
    Examples:
      grammax eqs run '(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_RETURN_ON_CAP))'
      grammax eqs run '(top 5 FLD_MKT_CAP)' --explain
      grammax eqs run '(FLD_MKT_CAP(LAST QUARTER) GR 1 TRILLION CUR_USD)' --sql --dialect postgres
    """
    form = read(lf, load_catalogue())
    with _market(tables) as market:
        if sql:
            print_lines([market.sql(form, dialect)])
            return
        answer = market.answer(form, limit, seconds)
        if json:
            print_json(answer_report(form, answer, market))
        elif csv:
            write_csv(answer, sys.stdout)
            sys.stdout.flush()
        else:
            if explain:
                print_result(plain(paraphrase(form, market.catalogue), "italic"))
            print_market_answer(answer, market)


@contextmanager
def _market(tables: Path | None) -> Iterator[Store]:
    """The user's own tables, or the market of grammax, which is built on first use."""
    from grammax.domains.eqs.market.store import connect_market, open_market

    if tables is not None:
        with connect_market(tables) as market:
            yield market
        return
    with late_progress(100) as progress:
        done = 0

        def tell(what: str, share: float) -> None:
            nonlocal done
            progress(what, int(share * 100) - done)
            done = int(share * 100)

        market = open_market(progress=tell)
    with market:
        yield market


@app.command("corpus")
def corpus_command(
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Write a JSON lines file per split."),
    ] = None,
    split: Annotated[
        str | None, typer.Option(metavar="NAME", help="The split to print: train, test ...")
    ] = None,
    statistics: Annotated[
        bool,
        typer.Option("--statistics", help="Print statistics and a sample."),
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="Equal seeds give equal bytes.")] = 0,
    train: Annotated[
        int, typer.Option(metavar="N", min=1, help="Training pairs.")
    ] = TRAINING_PAIRS,
    test: Annotated[int, typer.Option(metavar="N", min=1, help="Pairs of each test set.")] = 331,
    size: Size = DEFAULT_SIZE,
    json: Json = False,
) -> None:
    """Generate the corpus of queries and logical forms.

    Without options the training pairs go to stdout, as JSON lines.

    \b
    Examples:
      grammax eqs corpus -o corpus/
      grammax eqs corpus --split test | head -3
      grammax eqs corpus --statistics
    """
    from grammax.domains.eqs.paper import automata
    from grammax.domains.eqs.words import EQUITY_STYLE
    from grammax.tables.corpus import corpus as corpora
    from grammax.tables.corpus.statistics import statistics as measure

    catalogue = load_catalogue(size)
    with late_progress(2) as progress:
        progress("generating", 0)
        corpus = corpora.generate(catalogue, EQUITY_STYLE, seed, train, test, test)
        progress("measuring", 1)
        report = measure(corpus, catalogue, automata(catalogue)) if statistics else None
    if report is not None:
        if json:
            print_json(statistics_json(report))
        else:
            print_statistics(report)
    elif output is not None:
        print_lines(str(path) for path in corpora.write(corpus, output))
    else:
        pairs = corpus.splits.get(split or "train")
        if pairs is None:
            names = ", ".join(corpus.splits)
            raise typer.BadParameter(f"there is no split {split!r}; the splits are {names}")
        print_lines(pair.json() for pair in pairs)


@app.command("check")
def check_command(lf: Form, size: Size = DEFAULT_SIZE, json: Json = False) -> None:
    """Check the syntax, the names and the types of a logical form.

    The exit code is 1 if it has an error; else it is printed over several lines, with its meaning
    in English.

    \b
    Examples:
      grammax eqs check '(FLD_DOMICILE EQ enumValue(COU_GERMANY))'
      grammax eqs check '(FLD_DOMICILE GE 2)'
    """

    catalogue = load_catalogue(size)
    report = CheckReport.from_form(read(lf, catalogue), catalogue)
    if json:
        print_json(asdict(report))
    else:
        print_check(report)
    if report.problems:
        raise typer.Exit(1)


@app.command("next")
def next_command(
    prefix: Annotated[
        str, typer.Argument(metavar="PREFIX", help="The beginning of a logical form.")
    ] = "",
    grammar: Annotated[
        Literal["lr", "superset", "unrolled", "paper"],
        typer.Option(help="The grammar, from exact to loose."),
    ] = "lr",
    untyped: Annotated[
        bool, typer.Option("--untyped", help="Permit any value after any field.")
    ] = False,
    token: Annotated[
        str | None,
        typer.Option(metavar="T", help="Explain why the token T is or is not permitted next."),
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Show at most N kinds.")] = 40,
    size: Size = DEFAULT_SIZE,
    json: Json = False,
) -> None:
    """Show what may follow the beginning of a logical form, by kind, with counts.

    \b
    Examples:
      grammax eqs next
      grammax eqs next "(AND (FLD_DOMICILE EQ"
      grammax eqs next "(FLD_DOMICILE" --token GE
    """
    from grammax.domains.eqs.paper import equity_automaton

    automaton = equity_automaton(load_catalogue(size), grammar, typed=not untyped)
    words = prefix_tokens(prefix)
    if token is not None:
        explanation = automaton.explain(words, token)
        if json:
            print_json(explanation_json(automaton, explanation))
        else:
            print_result(plain(str(explanation)))
        return
    report = NextReport.after(automaton, words)
    if json:
        print_json(asdict(report))
    else:
        print_next(report, limit)


@app.command("find")
def find_command(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A name.")],
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, help="At most N matches.")] = 10,
    size: Size = DEFAULT_SIZE,
    json: Json = False,
) -> None:
    """Look up fields, values and currencies by name or alias.

    Case, punctuation, plurals and one typo are ignored.

    \b
    Examples:
      grammax eqs find "market cap"
      grammax eqs find germny
    """
    from grammax.tables.catalogue.find import Finder

    catalogue = load_catalogue(size)
    report = FindReport.from_matches(text, Finder(catalogue).find(text, count), catalogue)
    if json:
        print_json(asdict(report))
    else:
        print_found(report)
    if not report.matches:
        raise typer.Exit(1)
