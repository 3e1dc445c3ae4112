"""`pairs.jsonl` of a table's folder: queries with their logical forms, for the next training.

    {"query": "films nobody saw", "lf": "(FLD_VIEWERS EQ 0)"}

A pair is checked when it is taught: its form is well typed, and its query has what the form needs,
because no parser may predict what a query does not say.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple, final

from grammax.automaton.walk import accepts_tokens
from grammax.errors import GrammaxError
from grammax.files import write_atomic
from grammax.language.domain import Pair, Tokens
from grammax.language.phrases import without_conditions
from grammax.model.config import ModelConfig
from grammax.model.header import new_reader
from grammax.reading.reader import QueryReader
from grammax.reading.words import WordVocabulary
from grammax.tables.domain import TableDomain
from grammax.tables.own.folder import open_named
from grammax.tables.teach.lesson import Lesson, TeachError, locked_folder, require_folder
from grammax.training.examples import UntrainablePair, example

PAIRS: Final = "pairs.jsonl"


class TaughtPair(NamedTuple):
    """A line of the file of pairs."""

    line: int
    query: str
    lf: str


class TaughtPairs(NamedTuple):
    """The pairs of a file, and what is wrong with its other lines."""

    pairs: tuple[TaughtPair, ...]
    problems: tuple[str, ...]


def teach_pair(folder: Path | str, query: str, lf: str) -> Lesson:
    """Teach what a query means; a pair of the same query is replaced."""
    path, words = require_folder(folder), " ".join(query.split())
    with locked_folder(path), open_named(str(path)) as table:
        domain = table.domain()
        form = PairChecker(domain, path).form(words, lf)
        kept = [each for each in read_pairs(path).pairs if _folded(each.query) != _folded(words)]
        lines = [_line(each.query, each.lf) for each in kept] + [_line(words, form)]
        write_atomic(path / PAIRS, "".join(lines).encode())
        meaning = domain.paraphrase(domain.read(form))
        change = f"{words!r} means {meaning}, after the next `grammax train {path}`."
        return Lesson(str(path / PAIRS), "", len(lines), change, needs_training=True)


@final
class PairChecker:
    """Checks pairs of a table whose folder is given."""

    def __init__(self, domain: TableDomain, folder: Path) -> None:
        self._domain, self._folder = domain, folder

    def form(self, query: str, lf: str) -> str:
        """The logical form of a pair that can be learnt from; raises `TeachError`."""
        self.pair(query, lf)
        return self._domain.text(self._domain.read(lf))

    def pair(self, query: str, lf: str) -> Pair:
        """What is learnt from a pair: words that were taught need not be learnt."""
        if not query.strip():
            raise TeachError('the query is empty. Give it in quotes: "films nobody saw".')
        domain = self._domain
        try:
            tokens = domain.read(lf)
            domain.require_meaning(tokens)
        except GrammaxError as error:
            raise TeachError(f"{lf!r} is not a logical form of this table: {error}") from error
        if not accepts_tokens(domain.automaton(domain.exact), tokens):
            raise TeachError(
                f"{lf!r} is not a logical form of this table: the grammar does not permit it. "
                f'`grammax parse --domain {self._folder} "..."` shows some.'
            )
        rest = domain.without_phrases(query)
        if rest is not None:
            left = without_conditions(rest, tokens) if rest.text else None
            if left is None:
                known = ", ".join(repr(each.typed) for each in rest.conditions)
                raise TeachError(
                    f"the query has words that were taught, {known}, and the logical form is not "
                    f"that of the rest with their conditions. Forget them first, or leave the pair."
                )
            query, tokens = rest.text, left
        self._require_said(query, tokens)
        return Pair(query, tokens)

    @cached_property
    def _reader(self) -> QueryReader:
        return new_reader(ModelConfig(filled=True), self._domain, WordVocabulary(()))

    def _require_said(self, query: str, tokens: Tokens) -> None:
        """Raise unless the query makes everything available that its form has."""
        automaton = self._domain.automaton(self._domain.filled_grammar)
        try:
            example(self._reader.read(query), tokens, automaton, decisions_only=True)
        except UntrainablePair as error:
            column = self._unsaid(str(error))
            hint = (
                f"Teach a word of the query for it first: grammax teach {self._folder} --column "
                f"{column} --name WORD."
                if column
                else "The numbers, times and values of the form must be in the query."
            )
            raise TeachError(f"{error}. {hint}") from error

    def _unsaid(self, error: str) -> str:
        """The column that an error says is missing in the query."""
        for token, field in self._domain.catalogue.fields.items():
            if f"make {token} available" in error:
                return repr(field.name.lower()) if " " in field.name else field.name.lower()
        return ""


def read_pairs(folder: Path) -> TaughtPairs:
    """The pairs that were taught in a folder."""
    path = folder / PAIRS
    found: list[TaughtPair] = []
    problems: list[str] = []
    if not path.is_file():
        return TaughtPairs((), ())
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            query, lf = record["query"], record["lf"]
            if not (isinstance(query, str) and isinstance(lf, str)):
                raise TypeError
        except (ValueError, KeyError, TypeError, RecursionError):
            problems.append(
                f'{path}, line {number}: skipped, as it is not a pair: {{"query": ..., "lf": ...}}.'
            )
            continue
        found.append(TaughtPair(number, query, lf))
    return TaughtPairs(tuple(found), tuple(problems))


def forget_pair(folder: Path, query: str) -> TaughtPair | None:
    """Remove the pair of a query; None if there is none. The folder is locked by the caller."""
    there = read_pairs(folder).pairs
    gone = next((each for each in there if _folded(each.query) == _folded(query)), None)
    if gone is not None:
        kept = "".join(_line(each.query, each.lf) for each in there if each is not gone)
        write_atomic(folder / PAIRS, kept.encode())
    return gone


def trained_pairs(folder: Path, domain: TableDomain) -> tuple[Sequence[Pair], Sequence[str]]:
    """The taught pairs that a training can learn from, and what is wrong with the others."""
    read = read_pairs(folder)
    pairs: list[Pair] = []
    problems = list(read.problems)
    checker = PairChecker(domain, folder)
    for line, query, lf in read.pairs:
        try:
            pairs.append(checker.pair(query, lf))
        except TeachError as error:
            problems.append(f"{folder / PAIRS}, line {line}: left out: {error}")
    return pairs, problems


def _line(query: str, lf: str) -> str:
    return json.dumps({"query": query, "lf": lf}, ensure_ascii=False) + "\n"


def _folded(query: str) -> str:
    return " ".join(query.casefold().split())
