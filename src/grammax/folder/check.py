"""What is wrong with a folder, all of it with file and line, and what it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from grammax.errors import Location, Problem, VocabularyError
from grammax.folder.coverage import refused
from grammax.folder.data import Line, read_pairs
from grammax.folder.domain import FolderDomain
from grammax.folder.settings import SETTINGS
from grammax.language.domain import Pair
from grammax.reading.names import Names
from grammax.reading.spelling import Spelling
from grammax.reading.words import split

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
    mentions = _Mentions(domain) if domain.must_be_named else None
    lines: dict[str, list[Line]] = {}
    facts: dict[str, SplitFacts] = {}
    seen: set[str] = set()
    for name in domain.settings.splits:
        path = domain.settings.path(name)
        progress(f"checking {path.name}", 0)
        lines[name], wrong = read_pairs(path, domain.settings.notation)
        problems += wrong
        rejected, permitted = refused(lines[name], path, automaton)
        problems += rejected
        tokens = {token for line in lines[name] for token in line.pair.tokens}
        seen |= tokens if name == "train" else set()
        facts[name] = SplitFacts(
            len(lines[name]),
            len(tokens),
            len(tokens - seen),
            max((len(line.pair.tokens) for line in lines[name]), default=0),
            1 - len(rejected) / len(lines[name]) if lines[name] else 0.0,
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


@final
class _Mentions:
    """Looks for the names of a domain's tokens; a kind that is none is a `VocabularyError`."""

    def __init__(self, domain: FolderDomain) -> None:
        vocabulary = domain.vocabulary
        try:
            self._kinds = frozenset(map(vocabulary.kind_number, domain.must_be_named))
        except VocabularyError as error:
            raise VocabularyError(f"{domain.folder / SETTINGS}: mentioned: {error}") from None
        self._vocabulary = vocabulary
        self._names = Names(vocabulary, domain.wordings, Spelling(1), mentioned=self._kinds)

    def share(self, pairs: Iterable[Pair]) -> float | None:
        """Of the tokens that have to be mentioned, how many are; None if there are none."""
        named = wanted = 0
        for pair in pairs:
            found = [t for t in pair.tokens if self._vocabulary.kind_of(t) in self._kinds]
            if found:
                mentioned = self._names.mentioned(split(pair.query))
                assert mentioned is not None, "there are such kinds"
                named += sum(self._vocabulary.id(token) in mentioned.ids for token in found)
                wanted += len(found)
        return named / wanted if wanted else None
