"""The problems of a folder, with file and line, and its figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import final

from grammax.errors import Location, Problem
from grammax.folder.coverage import refused
from grammax.folder.data import SQL, SQL_HINT, Line, likely_notation, looks_like_sql, read_pairs
from grammax.folder.domain import FolderDomain
from grammax.folder.open import OpenFolder, read_folder
from grammax.folder.repeats import SHOWN, contradictions, copies
from grammax.folder.settings import SETTINGS
from grammax.folder.unmentioned import NamedTokens, unmentioned_numbers
from grammax.text import did_you_mean, fold_text, nearest

Progress = Callable[
    [str, int], None
]  # the current activity, and the number of steps just completed


@final
@dataclass(frozen=True, slots=True)
class SplitFacts:
    """The figures of a split."""

    pairs: int
    tokens: int  # distinct ones
    unseen: int  # those of them that are in no training pair
    longest: int  # length of the longest logical form
    accepted: float  # share of the logical forms, by the exact grammar
    permitted: float  # tokens per step, on average, by the exact grammar
    named: float | None  # share of the tokens that must be named and are; None if there are none


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """The figures of a folder, and its problems."""

    name: str
    version: str
    grammars: tuple[str, ...]
    vocabulary: int
    kinds: int
    splits: Mapping[str, SplitFacts]
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> int:
        """The number of problems that are errors, not warnings."""
        return sum(problem.severity == "error" for problem in self.problems)


def check_folder(
    folder: Path, data: Path | None = None, progress: Progress = lambda *_: None
) -> Checked:
    """Check a folder; raises `GrammaxError` if the settings or the grammar cannot be read."""
    domain = read_folder(folder, data)
    progress("reading the grammar and its tables", 0)
    problems, warnings = list(domain.grammar.problems), domain.table_problems()
    automaton = domain.automaton(domain.exact)
    naming = NamedTokens(domain) if domain.must_be_named else None
    lines: dict[str, list[Line]] = {}
    facts: dict[str, SplitFacts] = {}
    seen: set[str] = set()
    for name in domain.settings.splits:
        path = domain.settings.path(name)
        progress(f"checking {path.name}", 0)
        lines[name], wrong = read_pairs(path, domain.read)
        if isinstance(domain, OpenFolder):
            rejected, unsaid, permitted = domain.problems(lines[name], path)
        else:
            rejected, permitted = refused(lines[name], path, automaton)
            unsaid = unmentioned_numbers(lines[name], path)
        problems += [*wrong, *rejected]
        named, unnamed = naming.check(lines[name], path) if naming else (None, [])
        warnings += [*unnamed, *unsaid]
        tokens = {token for line in lines[name] for token in line.pair.tokens}
        seen |= tokens if name == "train" else set()
        facts[name] = SplitFacts(
            len(lines[name]),
            len(tokens),
            len(tokens - seen),
            max((len(line.pair.tokens) for line in lines[name]), default=0),
            1 - len(rejected) / len(lines[name]) if lines[name] else 0.0,
            permitted,
            named,
        )
    problems += [*_unknown_heads(domain), *_in_domain(domain, lines)]
    problems += [*_notation(domain, lines), *contradictions(domain, lines)]
    problems += [*warnings, *copies(domain, lines)]
    vocabulary = domain.vocabulary
    sizes = len(vocabulary), len(vocabulary.kinds)
    return Checked(domain.name, domain.version, domain.grammars, *sizes, facts, tuple(problems))


def _notation(domain: FolderDomain, lines: Mapping[str, list[Line]]) -> list[Problem]:
    """SQL without its notation, or brackets that touch tokens, where only spaces separate them."""
    where = Location(str(domain.folder / SETTINGS))
    if domain.settings.notation != "sql" and looks_like_sql(lines["train"]):
        return [Problem("sql", SQL, SQL_HINT, where, "warning")]
    likely = likely_notation(lines["train"]) if domain.settings.notation == "spaces" else "spaces"
    if likely == "spaces":
        return []
    message = "brackets touch other tokens in the training pairs, and only spaces separate tokens"
    hint = f'If a bracket is a token of its own, set notation = "{likely}".'
    return [Problem("notation", message, hint, where, "warning")]


def _unknown_heads(domain: FolderDomain) -> list[Problem]:
    """Heads and a separator in the settings that are no tokens of the grammar."""
    where = Location(str(domain.folder / SETTINGS))
    tokens, settings = domain.vocabulary.tokens, domain.settings
    given = [("any_order", head) for head in sorted(settings.any_order)]
    nested = sorted({head for begin in settings.nested_any_order for head in begin})
    given += [("nested_any_order", head) for head in nested]
    given += [("joined_by", settings.joined_by)] if settings.joined_by else []
    return [
        Problem(
            "unknown-head",
            f"{key} has {head!r}, which is not a token of the grammar",
            did_you_mean(nearest(head, tokens), sentence=True) or "Correct it, or leave it out.",
            where,
            "warning",
        )
        for key, head in given
        if head not in domain.vocabulary
    ]


def _in_domain(domain: FolderDomain, lines: Mapping[str, list[Line]]) -> list[Problem]:
    """Out-of-domain texts that are queries of a pair, or a file without any."""
    queries = {fold_text(line.pair.query) for some in lines.values() for line in some}
    path = domain.settings.out_of_domain
    if path is None:
        return []
    texts = (*domain.out_of_domain("train"), *domain.out_of_domain("test"))
    where = Location(str(path))
    if not texts:
        hint = "Write one on each line, or take out_of_domain out of the settings."
        return [Problem("no-texts", "it has no out-of-domain texts", hint, where, "warning")]
    hint = "A parser cannot both answer it and abstain on it: leave one out."
    return [
        Problem("in-domain", f"{text[:SHOWN]!r} is the query of a pair, too", hint, where)
        for text in texts
        if fold_text(text) in queries
    ]
