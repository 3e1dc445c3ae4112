"""The corpus: (query, logical form) pairs from a catalogue and a seed, in five splits.

>>> from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
>>> from grammax.tables.schema import Entity, EnumType, NumberType, Schema
>>> genre, minutes = EnumType("GENRE", "GEN_", "genre"), NumberType("MINUTES", unit="minutes")
>>> films = Catalogue.from_entries(
...     Schema("films", Entity("film", "films"), (genre,), (minutes,)),
...     [Field("FLD_GENRE", "GENRE", "Genre"), Field("FLD_LENGTH", "MINUTES", "Length")],
...     [Value("GEN_DRAMA", "GENRE", "Drama"), Value("GEN_WAR", "GENRE", "War")],
... )
>>> corpus = generate(films, seed=1, train=60, test=10, hard=0)
>>> [len(pairs) for pairs in corpus.splits.values()]
[60, 10, 0, 0, 0]
>>> leaks(corpus)
()

`train` and `test` are drawn from the same distribution, as in the paper, so some fields and values
of the test set do not occur in training. Each of the three hard sets differs from training in one
respect only:

| split | does not occur in `train` |
|---|---|
| `unseen_values` | one or more values of each pair |
| `unseen_fields` | one or more fields of each pair |
| `unseen_compositions` | the skeleton of each pair (see `skeleton`) |

`plan` defines the order of the parts of logical forms.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, final

from grammax.errors import FileFormatError, GrammaxError
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.corpus import SPLITS
from grammax.tables.corpus.default import default_style
from grammax.tables.corpus.draw import Dice
from grammax.tables.corpus.phraser import Phraser
from grammax.tables.corpus.questions.phraser import QuestionPhraser
from grammax.tables.corpus.style import CorpusStyle, voice_over
from grammax.tables.filling import NotMentioned, filled
from grammax.tables.form.operands import SPELLING, TokenRoles, unquoted
from grammax.tables.form.text import read, to_tokens
from grammax.tables.form.tree import (
    Aggregate,
    Change,
    Display,
    EnumValue,
    FieldRef,
    Group,
    LogicalForm,
    Measure,
    Operand,
    Rank,
    Ratio,
    Relational,
    Text,
)
from grammax.tables.form.walk import fold
from grammax.tables.mentions.reader import MentionReader
from grammax.text import fold_text

_TRIES: Final = 4_000  # attempts per pair; a hard set of the default corpus needs about 20
_TRIES_OF_QUESTIONS: Final = 20  # attempts per pair on average, where any table must do


class CorpusError(GrammaxError):
    """A corpus that cannot be generated from this catalogue."""


@final
@dataclass(frozen=True, slots=True)
class CorpusPair:
    """A query and its logical form, as a tree and as tokens, and the rules that worded it.

    Files have no rules, and pairs that differ in them only are equal.
    """

    query: str
    lf: LogicalForm
    tokens: tuple[str, ...]
    rules: frozenset[str] = field(default=frozenset(), compare=False)

    def json(self) -> str:
        """One line of JSON."""
        row = {"query": self.query, "lf": str(self.lf), "tokens": self.tokens}
        return json.dumps(row, ensure_ascii=False)


@final
@dataclass(frozen=True)
class Corpus:
    """The pairs by split, the seed that they were drawn with, and the catalogue's version."""

    train: tuple[CorpusPair, ...]
    test: tuple[CorpusPair, ...]
    unseen_values: tuple[CorpusPair, ...] = ()
    unseen_fields: tuple[CorpusPair, ...] = ()
    unseen_compositions: tuple[CorpusPair, ...] = ()
    seed: int = 0
    version: str = ""

    @property
    def splits(self) -> Mapping[str, tuple[CorpusPair, ...]]:
        """The splits by name, training first."""
        return {name: getattr(self, name) for name in SPLITS}

    @cached_property
    def seen(self) -> frozenset[str]:
        """The tokens of the training pairs."""
        return frozenset(token for pair in self.train for token in pair.tokens)

    @cached_property
    def skeletons(self) -> frozenset[str]:
        """The skeletons of the training pairs."""
        return frozenset(skeleton(pair.lf) for pair in self.train)


@final
@dataclass(frozen=True, slots=True)
class Leak:
    """A query or skeleton that two splits share, although they must not."""

    what: str
    first: str
    second: str


def generate(
    catalogue: Catalogue,
    style: CorpusStyle | None = None,
    seed: int = 0,
    train: int = 1_981,
    test: int = 331,
    hard: int = 331,
) -> Corpus:
    """Generate a corpus in a style, by default that of `default_style`.

    `hard` is the size of each of the three hard sets. A table without history has as many pairs as
    can be found: one with a single column has few questions.
    """
    writer = _Writer(catalogue, style or default_style(catalogue), seed)
    training = writer.pairs("train", train, lambda _: True)
    drawn = Corpus(training, writer.pairs("test", test, lambda _: True))
    seen, skeletons = drawn.seen, drawn.skeletons

    def novel(pair: CorpusPair) -> set[str]:
        tokens = [t for t in pair.tokens if t not in seen and unquoted(t) is None]
        return {role(token, catalogue) for token in tokens}

    def composed(pair: CorpusPair) -> bool:
        return skeleton(pair.lf) in skeletons

    hard_sets: dict[str, Callable[[CorpusPair], bool]] = {
        "unseen_values": lambda pair: novel(pair) == {"value"} and composed(pair),
        "unseen_fields": lambda pair: novel(pair) == {"field"} and composed(pair),
        "unseen_compositions": lambda pair: not novel(pair) and not composed(pair),
    }
    made = {name: writer.pairs(name, hard, wanted) for name, wanted in hard_sets.items()}
    return Corpus(training, drawn.test, **made, seed=seed, version=catalogue.version)


def skeleton(lf: LogicalForm) -> str:
    """The structure of a logical form, without its fields, values, numbers, times and operators.

    >>> skeleton(read("(AND (FLD_VIEWS(2020) GR 5 MILLION) (top 10 FLD_LENGTH))"))
    '(AND (F@ OP N) (top N F))'
    """
    return fold(lf, _skeleton)


def _skeleton(node: LogicalForm, parts: Sequence[str]) -> str:
    match node:
        case Relational(field, _, value):
            return f"({_letter(field)} OP {_letter(value)})"
        case Display(field, order):
            return f"(display {_letter(field)}{f' {order}' if order else ''})"
        case Rank(direction, count, field):
            return f"({direction}{'' if count is None else ' N'} {_letter(field)})"
        case Aggregate():
            return _letter(node)
        case Group(field):
            return f"(by {field if isinstance(field, str) else _letter(field)})"
        case _:
            return f"({node.word} {' '.join(parts)})"


def _letter(operand: Operand | Measure | Aggregate) -> str:
    match operand:
        case FieldRef(_, time):
            return "F" if time is None else "F@"
        case Ratio(one, other):
            return f"(ratio {_letter(one)} {_letter(other)})"
        case Change(field):
            return f"(change {_letter(field)})"
        case Aggregate(function, None):
            return f"({function})"
        case Aggregate(function, FieldRef() as field):
            return f"({function} {_letter(field)})"
        case _:
            if isinstance(operand, Text):
                return "T"
            return "V" if isinstance(operand, EnumValue) else "N"


def role(token: str, catalogue: Catalogue) -> Literal["field", "value", "unit", "word"]:
    """The role of a token in logical forms; a "word" is a fixed token of the language."""
    if token in catalogue.fields:
        return "field"
    if token in catalogue.values:
        return "value"
    return "unit" if token in catalogue.units else "word"


def leaks(corpus: Corpus) -> tuple[Leak, ...]:
    """Queries that splits share, and skeletons of `unseen_compositions` that occur in training."""
    found: list[Leak] = []
    splits: dict[str, str] = {}
    for name, pairs in corpus.splits.items():
        for pair in pairs:
            first = splits.setdefault(_same_query(pair.query), name)
            if first != name:
                found.append(Leak(pair.query, first, name))
            if name == "unseen_compositions" and skeleton(pair.lf) in corpus.skeletons:
                found.append(Leak(skeleton(pair.lf), "train", name))
    return tuple(found)


def write(corpus: Corpus, folder: Path) -> tuple[Path, ...]:
    """Write a file of JSON lines for each split; a missing folder is created."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, pairs in corpus.splits.items():
        path = folder / f"{name}.jsonl"
        text = "".join(f"{pair.json()}\n" for pair in pairs)
        path.write_text(text, encoding="utf-8", newline="\n")
        paths.append(path)
    return tuple(paths)


def read_pairs(path: Path, roles: TokenRoles = SPELLING) -> Iterator[CorpusPair]:
    """The pairs of a file of JSON lines; `roles`, such as a catalogue, identifies fields.

    `FileFormatError` names the first line that is not a pair.
    """
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                lf = read(row["lf"], roles)
                yield CorpusPair(str(row["query"]), lf, to_tokens(lf))
            except (ValueError, KeyError, TypeError, GrammaxError) as error:
                message = f"{path}, line {number}: not a pair of a query and a logical form"
                raise FileFormatError(f"{message} ({error})") from error


def _phraser(catalogue: Catalogue, style: CorpusStyle) -> Phraser | QuestionPhraser:
    if style.questions is None:
        return Phraser(catalogue, style)
    words = voice_over(catalogue, style).words
    return QuestionPhraser(words, style.questions, style.texts)


class _Writer:
    """Draws pairs whose queries no split has yet, and which mention what they mean."""

    def __init__(self, catalogue: Catalogue, style: CorpusStyle, seed: int) -> None:
        self._phraser = _phraser(catalogue, style)
        self._may_run_out = style.questions is not None
        self._reader = MentionReader.from_catalogue(catalogue)
        self._fields, self._dates = catalogue.fields, catalogue.dates
        self._size = len(catalogue)
        self._seed = seed
        self._used: set[str] = set()

    def pairs(
        self, split: str, count: int, wanted: Callable[[CorpusPair], bool]
    ) -> tuple[CorpusPair, ...]:
        dice = Dice(f"{self._seed}/{split}")
        found: list[CorpusPair] = []
        tries = 0
        while len(found) < count:
            tries += 1
            if self._may_run_out and tries > _TRIES_OF_QUESTIONS * count:
                break
            if tries > _TRIES * (len(found) + 1):
                raise CorpusError(
                    f"of {count} pairs for {split} only {len(found)} were found: a catalogue of "
                    f"{self._size:,} tokens has no more. Ask for fewer pairs, or for no hard sets."
                )
            phrase = self._phraser.phrase(dice)
            query = _same_query(phrase.query)
            if query not in self._used:
                pair = CorpusPair(phrase.query, phrase.lf, to_tokens(phrase.lf), phrase.rules)
                if wanted(pair) and self._mentions_all(pair):
                    self._used.add(query)
                    found.append(pair)
        return tuple(found)

    def _mentions_all(self, pair: CorpusPair) -> bool:
        """Whether the query mentions all numbers and times, as a reader understands them."""
        try:
            mentions = self._reader.read(pair.query)
            filled(pair.tokens, mentions, self._fields, self._dates, self._reader.units)
        except NotMentioned:
            return False
        return True


def _same_query(query: str) -> str:
    """A normalised query, without case and final punctuation."""
    return fold_text(query).rstrip("?. ")
