"""`FolderDomain`: a folder as a `Domain`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal

from grammax.automaton import BoundAutomaton
from grammax.automaton.compile import exact, superset
from grammax.automaton.walk import accepts_tokens
from grammax.errors import FileFormatError, GrammarError, GrammaxError, Problem
from grammax.folder.answers import opened_answers
from grammax.folder.data import read_form, read_pairs, read_texts
from grammax.folder.english import PlainEnglish
from grammax.folder.forms.nesting import Nester
from grammax.folder.forms.order import in_order
from grammax.folder.forms.parts import joined, parts
from grammax.folder.forms.sequence import conditions, in_sequence
from grammax.folder.living.domain import LivingFolder
from grammax.folder.living.listed import ListedTokens, own_words
from grammax.folder.living.table_problems import table_problems
from grammax.folder.living.tables import Tables, read_tables
from grammax.folder.living.tokens import FolderTokens
from grammax.folder.settings import SETTINGS, Settings, read_settings
from grammax.folder.sql.notation import SqlNotation
from grammax.grammar import Grammar
from grammax.language.answer import Answers
from grammax.language.capabilities import Reloadable
from grammax.language.domain import Nests, Pair, Part, Tokens
from grammax.vocabulary import Vocabulary

RUN: Final = "run"  # the subfolder of trained models


class FolderDomain(PlainEnglish, LivingFolder, Reloadable):
    """The domain of a folder; each file is read on first use. `OpenFolder` is its only variant."""

    def __init__(self, folder: Path, data: Path | None = None) -> None:
        self.settings: Settings = read_settings(folder, data)
        self._folder = folder
        self._data = data
        self._automata: dict[str, BoundAutomaton[Any]] = {}
        self._pairs: dict[str, list[Pair]] = {}

    @property
    def name(self) -> str:
        """The name in the settings, or that of the folder."""
        return self.settings.name

    @property
    def folder(self) -> Path:
        """The folder itself."""
        return self._folder

    @property
    def model(self) -> Path:
        """The model that was trained last in the folder."""
        return self._folder / RUN / "model.safetensors"

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits of the settings."""
        return tuple(self.settings.splits)

    @cached_property
    def grammar(self) -> Grammar:
        """The grammar, with the tokens of the tables."""
        path, start = self.settings.grammar, self.settings.start
        try:
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            train = self.settings.root and self.settings.path("train")
            once = f", once they are in {train}," if train and not train.exists() else ","
            raise FileFormatError(
                f"{self.folder} has no grammar yet: {path} is missing. Run `grammax grammar induce "
                f"{self.folder}`, which makes one from the training pairs{once} or write it in "
                f"lark's notation."
            ) from None
        return Grammar.read(text, self._given_tokens, start=start, file=str(path))

    @cached_property
    def version(self) -> str:
        """A digest of the grammar and its tokens, and one of the changes, if there are any."""
        if self.base is not self:
            return f"{self.base.version}+{self.changes.digest}"
        return _digest((*self.grammar.rules, *self.grammar.kinds.items()))

    @cached_property
    def names_version(self) -> str:
        """A digest of the version and of all aliases, which `version` leaves out."""
        return _digest((self.version, *self._tables.aliases.items()))

    @cached_property
    def grammar_version(self) -> str:
        """A digest of the rules, and of the kinds without the tokens of those that can grow."""
        can_grow = self.base.file_tokens.growable
        kinds = self.grammar.kinds.items()
        fixed = ((kind, () if kind in can_grow else tokens) for kind, tokens in kinds)
        return _digest((*self.grammar.rules, *fixed))

    @cached_property
    def file_tokens(self) -> FolderTokens:
        """The tokens of the base with their names, as the files have them."""
        kinds, declared = self.grammar.kinds, self._tables.tokens
        notation = self.settings.notation
        return FolderTokens(ListedTokens(self.vocabulary, kinds, declared, self.wordings, notation))

    @property
    def vocabulary(self) -> Vocabulary:
        """The tokens of the grammar."""
        return self.automaton(self.exact).vocabulary if self._changed is None else self._changed

    @cached_property
    def grammars(self) -> tuple[str, ...]:
        """The superset, and the exact automaton: LR(1) if the grammar is, else generalised LR."""
        name, automaton = exact_automaton(self.grammar)
        self._automata[name] = automaton
        return ("superset", name)

    def automaton(self, grammar: str) -> BoundAutomaton[Any]:
        """One of `grammars`."""
        if grammar == "earley" and self.exact == "glr":
            grammar = "glr"  # what models were trained under before version 0.2; the rows are same
        if grammar not in self.grammars:
            names = ", ".join(self.grammars)
            raise GrammaxError(f"{self.name} has no grammar {grammar!r}; its grammars are {names}")
        if self._changed is not None:
            return self._bound(grammar, self._changed)
        if grammar not in self._automata:
            self._automata[grammar] = superset(self.grammar, self.vocabulary)
        return self._automata[grammar]

    def _bound(self, grammar: str, vocabulary: Vocabulary) -> BoundAutomaton[Any]:
        """The automaton of the base over a changed vocabulary; always the same object."""
        if grammar not in self._rebound:
            automaton = self.base.automaton(grammar)
            self._rebound[grammar] = automaton.with_vocabulary(vocabulary)
        return self._rebound[grammar]

    @cached_property
    def _rebound(self) -> dict[str, BoundAutomaton[Any]]:
        return {}

    def pairs(self, split: str) -> Sequence[Pair]:
        """The pairs of a split; `GrammarError` lists every line that cannot be read."""
        if split not in self.settings.splits:
            names = ", ".join(self.splits)
            raise GrammaxError(
                f"{self.name} has no split {split!r}; its splits are {names}. Name a file of pairs "
                f"for it under [splits] in {self._folder / SETTINGS}."
            )
        if split not in self._pairs:
            found, problems = read_pairs(self.settings.path(split), self.read)
            if problems:
                raise GrammarError(problems)
            self._pairs[split] = [line.pair for line in found]
        return self._pairs[split]

    def wordings(self, token: str) -> Sequence[str]:
        """The aliases of a token, or else its own words: "next to t" for next_to:t."""
        changed = None if self._tokens is None else self._tokens.wordings(token)
        return changed or self._tables.aliases.get(token) or (own_words(token),)

    @property
    def training(self) -> Mapping[str, Any]:
        """The settings of the folder, and its exact grammar."""
        return {**self.settings.training, "grammar": self.exact}

    @property
    def must_be_named(self) -> frozenset[str]:
        """Kinds whose tokens are permitted only if the query names them, from the settings."""
        return self.settings.must_be_named

    @property
    def whole_numbers(self) -> bool:
        """Always: a name that ends in a number is not part of a longer number."""
        return True

    def out_of_domain(self, split: Literal["train", "test"]) -> tuple[str, ...]:
        """The lines of the file that the settings name: odd ones to train, even ones to test."""
        path = self.settings.out_of_domain
        return () if path is None else read_texts(path)[split == "test" :: 2]

    def table_problems(self) -> list[Problem]:
        """Columns of the tables that nothing reads, and names that two tokens of a kind have."""
        return table_problems(self.settings.tables, *self._tables)

    def text(self, tokens: Tokens) -> str:
        """The tokens, separated by spaces; SQL if the pairs are SQL."""
        return " ".join(tokens) if self._sql is None else self._sql.text(tokens)

    def read(self, text: str) -> Tokens:
        """The tokens of a logical form, in the folder's notation."""
        if self._sql is not None:
            return self._sql.read(text)
        return read_form(text, self.settings.notation)

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether two forms are equal, up to the orders that the settings say do not matter."""
        heads, nested = self.settings.any_order, self.settings.nested_any_order
        if one == other or not (heads or nested):
            return one == other
        first, second = (in_order(form, heads, nested) for form in (one, other))
        return first == second

    def grammatical(self, tokens: Tokens) -> bool:
        """Whether the grammar accepts the tokens."""
        return accepts_tokens(self.automaton(self.exact), tokens)

    def well_typed(self, tokens: Tokens) -> bool:  # noqa: ARG002
        """Always: the types of a folder are in its grammar."""
        return True

    def mistake(self, predicted: Tokens, expected: Tokens) -> str:
        """An unseen token in the expected form, different tokens, or the same in another order."""
        if set(expected) - self._seen:
            return "unseen token"
        return "structure" if sorted(predicted) == sorted(expected) else "tokens"

    def parts(self, tokens: Tokens) -> Sequence[Part]:
        """What the outermost head in `any_order` joins, and its frame; else the form itself.

        With `joined_by` in the settings: the conditions.
        """
        separator = self.settings.joined_by
        if separator is not None:
            return conditions(tokens, separator)
        return parts(tokens, self.settings.any_order)

    def joined(self, parts: Sequence[Part]) -> Tokens | None:
        """The form of a frame and its parts, or of conditions; None if they do not fit."""
        separator = self.settings.joined_by
        return joined(parts) if separator is None else in_sequence(parts, separator)

    def nesting(self) -> Nests:
        """What puts a form in the place of a name, where training pairs have forms like it."""
        return self._nester.nested

    def answers(self) -> AbstractContextManager[Answers] | None:
        """The answers of the database or of the function in the settings; None without."""
        name, database = self.settings.answers, self.settings.database
        if self._sql is not None and database is not None:
            return self._sql.answers(database)
        return None if name is None else opened_answers(name)

    @property
    def edited_files(self) -> tuple[Path, ...]:
        """The settings, the grammar, the tables, a schema, and the model trained in the folder."""
        settings = self.settings
        schema = () if settings.schema is None else (settings.schema,)
        return self._folder / SETTINGS, settings.grammar, *settings.tables, *schema, self.model

    def reloaded(self) -> FolderDomain:
        """The folder as its files are now."""
        made = type(self)(self._folder, self._data)
        _ = made.version  # reads all of them
        return made

    @property
    def _given_tokens(self) -> Mapping[str, Sequence[str]]:
        """The tokens of the kinds that the grammar only declares."""
        return self._tables.tokens

    @cached_property
    def _sql(self) -> SqlNotation | None:
        """SQL as the notation of logical forms, if the settings have it."""
        schema = self.settings.schema
        return None if schema is None else SqlNotation(schema)

    @cached_property
    def _tables(self) -> Tables:
        return read_tables(self.settings.tables)

    @cached_property
    def _nester(self) -> Nester:
        forms = (pair.tokens for pair in self.pairs("train"))
        return Nester(forms, self.vocabulary.kind_of)

    @cached_property
    def _seen(self) -> frozenset[str]:
        return frozenset(token for pair in self.pairs("train") for token in pair.tokens)


def _digest(parts: Iterable[object]) -> str:
    digest = blake2b(digest_size=6)
    for part in parts:
        digest.update(f"{part}\n".encode())
    return digest.hexdigest()


def exact_automaton(grammar: Grammar) -> tuple[str, BoundAutomaton[Any]]:
    """The name of a grammar's exact automaton, and itself: LR(1), or else generalised LR."""
    automaton = exact(grammar)
    return automaton.name, automaton
