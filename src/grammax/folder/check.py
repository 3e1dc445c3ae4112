"""What is wrong with a folder, all of it with file and line, and what it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final, final

from grammax.automaton import BoundAutomaton
from grammax.errors import Location, Problem
from grammax.folder.coverage import walk
from grammax.folder.domain import FolderDomain
from grammax.folder.mentions import Mentions
from grammax.folder.pairs import Line, read_pairs

Progress = Callable[[str, int], None]  # what is under way, and how many more steps are done

_SHOWN: Final = 60  # letters of an utterance


@final
@dataclass(frozen=True, slots=True)
class SplitFacts:
    """A split in numbers."""

    pairs: int
    tokens: int  # different ones
    unseen: int  # of these in no training pair
    longest: int  # logical form
    accepted: float  # share of the logical forms, by the exact grammar
    permitted: float  # tokens a step, on average, of the exact grammar
    mentioned: float | None  # share of the tokens that have to be; None if there are none


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """A folder in numbers, and what is wrong with it."""

    name: str
    version: str
    grammars: tuple[str, ...]
    vocabulary: int
    kinds: int
    splits: Mapping[str, SplitFacts]
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> int:
        """How many problems are no mere warnings."""
        return sum(problem.severity == "error" for problem in self.problems)


def check_folder(
    folder: Path, data: Path | None = None, progress: Progress = lambda *_: None
) -> Checked:
    """Check everything; a `GrammaxError` where not even the settings or the grammar can be read."""
    domain = FolderDomain(folder, data)
    progress("reading the grammar and its tables", 0)
    problems = list(domain.grammar.problems)
    if domain.grammars[-1] != "lr":
        problems.append(
            Problem(
                "conflict",
                "the grammar is not LR(1), so decoding under it takes Earley's way, which is slow",
                "`grammax grammar check` shows where; make the grammar unambiguous there.",
                Location(str(domain.settings.grammar)),
                "warning",
            )
        )
    automaton = domain.automaton(domain.grammars[-1])
    mentions = Mentions(domain) if domain.must_be_named else None
    lines: dict[str, list[Line]] = {}
    facts: dict[str, SplitFacts] = {}
    seen: set[str] = set()
    for name in domain.settings.splits:
        path = domain.settings.path(name)
        progress(f"checking {path.name}", 0)
        lines[name], wrong = read_pairs(path, domain.settings.notation)
        problems += wrong
        refused, permitted = _refused(lines[name], path, automaton)
        problems += refused
        tokens = {token for line in lines[name] for token in line.pair.tokens}
        seen |= tokens if name == "train" else set()
        facts[name] = SplitFacts(
            len(lines[name]),
            len(tokens),
            len(tokens - seen),
            max((len(line.pair.tokens) for line in lines[name]), default=0),
            1 - len(refused) / len(lines[name]) if lines[name] else 0.0,
            permitted,
            mentions.share(line.pair for line in lines[name]) if mentions else None,
        )
    problems += _repeated(domain, lines)
    return Checked(
        domain.name,
        domain.version,
        domain.grammars,
        len(domain.vocabulary),
        len(domain.vocabulary.kinds),
        facts,
        tuple(problems),
    )


def _refused(
    lines: list[Line], path: Path, automaton: BoundAutomaton[Any]
) -> tuple[list[Problem], float]:
    """What the grammar refuses, with the token at which it does; and tokens permitted a step."""
    problems: list[Problem] = []
    permitted: list[int] = []
    for number, pair in lines:
        walked = walk(pair.tokens, automaton)
        permitted += walked.permitted
        if walked.refused is not None:
            message = f"token {len(walked.permitted)} of the logical form: {walked.refused}"
            problems.append(Problem("lf", message, "", Location(str(path), number, 1)))
    return problems, fmean(permitted) if permitted else 0.0


def _repeated(domain: FolderDomain, lines: Mapping[str, list[Line]]) -> list[Problem]:
    """Utterances that are there twice, in one split or in two."""
    first: dict[str, tuple[str, int]] = {}
    problems: list[Problem] = []
    for name, some in lines.items():
        for number, pair in some:
            split, line = first.setdefault(pair.query.casefold(), (name, number))
            if (split, line) == (name, number):
                continue
            where = Location(str(domain.settings.path(name)), number, 1)
            said = f"{pair.query[:_SHOWN]!r} is also in line {line}"
            if split == name:
                problems.append(Problem("twice", said, "", where, "warning"))
            else:
                hint = "What is trained on tells nothing when it is tested on: leave one out."
                problems.append(Problem("leak", f"{said} of {split}", hint, where, "warning"))
    return problems
