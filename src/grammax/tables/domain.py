"""`TableDomain`: a schema and its catalogue as a domain.

It provides the grammars, the generated corpus, the English and, if there is a data store, the
answers of any table.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, final

from grammax.automaton import BoundAutomaton
from grammax.automaton.walk import accepts_tokens
from grammax.errors import GrammaxError
from grammax.language.answer import Answers
from grammax.language.capabilities import (
    Chip,
    Completion,
    Connectable,
    Entry,
    Examples,
    Explainable,
    FieldEntry,
    Fillable,
    NoOwnTables,
    Reloadable,
    Updatable,
)
from grammax.language.changes import ChangeNotice, Changes, NewValue, changed_vocabulary
from grammax.language.domain import Pair, Part, Tokens
from grammax.language.filling import Grounding, Mention, slots
from grammax.language.phrases import Rephrased
from grammax.tables import grammar as rules
from grammax.tables import lexicon
from grammax.tables.automata import (
    GrammarName,
    MachineBuilder,
    machine_automaton,
    table_automaton,
    table_vocabulary,
)
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.variants import (
    COMPARING,
    MOVES,
    MULTIPLES,
    QUARTERLY,
    YEARS,
    bases_of_quarters,
    growths,
    longer_growths,
    variant_names,
)
from grammax.tables.corpus import SPLITS
from grammax.tables.english.chips import Chips
from grammax.tables.english.completions import completions
from grammax.tables.english.dictionary import Dictionary
from grammax.tables.english.likelihood import Likelihood, mentioned
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.english.wordings import FIXED_WORDINGS
from grammax.tables.filling import filled, misfits, written_pieces
from grammax.tables.form.canonical import same
from grammax.tables.form.contradictions import contradicts
from grammax.tables.form.text import from_tokens, read, to_tokens, write
from grammax.tables.form.tree import LogicalForm
from grammax.tables.form.typecheck import check, require_well_typed
from grammax.tables.inspect.words import singular_of
from grammax.tables.mentions.reader import MentionReader
from grammax.tables.parts import joined, parts
from grammax.tables.phrases.conditions import NoSuchValue, read_condition
from grammax.tables.phrases.queries import Phrases, all_rows
from grammax.tables.shared_kinds import SHARED, classes_of, digest_of
from grammax.tables.wording.cues import TableCues
from grammax.tables.wording.speech import label_of, semantic_of
from grammax.vocabulary import Vocabulary

if TYPE_CHECKING:
    from grammax.tables.answers.answers import StoreAnswers
    from grammax.tables.catalogue.find import Finder
    from grammax.tables.corpus.corpus import Corpus
    from grammax.tables.corpus.style import CorpusStyle
    from grammax.tables.query.store import Store

Opener = Callable[[Catalogue], "AbstractContextManager[Store]"]
"""Opens the data store of a catalogue."""

_GRAMMARS: Final[dict[str, tuple[GrammarName, bool]]] = {
    "superset-untyped": ("superset", False),
    "superset": ("superset", True),
    "unrolled": ("unrolled", True),
    "lr-untyped": ("lr", False),
    "lr": ("lr", True),
}
_FILLED: Final = "filled"
_MATCHES: Final = 50  # names that a mistyped text may mean
_FRAGMENTS: Final = 64  # spans of a changed vocabulary; with more, it is laid out again
_MENTIONED: Final = {
    "DATE": (lexicon.TIME,),
    "YEAR": (lexicon.TIME,),
    "MONEY": (lexicon.AMOUNT,),
    "PERCENT": (lexicon.PERCENT_NUMBER,),
}
_SENSE: Final = frozenset(("time", "count", "number"))
_NAMELESS: Final = frozenset(
    (
        *(lexicon.OPEN, lexicon.CLOSE, lexicon.ZERO, lexicon.BETWEEN),
        *(s for kind in (*lexicon.FILLED, lexicon.TEXT) for s in slots(kind)),
    )
)
_WRITTEN_ONLY: Final = (
    *("DIGIT", "DENOMINATION", "PERCENTAGE", "MONTH_NAME", "QUARTER_NAME", "SHORT_PERIOD"),
    *(f'"{word}"' for word in (lexicon.POINT, lexicon.LAST, lexicon.FISCAL_YEAR)),
)
_NUMBERS: Final = frozenset(
    (
        *lexicon.DIGITS, lexicon.MINUS, lexicon.POINT, *lexicon.DENOMINATIONS,
        *lexicon.PERCENTAGES, *lexicon.QUARTERS, *lexicon.MONTHS, *lexicon.UNITS, lexicon.LAST,
        lexicon.FISCAL_YEAR,
    )
)  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class DomainParts:
    """The optional parts of a domain, beside its catalogue.

    `machines` are automata built by hand, looser than those derived from the rules. `samples` may
    be made on first use, and so are `examples`, which show what can be asked. `about`, `model`,
    `start`, `folder` and `close` are those of `Domain`.
    `nouns` are words for a row beside those of the schema, `synonyms` others that are read as the
    schema's own; `phrases` are words that stand for a condition, each with the condition as people
    write it; `cues` are words that refer to a token
    without being its name. `training` are settings that differ from the defaults. `style` decides
    how the corpus words queries; `seed` and `sizes` are those of the corpus. `written` are pairs
    that people wrote. `store` opens the data of the domain, `connect` the user's own tables, which
    a mapping file describes. `reload` makes the domain again after one of `files` was edited.
    """

    machines: Mapping[str, MachineBuilder] = field(default_factory=dict)
    samples: tuple[str, ...] | Callable[[], tuple[str, ...]] = ()
    examples: Callable[[], tuple[Examples, ...]] = tuple
    about: str = ""
    model: Path | None = None
    start: Path | None = None
    folder: Path | None = None
    nouns: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    phrases: Mapping[str, str] = field(default_factory=dict)
    cues: Callable[[str], tuple[str, ...]] = lambda _: ()
    training: Mapping[str, Any] = field(default_factory=dict)
    out_of_domain: Callable[[Literal["train", "test"]], tuple[str, ...]] = lambda _: ()
    near_misses: Callable[[Literal["train", "test"]], tuple[str, ...]] = lambda _: ()
    style: Callable[[], CorpusStyle] | None = None  # called when the corpus is generated
    written: Callable[[], Sequence[tuple[str, str]]] = tuple  # queries and logical forms
    seed: int = 0
    sizes: Mapping[str, int] = field(default_factory=dict)
    store: Opener | None = None
    connect: Callable[[Path, Catalogue], AbstractContextManager[Store]] | None = None
    close: Callable[[], None] = lambda: None
    files: tuple[Path, ...] = ()
    reload: Callable[[], TableDomain] | None = None


@final
class TableDomain(Updatable, Explainable, Connectable, Fillable, Reloadable):
    """A catalogue, the corpus that a seed generates from it, and the store that answers.

    `grammars` are those of logical forms as they are written; parsers decode with slots.
    """

    splits = SPLITS
    filled_grammar = _FILLED

    def __init__(self, catalogue: Catalogue, parts: DomainParts | None = None) -> None:
        self.catalogue = catalogue
        self._parts = parts or DomainParts()
        self._base: TableDomain | None = None
        self._automata: dict[str, BoundAutomaton[Any]] = {}

    @property
    def name(self) -> str:
        """The name of the schema."""
        return self.catalogue.schema.name

    @property
    def grammars(self) -> tuple[str, ...]:
        """Machines built by hand, then those derived from the rules, from loosest to tightest."""
        return (*self._parts.machines, *_GRAMMARS)

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """A few sample queries."""
        samples = self._parts.samples
        return samples() if callable(samples) else samples

    @cached_property
    def examples(self) -> tuple[Examples, ...]:
        """Example queries by what they show."""
        return self._parts.examples()

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
        return {"grammar": _FILLED, **self._parts.training}

    @property
    def nouns(self) -> tuple[str, str]:
        """The schema's nouns for a row."""
        entity = self.catalogue.schema.entity
        return entity.singular, entity.plural

    def out_of_domain(self, split: Literal["train", "test"]) -> tuple[str, ...]:
        """Texts that are not queries about the table."""
        return self._parts.out_of_domain(split)

    def near_misses(self, split: Literal["train", "test"]) -> tuple[str, ...]:
        """Queries about the table that no logical form expresses."""
        return self._parts.near_misses(split)

    def contradicts(self, tokens: Tokens) -> bool:
        """Whether comparisons of a logical form exclude one another."""
        return contradicts(self.form(tokens))

    @property
    def base(self) -> TableDomain:
        """The domain without changes."""
        return self if self._base is None else self._base

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
    def version(self) -> str:
        """The version of the catalogue."""
        return self.catalogue.version

    @property
    def trained_as(self) -> tuple[str, str]:
        """All tables whose types have semantic classes share their models."""
        classes = classes_of(self.catalogue.schema)
        return (self.name, self.version) if classes is None else (SHARED, digest_of(classes))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The rows of the output layer."""
        return table_vocabulary(self.catalogue)

    @property
    def changes(self) -> Changes:
        """The changes of the catalogue relative to its base."""
        return self.catalogue.changes

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
        if grammar == _FILLED:
            return table_automaton(self.catalogue, _FILLED)
        build = self._parts.machines.get(grammar)
        if build is None:
            names = ", ".join(self.grammars)
            raise GrammaxError(f"{self.name} has no grammar {grammar!r}; its grammars are {names}")
        return machine_automaton(self.catalogue, grammar, build)

    def with_values(self, values: Sequence[NewValue]) -> TableDomain:
        """Add values and fields. Raises `ChangesRefused` if one cannot be added."""
        return self._over(self.catalogue.with_values(values))

    def without_values(self, tokens: Sequence[str]) -> TableDomain:
        """Remove values and fields. Raises `ChangesRefused` if one cannot be removed."""
        return self._over(self.catalogue.without_values(tokens))

    def with_alias(self, token: str, alias: str) -> TableDomain:
        """Add a name of a value or field. Raises `ChangesRefused` if it cannot be added."""
        return self._over(self.catalogue.with_alias(token, alias))

    def sort_of(self, token: str) -> str:
        """Whether a token is a field or a value; other tokens get no names."""
        values, fields = self.catalogue.values, self.catalogue.fields
        return "field" if token in fields else "value" if token in values else ""

    def with_changes(self, changes: Changes) -> TableDomain:
        """The base with stored changes; a `ChangeNotice` counts those that no longer apply."""
        made = self.catalogue.with_changes(changes)
        left = [len(c.added) + len(c.removed) for c in (changes, made.changes)]
        if left[1] < left[0]:
            warnings.warn(
                f"{left[0] - left[1]:,} of {left[0]:,} changes are skipped, because the catalogue "
                f"{self.catalogue.base.version} has the added values or lacks the removed ones.",
                ChangeNotice,
                stacklevel=2,
            )
        return self._over(made)

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Fields, values and units that a text may mean, the likeliest first."""
        return [self._entry(match.token) for match in self._names.find(text, limit)]

    def _entry(self, token: str) -> Entry:
        name, *aliases = self.catalogue.wordings(token)
        return Entry(token, self.catalogue.kind_of(token).name, name, tuple(aliases))

    def _over(self, catalogue: Catalogue) -> TableDomain:
        """The domain of a changed catalogue; new changes are applied to the current vocabulary."""
        if not catalogue.changes:
            return self.base
        made = TableDomain(catalogue, self._parts)
        made._base = self.base
        new = catalogue.changes.since(self.changes)
        if new is not None and self.vocabulary.fragments < _FRAGMENTS:
            made.vocabulary = changed_vocabulary(self.vocabulary, new)
        return made

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

    def cues(self, token: str) -> Sequence[str]:
        """Words that may refer to a field or a value without being one of its names."""
        own = self._parts.cues(token)
        if not self.catalogue.schema.history:
            return (*own, *self._class_cues(token))
        return (*own, *variant_names(token, self.catalogue))

    @cached_property
    def _class_cues(self) -> TableCues:
        return TableCues(self.catalogue)

    @cached_property
    def grounding(self) -> Grounding:
        """Fields, values, numbers, times and texts must be in the query.

        A value makes the fields of its type available; the default measure always is, and in a
        schema without history so is the name of a row. There, a time is of any date, an amount or a
        percentage of any field of that class, and a text of any field that is searched.
        """
        lexicon_, schema = self.catalogue.lexicon, self.catalogue.schema
        values = {rules.value_kind(enum): enum.fields for enum in lexicon_.enums}
        fields = [rules.field_kind(type_) for type_ in lexicon_.types]
        types = {rules.value_kind(enum): schema.enum(enum.name) for enum in lexicon_.enums}
        filled_kinds = (*lexicon.FILLED, *(() if schema.history else (lexicon.TEXT,)))
        return Grounding(
            kinds=frozenset((*filled_kinds, *values, *fields)),
            implied=values | self._implied(),
            always=tuple(token for token in (schema.measure, self._label) if token is not None),
            unused=frozenset((*_WRITTEN_ONLY, lexicon_.unit_kind)),
            values=frozenset(values),
            open=frozenset(kind for kind, type_ in types.items() if type_.open),
            coded=frozenset(kind for kind, type_ in types.items() if type_.codes),
            places=frozenset(kind for kind, type_ in types.items() if type_.place),
            neutral=frozenset((*self.nouns, *self._parts.nouns)),
            turns=(
                (MOVES, growths(self.catalogue)),
                (YEARS, longer_growths(self.catalogue)),
                (MULTIPLES, dict(schema.multiples)),
                (COMPARING, dict(schema.levels)),
                (QUARTERLY, bases_of_quarters(self.catalogue)),
            ),
        )

    def _implied(self) -> dict[str, tuple[str, ...]]:
        """What a mention makes available, by its kind; the name of a boolean field, its values."""
        schema = self.catalogue.schema
        if schema.history:
            return {} if schema.price is None else {lexicon.AMOUNT: (schema.price,)}
        found: dict[str, list[str]] = {lexicon.TEXT: [*self.catalogue.lexicon.searched]}
        for token, known in self.catalogue.fields.items():
            semantic = semantic_of(known, schema)
            for kind in _MENTIONED.get(semantic, ()):
                found.setdefault(kind, []).append(token)
            if semantic == "BOOLEAN":
                found[f"{known.type}_FIELD"] = list(self.catalogue.values_of(known.type))
        return {kind: tuple(tokens) for kind, tokens in found.items()}

    @cached_property
    def _label(self) -> str | None:
        """The field that names a row, in a schema without history."""
        schema = self.catalogue.schema
        return None if schema.history else label_of(self.catalogue)

    @cached_property
    def _mention_reader(self) -> MentionReader:
        return MentionReader.from_catalogue(self.catalogue)

    def mentions(self, text: str) -> Sequence[Mention]:
        """The numbers, times and texts in a text."""
        return self._mention_reader.read(text)

    def without_phrases(self, text: str) -> Rephrased | None:
        """A query without the phrases that were taught, and their conditions.

        One for all rows is a phrase, too: "show all films".
        """
        if self._parts.phrases or self._parts.synonyms:
            found = self.phrases.read(text)
            if found is not None and not found.text:
                return found
        else:
            found = None
        shown = self._shown_of_all
        others = (noun for noun in self._parts.nouns if singular_of(noun) != noun)
        nouns = (*self.nouns, *others, *self._parts.synonyms)
        return (all_rows(text, nouns, shown) if shown else None) or found

    @cached_property
    def _shown_of_all(self) -> Tokens:
        """A form that shows one column of all rows; empty if there is no such column."""
        schema, fields = self.catalogue.schema, self.catalogue.fields
        numbers = (token for token, field in fields.items() if field.type in schema.number_types)
        wanted = (schema.measure, *schema.default_columns, *numbers, self._label, *fields)
        token = next((token for token in wanted if token in fields), None)
        return () if token is None else ("(", "display", token, ")")

    @cached_property
    def phrases(self) -> Phrases:
        """The phrases that can be used; raises `BadCondition` if one is no condition.

        One that names a value which the data no longer has is left out.
        """
        found: dict[str, Tokens] = {}
        for phrase, means in self._parts.phrases.items():
            with suppress(NoSuchValue):
                found[phrase] = read_condition(
                    means, self.catalogue, self.mentions, self.written_pieces
                )
        catalogue = self.catalogue
        names = (name for token in catalogue.ranking for name in catalogue.wordings(token))
        return Phrases(found, self.nouns, self._parts.synonyms, names)

    def unread(self, text: str) -> Sequence[tuple[int, int]]:
        """Numbers and times that could not be read."""
        return self._mention_reader.scan(text).unread

    def filled(self, tokens: Tokens, mentions: Sequence[Mention]) -> Tokens:
        """A logical form with slots for what the query mentions."""
        catalogue, units = self.catalogue, self._mention_reader.units
        return filled(tokens, mentions, catalogue.fields, catalogue.dates, units)

    def written_pieces(self, tokens: Tokens, mentions: Sequence[Mention]) -> Sequence[Tokens]:
        """For each token the tokens that it stands for."""
        return tuple(written_pieces(tokens, mentions, self._mention_reader.units))

    def misfits(self, tokens: Tokens, mentions: Sequence[Mention]) -> Sequence[int]:
        """The mentions whose unit their column cannot have."""
        return misfits(tokens, mentions, self._mention_reader.units)

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

    @cached_property
    def form(self) -> Callable[[Tokens], LogicalForm]:
        """The tree of a logical form, by its tokens; recent ones are cached."""
        catalogue = self.catalogue
        return lru_cache(maxsize=64)(lambda tokens: from_tokens(tokens, catalogue))

    def _without_numbers(self, tokens: Tokens) -> list[str]:
        units = self.catalogue.units
        return [t for t in tokens if t not in _NUMBERS and t not in units]

    def read(self, text: str) -> Tokens:
        """The tokens of a logical form in the paper's notation."""
        return to_tokens(read(text, self.catalogue))

    def require_meaning(self, tokens: Tokens) -> None:
        """Raise `LogicalFormError` if it cannot be read, `IllTyped` if its types are wrong."""
        require_well_typed(self.form(tokens), self.catalogue)

    def paraphrase(self, tokens: Tokens) -> str:
        """A logical form in English: "films directed by Agnès Varda"."""
        return paraphrase(self.form(tokens), self.catalogue)

    def label(self, token: str) -> str:
        """The name of a token for display."""
        return self._chips.label(token)

    def kind_named(self, text: str) -> str | None:
        """ "country" is COUNTRY_VALUE, "money field" MONEY_FIELD."""
        kind = self.catalogue.base.kinds.get(" ".join(text.split()).lower())
        return None if kind is None else kind.name

    def chips(self, tokens: Tokens) -> Sequence[Chip]:
        """Each token of a logical form, or of its beginning."""
        return self._chips.chips(tokens)

    def completions(self, text: str, limit: int) -> Sequence[Completion]:
        """Phrases that were taught, names of the catalogue, and phrases of queries."""
        taught = self.phrases.completions(text) if self._parts.phrases else ()
        return [*taught, *completions(text, self._names, limit, self._likelihood)][:limit]

    @cached_property
    def _likelihood(self) -> Likelihood:
        """Of names in queries, from those that people wrote."""
        if self.base is not self:
            counts = self.base._likelihood.counts
        else:
            counts = mentioned(self._parts.written(), self.catalogue)
        return Likelihood(self.catalogue, counts)

    @property
    def has_fields(self) -> bool:
        """Whether the catalogue has any."""
        return bool(self.catalogue.fields)

    def fields(self, search: str = "") -> Sequence[str]:
        """Fields with a text in one of their names, or that a mistyped text may mean."""
        if found := self._dictionary.search(search):
            return found
        matches = self._names.find(search, _MATCHES)
        return [match.token for match in matches if match.token in self.catalogue.fields]

    def field_entry(self, token: str) -> FieldEntry | None:
        """A field with its unit and its usual values."""
        return self._dictionary.entry(token) if token in self.catalogue.fields else None

    @cached_property
    def _dictionary(self) -> Dictionary:
        from grammax.tables.query.translate import default_measures  # parsing does not need it

        defaults = default_measures(self.catalogue)
        return Dictionary(self.catalogue, defaults, self._likelihood)

    @cached_property
    def _chips(self) -> Chips:
        return Chips(self.catalogue, self.vocabulary)

    @cached_property
    def _names(self) -> Finder:
        from grammax.tables.catalogue.find import Finder  # its index takes half a second

        return Finder(self.catalogue)


@contextmanager
def _opened(store: Opener, domain: TableDomain) -> Iterator[StoreAnswers]:
    from grammax.tables.answers.answers import StoreAnswers  # parsing does not need it

    with store(domain.catalogue) as opened:
        yield StoreAnswers(opened, domain.form)
