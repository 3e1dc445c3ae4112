"""The results of `grammax eqs` as values, ready for JSON, and as tables for people."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self, final

from grammax.cli.ask.report import counted, header, print_rows, write_rows
from grammax.cli.terminal import new_table, plain, print_lines, print_message, print_result
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.find import Match
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.form.text import pretty, to_tokens
from grammax.tables.form.tree import LogicalForm
from grammax.tables.form.typecheck import check

if TYPE_CHECKING:
    from grammax.language.answer import Answer
    from grammax.tables.corpus.statistics import Statistics
    from grammax.tables.query.store import Market


@final
@dataclass(frozen=True, slots=True)
class TypeProblem:
    """What is wrong with a logical form that can be read."""

    code: str
    message: str
    hint: str
    given: str
    nearest: tuple[str, ...]
    text: str


@final
@dataclass(frozen=True, slots=True)
class CheckReport:
    """A logical form, its tokens, what it means, and what is wrong with it."""

    logical_form: str
    tokens: tuple[str, ...]
    paraphrase: str | None
    problems: tuple[TypeProblem, ...]
    pretty: str

    @classmethod
    def of(cls, lf: LogicalForm, catalogue: Catalogue) -> Self:
        problems = tuple(
            TypeProblem(j.code, j.message, j.hint, j.given, j.nearest, str(j))
            for j in check(lf, catalogue)
        )
        meaning = None if problems else paraphrase(lf, catalogue)
        return cls(str(lf), to_tokens(lf), meaning, problems, pretty(lf))


def print_check(report: CheckReport) -> None:
    """What is wrong, or the form over several lines and what it means."""
    if report.problems:
        print_message("\n\n".join(problem.text for problem in report.problems), "red")
        return
    print_result(plain(report.pretty))
    print_result(plain(f"\n{report.paraphrase}", "italic"))


@final
@dataclass(frozen=True, slots=True)
class Found:
    """A field, value or currency that a text may mean."""

    token: str
    name: str
    type: str
    alias: str
    how: str
    score: float


@final
@dataclass(frozen=True, slots=True)
class FindReport:
    """What was found for a text, the best first."""

    text: str
    matches: tuple[Found, ...]

    @classmethod
    def of(cls, text: str, matches: Iterable[Match], catalogue: Catalogue) -> Self:
        return cls(text, tuple(_found(match, catalogue) for match in matches))


def _found(match: Match, catalogue: Catalogue) -> Found:
    entry = (
        catalogue.fields.get(match.token)
        or catalogue.values.get(match.token)
        or catalogue.currencies[match.token]
    )
    return Found(match.token, entry.name, entry.type, match.alias, match.how, match.score)


def print_found(report: FindReport) -> None:
    """A table of what was found."""
    if not report.matches:
        print_message(f"Nothing in the catalogue comes near {report.text!r}.", "yellow")
        return
    table = new_table("token", "name", "type", "matched", "how")
    for found in report.matches:
        cells = (found.token, found.name, found.type, found.alias, found.how)
        table.add_row(*map(plain, cells))
    print_result(table)


@final
@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """A column of an answer; `synthetic` ones hold generated numbers."""

    label: str
    field: str | None
    unit: str
    synthetic: bool


@final
@dataclass(frozen=True, slots=True)
class AnswerReport:
    """An answer with what was asked; `rows` hold names of values, `tokens` their tokens."""

    logical_form: str
    paraphrase: str
    columns: tuple[AnswerColumn, ...]
    rows: tuple[tuple[Any, ...], ...]
    tokens: tuple[tuple[Any, ...], ...]
    truncated: bool
    total: int | None
    seconds: float
    note: str

    @classmethod
    def of(cls, lf: LogicalForm, answer: Answer, market: Market) -> Self:
        columns = tuple(
            AnswerColumn(c.label, c.field, c.unit or "", c.synthetic) for c in answer.columns
        )
        return cls(
            str(lf),
            paraphrase(lf, market.catalogue),
            columns,
            answer.rows,
            answer.token_rows,
            answer.more,
            answer.total,
            answer.seconds,
            market.note if answer.synthetic else "",
        )


def print_answer(report: AnswerReport, explain: bool) -> None:
    """The answer as a table, numbers as people read them."""
    if explain:
        print_result(plain(report.paraphrase, "italic"))
    numbers = [header(column) for column in report.columns if column.unit]
    print_rows([header(column) for column in report.columns], numbers, report.rows)
    total = report.total if report.truncated else len(report.rows)
    summary = counted(len(report.rows), total, report.seconds, ("equity", "equities"))
    print_result(plain(summary if report.rows else "No equity satisfies this."))
    if report.note:
        print_result(plain(f"* {report.note}", "dim"))


def print_csv(report: AnswerReport) -> None:
    """The answer as CSV, numbers in full."""
    text = io.StringIO()
    write_rows([header(column) for column in report.columns], report.rows, text)
    print_lines(text.getvalue().splitlines())


def statistics_json(statistics: Statistics) -> dict[str, Any]:
    """The statistics for JSON: logical forms as text."""
    found = asdict(statistics)
    found["sample"] = [
        {"query": pair.query, "logical_form": str(pair.lf)} for pair in statistics.sample
    ]
    return found


def print_statistics(statistics: Statistics) -> None:
    """The statistics of a corpus as tables, and a sample."""
    lengths = ("words", "words p90", "LF tokens", "LF p90")
    shares = ("unseen tokens", "with unseen field", "with unseen value", "unseen structure")
    table = new_table("split", "pairs", *lengths, *shares, numbers=("pairs", *lengths, *shares))
    for split in statistics.splits:
        sizes = (split.query_words, split.lf_tokens)
        parts = (
            split.unseen_tokens,
            split.pairs_with_unseen_fields,
            split.pairs_with_unseen_values,
            split.unseen_skeletons,
        )
        table.add_row(
            split.name,
            f"{split.pairs:,}",
            *(text for size in sizes for text in (f"{size.mean:.1f}", str(size.p90))),
            *(f"{part:.1%}" for part in parts),
        )
    print_result(table)
    names = [split.name for split in statistics.splits]
    table = new_table("share of pairs with", *names, numbers=names)
    for construct in statistics.splits[0].constructs:
        cells = (f"{split.constructs[construct]:.1%}" for split in statistics.splits)
        table.add_row(construct, *cells)
    print_result(table)
    table = new_table(
        "grammar", "covers", "permitted a step", numbers=("covers", "permitted a step")
    )
    for grammar in statistics.grammars:
        table.add_row(grammar.name, f"{grammar.covered:,}", f"{grammar.mean_permitted:,.0f}")
    print_result(table)
    for pair in statistics.sample:
        print_result(plain(pair.query, "bold"))
        print_result(plain(f"    {pair.lf}"))
