"""The results of `grammax eqs`, as values for JSON and as tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self, final

from grammax.cli.ask.report import print_answer
from grammax.cli.terminal import new_table, plain, print_message, print_result
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.find import Match
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.form.text import pretty, to_tokens
from grammax.tables.form.tree import LogicalForm
from grammax.tables.form.typecheck import check

if TYPE_CHECKING:
    from grammax.language.answer import Answer
    from grammax.tables.corpus.statistics import Statistics
    from grammax.tables.query.store import Store


@final
@dataclass(frozen=True, slots=True)
class TypeProblem:
    """A type error of a logical form."""

    code: str
    message: str
    hint: str
    given: str
    nearest: tuple[str, ...]
    text: str


@final
@dataclass(frozen=True, slots=True)
class CheckReport:
    """A logical form, its tokens, its meaning, and its type errors."""

    logical_form: str
    tokens: tuple[str, ...]
    paraphrase: str | None
    problems: tuple[TypeProblem, ...]
    pretty: str

    @classmethod
    def from_form(cls, lf: LogicalForm, catalogue: Catalogue) -> Self:
        problems = tuple(
            TypeProblem(j.code, j.message, j.hint, j.given, j.nearest, str(j))
            for j in check(lf, catalogue)
        )
        meaning = None if problems else paraphrase(lf, catalogue)
        return cls(str(lf), to_tokens(lf), meaning, problems, pretty(lf))


def print_check(report: CheckReport) -> None:
    """The type errors, or the form over several lines and its meaning."""
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
    """The matches of a text, best first."""

    text: str
    matches: tuple[Found, ...]

    @classmethod
    def from_matches(cls, text: str, matches: Iterable[Match], catalogue: Catalogue) -> Self:
        return cls(text, tuple(_found(match, catalogue) for match in matches))


def _found(match: Match, catalogue: Catalogue) -> Found:
    entry = (
        catalogue.fields.get(match.token)
        or catalogue.values.get(match.token)
        or catalogue.units[match.token]
    )
    return Found(match.token, entry.name, entry.type, match.alias, match.how, match.score)


def print_found(report: FindReport) -> None:
    """The matches as a table."""
    if not report.matches:
        print_message(f"Nothing in the catalogue is similar to {report.text!r}.", "yellow")
        return
    table = new_table("token", "name", "type", "matched", "how")
    for found in report.matches:
        cells = (found.token, found.name, found.type, found.alias, found.how)
        table.add_row(*map(plain, cells))
    print_result(table)


def answer_report(lf: LogicalForm, answer: Answer, market: Store) -> dict[str, Any]:
    """An answer with its question: `rows` hold names of values, `tokens` their tokens."""
    return {
        "logical_form": str(lf),
        "paraphrase": paraphrase(lf, market.catalogue),
        "columns": [column._asdict() for column in answer.columns],
        "rows": answer.rows,
        "tokens": answer.token_rows,
        "truncated": answer.more,
        "total": answer.total,
        "seconds": answer.seconds,
        "note": market.note if answer.synthetic else "",
        "notes": answer.notes,
        "summary": answer.summary,
    }


def print_market_answer(answer: Answer, market: Store) -> None:
    """The answer as a table, numbers as people read them."""
    nouns = ("row", "rows") if answer.summary else ("equity", "equities")
    note = f"* {market.note}"
    print_answer(answer, nouns=nouns, nothing="No equity", note=note)


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
        "grammar", "covers", "permitted per step", numbers=("covers", "permitted per step")
    )
    for grammar in statistics.grammars:
        table.add_row(grammar.name, f"{grammar.covered:,}", f"{grammar.mean_permitted:,.0f}")
    print_result(table)
    for pair in statistics.sample:
        print_result(plain(pair.query, "bold"))
        print_result(plain(f"    {pair.lf}"))
