"""The problems of a folder, with file and line, and its figures."""

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
from grammax.reading.names import NameMatcher
from grammax.reading.spelling import Spelling
from grammax.reading.words import split
from grammax.text import fold_text

Progress = Callable[
    [str, int], None
]  # the current activity, and the number of steps just completed

_SHOWN: Final = 60  # characters of an utterance in a message


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
    domain = FolderDomain(folder, data)
    progress("reading the grammar and its tables", 0)
    problems = list(domain.grammar.problems)
    automaton = domain.automaton(domain.exact)
    naming = _Naming(domain) if domain.must_be_named else None
    lines: dict[str, list[Line]] = {}
    facts: dict[str, SplitFacts] = {}
    seen: set[str] = set()
    for name in domain.settings.splits:
        path = domain.settings.path(name)
        progress(f"checking {path.name}", 0)
        lines[name], wrong = read_pairs(path, domain.settings.notation)
        rejected, permitted = refused(lines[name], path, automaton)
        problems += [*wrong, *rejected]
        tokens = {token for line in lines[name] for token in line.pair.tokens}
        seen |= tokens if name == "train" else set()
        facts[name] = SplitFacts(
            len(lines[name]),
            len(tokens),
            len(tokens - seen),
            max((len(line.pair.tokens) for line in lines[name]), default=0),
            1 - len(rejected) / len(lines[name]) if lines[name] else 0.0,
            permitted,
            naming.share(line.pair for line in lines[name]) if naming else None,
        )
    problems += [*_repeated(domain, lines), *_in_domain(domain, lines)]
    vocabulary = domain.vocabulary
    sizes = len(vocabulary), len(vocabulary.kinds)
    return Checked(domain.name, domain.version, domain.grammars, *sizes, facts, tuple(problems))


def _repeated(domain: FolderDomain, lines: Mapping[str, list[Line]]) -> list[Problem]:
    """Utterances that occur twice, in one split or in two."""
    first: dict[str, tuple[str, int]] = {}
    problems: list[Problem] = []
    for name, some in lines.items():
        for number, pair in some:
            split, line = first.setdefault(fold_text(pair.query), (name, number))
            if (split, line) == (name, number):
                continue
            where = Location(str(domain.settings.path(name)), number, 1)
            found = f"{pair.query[:_SHOWN]!r} is also in line {line}"
            if split == name:
                problems.append(Problem("twice", found, "", where, "warning"))
            else:
                hint = "A test on a query of the training pairs shows nothing: leave one out."
                problems.append(Problem("leak", f"{found} of {split}", hint, where, "warning"))
    return problems


def _in_domain(domain: FolderDomain, lines: Mapping[str, list[Line]]) -> list[Problem]:
    """Out-of-domain texts that are queries of a pair."""
    queries = {fold_text(line.pair.query) for some in lines.values() for line in some}
    texts = (*domain.out_of_domain("train"), *domain.out_of_domain("test"))
    where = Location(str(domain.settings.out_of_domain))
    hint = "A parser cannot both answer it and abstain on it: leave one out."
    return [
        Problem("in-domain", f"{text[:_SHOWN]!r} is the query of a pair, too", hint, where)
        for text in texts
        if fold_text(text) in queries
    ]


@final
class _Naming:
    """Finds the tokens that queries name, of the kinds that `must_be_named`."""

    def __init__(self, domain: FolderDomain) -> None:
        vocabulary = domain.vocabulary
        try:
            self._kinds = frozenset(map(vocabulary.kind_number, domain.must_be_named))
        except VocabularyError as error:
            raise VocabularyError(f"{domain.folder / SETTINGS}: must_be_named: {error}") from None
        self._vocabulary = vocabulary
        self._names = NameMatcher(
            vocabulary, domain.wordings, Spelling(1), must_be_named=self._kinds
        )

    def share(self, pairs: Iterable[Pair]) -> float | None:
        """The share of the tokens of these kinds that queries name; None if there are none."""
        named = wanted = 0
        for pair in pairs:
            found = [t for t in pair.tokens if self._vocabulary.kind_of(t) in self._kinds]
            if found:
                mentioned = self._names.available(split(pair.query), ())
                assert mentioned is not None, "there are such kinds"
                named += sum(self._vocabulary.id(token) in mentioned.ids for token in found)
                wanted += len(found)
        return named / wanted if wanted else None
