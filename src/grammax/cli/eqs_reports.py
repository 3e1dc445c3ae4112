"""The results of `grammax eqs` as values, ready for JSON, and as tables for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self, final

from grammax.cli.terminal import new_table, plain, print_message, print_result
from grammax.domains.eqs.catalogue import Catalogue
from grammax.domains.eqs.find import Match
from grammax.domains.eqs.lf_text import pretty, to_tokens
from grammax.domains.eqs.logical_form import LogicalForm
from grammax.domains.eqs.paraphrase import paraphrase
from grammax.domains.eqs.typing_rules import check


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
