"""The results of `grammax grammar`, as values for JSON and as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self, final

from rich.text import Text

from grammax.automaton import BoundAutomaton, Explanation
from grammax.automaton.lr.conflicts import lr_tables
from grammax.cli.grammar.comparison import Row
from grammax.cli.grammar.notation import show_token
from grammax.cli.terminal import new_table, plain, print_result
from grammax.errors import AutomatonError, ConflictError, Problem
from grammax.grammar import Grammar

_COLOURS = {"error": "red", "warning": "yellow"}
_EXAMPLES = 4
_TOKEN_WIDTH = 40


@final
@dataclass(frozen=True, slots=True)
class Conflict:
    """Why a grammar is not LR(1): after `prefix`, before `lookahead`, two `actions` fit."""

    message: str
    prefix: tuple[str, ...]
    lookahead: str
    actions: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Summary:
    """The size of a usable grammar, and whether it is LR(1)."""

    start: str
    rules: int
    kinds: int
    tokens: int
    lr_method: str | None
    lr_states: int | None
    lr_conflict: Conflict | None

    @classmethod
    def from_grammar(cls, grammar: Grammar) -> Self:
        method = states = conflict = None
        try:
            tables = lr_tables(grammar)
            method, states = tables.method, len(tables.goto)
        except ConflictError as error:
            message = error.problems[0].message
            conflict = Conflict(message, error.prefix, error.lookahead, error.actions)
        except AutomatonError as too_large:
            conflict = Conflict(str(too_large), (), "", ())
        tokens = sum(map(len, grammar.kinds.values()))
        rules, kinds = len(grammar.rules), len(grammar.kinds)
        return cls(grammar.start, rules, kinds, tokens, method, states, conflict)


@final
@dataclass(frozen=True, slots=True)
class CheckReport:
    """The problems of a grammar; `summary` is None if it cannot be used."""

    errors: int
    warnings: int
    problems: tuple[Problem, ...]
    summary: Summary | None

    @classmethod
    def from_problems(cls, problems: Sequence[Problem], grammar: Grammar | None) -> Self:
        errors = sum(problem.severity == "error" for problem in problems)
        summary = None if grammar is None else Summary.from_grammar(grammar)
        in_order = sorted(problems, key=lambda p: (p.location.line, p.location.column))
        return cls(errors, len(problems) - errors, tuple(in_order), summary)


def print_check(report: CheckReport) -> None:
    """Each problem with its location and hint, their number, and the summary."""
    for problem in report.problems:
        text = plain(str(problem))
        text.highlight_words([f" {problem.severity}: "], f"bold {_COLOURS[problem.severity]}")
        print_result(text)
    print_result(plain(f"{_count(report.errors, 'error')}, {_count(report.warnings, 'warning')}"))
    if report.summary is None:
        return
    summary = report.summary
    table = new_table(
        "start", "rules", "kinds", "tokens", "LR(1)", numbers=("rules", "kinds", "tokens")
    )
    sizes = (summary.rules, summary.kinds, summary.tokens)
    table.add_row(plain(summary.start), *(f"{size:,}" for size in sizes), _verdict(summary))
    print_result(table)


def _verdict(summary: Summary) -> Text:
    conflict = summary.lr_conflict
    if conflict is None:
        return plain(f"yes: {summary.lr_method}, {summary.lr_states:,} states")
    why = conflict.message.removeprefix("the grammar is not LR(1): ")
    return plain("\n".join((f"no: {why}", *conflict.actions)))


@final
@dataclass(frozen=True, slots=True)
class NextKind:
    """A kind that may come next."""

    kind: str
    size: int
    tokens: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class NextReport:
    """What may follow `prefix`: `permitted` of the `vocabulary` tokens."""

    automaton: str
    prefix: tuple[str, ...]
    permitted: int
    vocabulary: int
    spans: int
    may_end: bool
    tokens_to_accept: int
    kinds: tuple[NextKind, ...]

    @classmethod
    def after(cls, automaton: BoundAutomaton[Any], prefix: Sequence[str]) -> Self:
        state, vocabulary = automaton.read(prefix), automaton.vocabulary
        permitted = automaton.next_tokens(state)
        members = [(kind, vocabulary.tokens_of(kind)) for kind in permitted.kinds]
        return cls(
            automaton.name,
            tuple(prefix),
            permitted.size,
            len(vocabulary),
            len(permitted.spans),
            automaton.accepts(state),
            automaton.tokens_to_accept(state),
            tuple(NextKind(kind, len(tokens), tokens) for kind, tokens in members),
        )


def print_next(report: NextReport, limit: int) -> None:
    """The first `limit` kinds in row order, then a summary of all of them."""
    if report.kinds:
        table = new_table("kind", "tokens", "such as", numbers=["tokens"])
        for kind in report.kinds[:limit]:
            table.add_row(plain(_cut(kind.kind)), f"{kind.size:,}", plain(_examples(kind)))
        print_result(table)
    more = len(report.kinds) - limit
    hidden = [f"... and {_count(more, 'more kind')}; --limit shows more."] if more > 0 else []
    share = f"{report.permitted:,} of {report.vocabulary:,} tokens"
    missing = f"it takes at least {_count(report.tokens_to_accept, 'more token')}"
    lines = [
        *hidden,
        f"Permitted by {report.automaton}: {share}, in {_count(report.spans, 'span')}.",
        f"The sentence may {'end here' if report.may_end else f'not end here: {missing}'}.",
    ]
    print_result(plain("\n".join(lines)))


def explanation_json(automaton: BoundAutomaton[Any], explanation: Explanation) -> object:
    """An explanation for JSON, its text included."""
    return {
        "automaton": automaton.name,
        "prefix": explanation.prefix,
        "token": explanation.token,
        "kind": explanation.kind,
        "is_permitted": explanation.is_permitted,
        "permitted": explanation.permitted.size,
        "permitted_kinds": explanation.permitted.kinds,
        "nearest": explanation.nearest,
        "may_end": explanation.complete,
        "where": explanation.where,
        "text": str(explanation),
    }


@final
@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """The rows of a comparison, and what they were measured on."""

    sentences: int
    steps: int
    vocabulary: int
    rows: tuple[Row, ...]

    @classmethod
    def from_rows(
        cls, grammar: Grammar, sentences: Sequence[Sequence[str]], rows: Iterable[Row]
    ) -> Self:
        tokens = sum(map(len, grammar.kinds.values()))
        return cls(len(sentences), sum(map(len, sentences)), tokens, tuple(rows))


def print_comparison(report: ComparisonReport) -> None:
    """One line per automaton; below, what was measured and why a line is empty."""
    numbers = ("states", "kinds", "compile ms", "permitted", "at most", "spans", "µs per step")
    table = new_table("automaton", *numbers, numbers=numbers)
    for row in report.rows:
        table.add_row(
            f"{row.automaton}, {row.method}" if row.method else row.automaton,
            _states(row),
            f"{row.kinds:,}",
            _figure(row.compile_ms, ",.1f"),
            _figure(row.mean_permitted, ",.1f"),
            _figure(row.max_permitted, ","),
            _figure(row.mean_spans, ".2f"),
            _figure(row.median_step_us, ",.2f"),
        )
    print_result(table)
    measured = f"{_count(report.sentences, 'sentence')}, {_count(report.steps, 'step')}"
    lines = [
        f"{measured}; {_count(report.vocabulary, 'token')} in the vocabulary.",
        "+: the states that these sentences reached; others are built on demand.",
        *(f"{row.automaton}: {row.conflict}" for row in report.rows if row.conflict),
    ]
    print_result(plain("\n".join(lines)))


def _states(row: Row) -> str:
    so_far = "+" if row.automaton.startswith("unrolled") else ""
    return "conflict" if row.conflict else f"{_figure(row.states, ',')}{so_far}"


def _figure(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _examples(kind: NextKind) -> str:
    shown = " ".join(_cut(show_token(token)) for token in kind.tokens[:_EXAMPLES])
    return f"{shown} ..." if kind.size > _EXAMPLES else shown


def _cut(text: str) -> str:
    return text if len(text) <= _TOKEN_WIDTH else f"{text[: _TOKEN_WIDTH - 3]}..."
