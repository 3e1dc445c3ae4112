"""`TableDomain`: a schema and its catalogue as a domain.

It provides the grammars, the generated corpus, the English and, if there is a data store, the
answers of any table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, final

from grammax.automaton import BoundAutomaton
from grammax.automaton.walk import accepts_tokens
from grammax.errors import GrammaxError
from grammax.language.answer import Answers
from grammax.language.capabilities import (
    Connectable,
    NoOwnTables,
    Reloadable,
)
from grammax.language.domain import Pair, Part, Tokens
from grammax.language.filling import slots
from grammax.tables import lexicon
from grammax.tables.automata import (
    GrammarName,
    machine_automaton,
    table_automaton,
)
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.corpus import SPLITS
from grammax.tables.domain.changing import ChangingTable
from grammax.tables.domain.explained import ExplainedTable
from grammax.tables.domain.filled import FILLED
from grammax.tables.domain.parts import DomainParts, Opener
from grammax.tables.english.wordings import FIXED_WORDINGS
from grammax.tables.form.canonical import same
from grammax.tables.form.contradictions import contradicts
from grammax.tables.form.text import write
from grammax.tables.form.typecheck import check
from grammax.tables.parts import joined, parts
from grammax.tables.shared_kinds import SHARED, classes_of, digest_of

if TYPE_CHECKING:
    from grammax.tables.answers.answers import StoreAnswers
    from grammax.tables.corpus.corpus import Corpus

_GRAMMARS: Final[dict[str, tuple[GrammarName, bool]]] = {
    "superset-untyped": ("superset", False),
    "superset": ("superset", True),
    "unrolled": ("unrolled", True),
    "lr-untyped": ("lr", False),
    "lr": ("lr", True),
}
_SENSE: Final = frozenset(("time", "count", "number"))
_NAMELESS: Final = frozenset(
    (
        *(lexicon.OPEN, lexicon.CLOSE, lexicon.ZERO, lexicon.BETWEEN),
        *(s for kind in (*lexicon.FILLED, lexicon.TEXT) for s in slots(kind)),
    )
)
_NUMBERS: Final = frozenset(
    (
        *lexicon.DIGITS, lexicon.MINUS, lexicon.POINT, *lexicon.DENOMINATIONS,
        *lexicon.PERCENTAGES, *lexicon.QUARTERS, *lexicon.MONTHS, *lexicon.UNITS, lexicon.LAST,
        lexicon.FISCAL_YEAR,
    )
)  # fmt: skip


@final
class TableDomain(ChangingTable, ExplainedTable, Connectable, Reloadable):
    """A catalogue, the corpus that a seed generates from it, and the store that answers.

    `grammars` are those of logical forms as they are written; parsers decode with slots.
    """

    splits = SPLITS

    def __init__(self, catalogue: Catalogue, parts: DomainParts | None = None) -> None:
        super().__init__(catalogue, parts)
        self._automata: dict[str, BoundAutomaton[Any]] = {}

    @property
    def grammars(self) -> tuple[str, ...]:
        """Machines built by hand, then those derived from the rules, from loosest to tightest."""
        return (*self._parts.machines, *_GRAMMARS)

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """A few sample queries."""
        samples = self._parts.samples
        return samples() if callable(samples) else samples

    @property
    def about(self) -> str:
        """What was opened, in a line."""
        return self._parts.about

    @property
    def model(self) -> Path | None:
        """The model for all tables, or one that was trained for this one."""
        return self._parts.model

    @property
    def folder(self) -> Path | None:
        """The folder of its `schema.toml`, if it has one."""
        return self._parts.folder

    @property
    def lacks(self) -> str:
        """Words that are no column of a table."""
        return super().lacks if self.catalogue.schema.history else "I have no column about"

    @property
    def start(self) -> Path | None:
        """The model that a training begins with."""
        return self._parts.start

    @property
    def training(self) -> Mapping[str, Any]:
        """Queries fill numbers and times, unless a setting says otherwise."""
        return {"grammar": FILLED, **self._parts.training}

    def out_of_domain(self, split: Literal["train", "test"]) -> tuple[str, ...]:
        """Texts that are not queries about the table."""
        return self._parts.out_of_domain(split)

    def near_misses(self, split: Literal["train", "test"]) -> tuple[str, ...]:
        """Queries about the table that no logical form expresses."""
        return self._parts.near_misses(split)

    def contradicts(self, tokens: Tokens) -> bool:
        """Whether comparisons of a logical form exclude one another."""
        return contradicts(self.form(tokens))

    def connected(self, tables: Path) -> TableDomain:
        """The same domain, answering from the tables that a mapping file describes."""
        connect = self._parts.connect
        if connect is None:
            raise NoOwnTables(self.name, tables)
        parts = replace(self._parts, store=lambda catalogue: connect(tables, catalogue))
        made = TableDomain(self.catalogue, parts)
        made._base = None if self._base is None else self._base.connected(tables)
        made._automata = self._automata
        if "vocabulary" in vars(self):
            made.vocabulary = self.vocabulary
        return made

    def with_parts(self, **parts: Any) -> TableDomain:
        """The same domain with other parts, given as fields of `DomainParts`."""
        return TableDomain(self.catalogue, replace(self._parts, **parts))

    @property
    def trained_as(self) -> tuple[str, str]:
        """All tables whose types have semantic classes share their models."""
        classes = classes_of(self.catalogue.schema)
        return (self.name, self.version) if classes is None else (SHARED, digest_of(classes))

    @cached_property
    def corpus(self) -> Corpus:
        """The corpus, generated on first use, which takes seconds; changes do not affect it."""
        if self.base is not self:
            return self.base.corpus
        from grammax.tables.corpus.corpus import generate  # parsing does not need it

        style = self._parts.style and self._parts.style()
        return generate(self.catalogue, style, self._parts.seed, **self._parts.sizes)

    def automaton(self, grammar: str) -> BoundAutomaton[Any]:
        """One of the grammars."""
        if grammar not in self._automata:
            self._automata[grammar] = (
                self._new_automaton(grammar)
                if self.base is self
                else self.base.automaton(grammar).with_vocabulary(self.vocabulary)
            )
        return self._automata[grammar]

    def _new_automaton(self, grammar: str) -> BoundAutomaton[Any]:
        if grammar in _GRAMMARS:
            return table_automaton(self.catalogue, *_GRAMMARS[grammar])
        if grammar == FILLED:
            return table_automaton(self.catalogue, FILLED)
        build = self._parts.machines.get(grammar)
        if build is None:
            names = ", ".join(self.grammars)
            raise GrammaxError(f"{self.name} has no grammar {grammar!r}; its grammars are {names}")
        return machine_automaton(self.catalogue, grammar, build)

    def pairs(self, split: str) -> Sequence[Pair]:
        """The pairs of a split."""
        if split not in self.splits:
            names = ", ".join(self.splits)
            raise GrammaxError(f"{self.name} has no split {split!r}; its splits are {names}")
        return [Pair(pair.query, pair.tokens) for pair in self.corpus.splits[split]]

    def written_pairs(self) -> Sequence[Pair]:
        """Pairs that people wrote, with their parts in the order of the corpus.

        Those with fields or values that the catalogue does not have are left out.
        """
        found = []
        for query, lf in self._parts.written():
            tokens = self.read(lf)
            if all(self.vocabulary.kind_of(token) is not None for token in tokens):
                found.append(Pair(query, self.joined(self.parts(tokens)) or tokens))
        return found

    def rules(self, split: str) -> Sequence[frozenset[str]]:
        """The phrasing rules of each pair of a split."""
        return [pair.rules for pair in self.corpus.splits[split]]

    def wordings(self, token: str) -> Sequence[str]:
        """The name and aliases of a field or value; slots and brackets have none."""
        if token in self.catalogue:
            return self.catalogue.wordings(token)
        if token in _NAMELESS:
            return ()
        return FIXED_WORDINGS.get(token, (token,))

    def text(self, tokens: Tokens) -> str:
        """A logical form as the paper writes it."""
        return write(self.form(tokens))

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether both have the same canonical form."""
        return one == other or (
            self.grammatical(one)
            and self.grammatical(other)
            and same(self.form(one), self.form(other))
        )

    def grammatical(self, tokens: Tokens) -> bool:
        """Whether the exact grammar without types accepts the tokens."""
        return accepts_tokens(self.automaton("lr-untyped"), tokens)

    def well_typed(self, tokens: Tokens) -> bool:
        """Whether fields, operators and values fit together.

        Days outside the calendar and numbers of absurd size are not type errors.
        """
        found = check(self.form(tokens), self.catalogue)
        return all(judgement.code in _SENSE for judgement in found)

    def mistake(self, predicted: Tokens, expected: Tokens) -> str:
        """An unseen name that was missed, an unseen composition, a number, or something else."""
        from grammax.tables.corpus.corpus import skeleton

        corpus = self.corpus
        if set(expected) - corpus.seen - set(predicted):
            return "unseen field or value"
        if skeleton(self.form(expected)) not in corpus.skeletons:
            return "unseen composition"
        if self._without_numbers(predicted) == self._without_numbers(expected):
            return "number"
        return "other"

    def parts(self, tokens: Tokens) -> Sequence[Part]:
        """The parts that the AND of a logical form joins."""
        return parts(tokens, self._enum_types.get)

    def joined(self, parts: Sequence[Part]) -> Tokens | None:
        """The AND of parts, in the order of the corpus."""
        return joined(parts)

    @cached_property
    def _enum_types(self) -> dict[str, int]:
        """The index of each enum field's type."""
        enums = self.catalogue.lexicon.enums
        return {field: index for index, enum in enumerate(enums) for field in enum.fields}

    def answers(self) -> AbstractContextManager[Answers] | None:
        """The opened store; it is built on first use."""
        store = self._parts.store
        return None if store is None else _opened(store, self)

    def close(self) -> None:
        """Close the data that the domain was made from."""
        self._parts.close()

    @property
    def edited_files(self) -> tuple[Path, ...]:
        """The schema of a folder, and the model that is trained there."""
        return self._parts.files

    def reloaded(self) -> TableDomain:
        """The domain after its files were edited; itself, if it has none."""
        return self if self._parts.reload is None else self._parts.reload()

    def _without_numbers(self, tokens: Tokens) -> list[str]:
        units = self.catalogue.units
        return [t for t in tokens if t not in _NUMBERS and t not in units]


@contextmanager
def _opened(store: Opener, domain: TableDomain) -> Iterator[StoreAnswers]:
    from grammax.tables.answers.answers import StoreAnswers  # parsing does not need it

    with store(domain.catalogue) as opened:
        yield StoreAnswers(opened, domain.form)
