"""Equity search as a `Domain`: what training, evaluation and benchmarks ask of it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, final

from grammax.automaton import BoundAutomaton
from grammax.errors import GrammaxError
from grammax.language.answer import ANSWER_SECONDS, Answer, Answers
from grammax.language.capabilities import (
    Chip,
    Completion,
    Connectable,
    Entry,
    Explainable,
    Updatable,
)
from grammax.language.changes import ChangeNotice, Changes, NewValue
from grammax.language.domain import Pair, Part, Tokens
from grammax.tables import lexicon
from grammax.tables.automata import GrammarName, eqs_automaton, eqs_vocabulary
from grammax.tables.catalogue.catalogue import Catalogue, load_catalogue
from grammax.tables.english.chips import Chips
from grammax.tables.english.completions import completions
from grammax.tables.english.fixed_wordings import FIXED_WORDINGS
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.form.canonical import same
from grammax.tables.form.operands import CURRENCY_PREFIX
from grammax.tables.form.text import from_tokens, read, to_tokens, write
from grammax.tables.form.tree import Display, LogicalForm
from grammax.tables.form.typecheck import check, require_well_typed
from grammax.tables.form.walk import walk
from grammax.tables.parts import joined, parts
from grammax.tables.splits import SPLITS
from grammax.vocabulary import Vocabulary

if TYPE_CHECKING:
    from grammax.tables.catalogue.find import Finder
    from grammax.tables.corpus.corpus import Corpus
    from grammax.tables.query.store import Market

_GRAMMARS: Final[dict[str, tuple[GrammarName, bool]]] = {
    "paper": ("paper", False),
    "superset-untyped": ("superset", False),
    "superset": ("superset", True),
    "unrolled": ("unrolled", True),
    "lr-untyped": ("lr", False),
    "lr": ("lr", True),
}
_EVERY_ROW: Final = 100_000
_FRAGMENTS: Final = 64  # spans of a changed vocabulary: beyond, it is laid out anew
_SENSE: Final = frozenset(("time", "count", "number"))
_NUMBERS: Final = frozenset(
    (
        *lexicon.DIGITS, lexicon.MINUS, lexicon.POINT, *lexicon.DENOMINATIONS,
        *lexicon.PERCENTAGES, *lexicon.QUARTERS, *lexicon.MONTHS, *lexicon.UNITS, lexicon.LAST,
        lexicon.FISCAL_YEAR,
    )
)  # fmt: skip


def load() -> EqsDomain:
    """The domain with the default catalogue and corpus."""
    return EqsDomain(load_catalogue())


@final
class EqsDomain(Updatable, Explainable, Connectable):
    """A catalogue, and the corpus that a seed makes of it."""

    name = "eqs"
    grammars = tuple(_GRAMMARS)
    splits = SPLITS

    def __init__(self, catalogue: Catalogue, seed: int = 0, **sizes: int) -> None:
        self.catalogue = catalogue
        self._base: EqsDomain | None = None
        self._connected: Path | None = None
        self._seed = seed
        self._sizes = sizes
        self._automata: dict[str, BoundAutomaton[Any]] = {}

    @property
    def base(self) -> EqsDomain:
        """The domain without changes."""
        return self if self._base is None else self._base

    def connected(self, tables: Path) -> EqsDomain:
        """The same domain, answering from the tables that a mapping file describes."""
        made = EqsDomain(self.catalogue, self._seed, **self._sizes)
        made._base = None if self._base is None else self._base.connected(tables)
        made._connected = tables
        made._automata = self._automata
        if "vocabulary" in vars(self):
            made.vocabulary = self.vocabulary
        return made

    @property
    def version(self) -> str:
        """The catalogue's."""
        return self.catalogue.version

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The rows of the output layer."""
        return eqs_vocabulary(self.catalogue)

    @property
    def changes(self) -> Changes:
        """What was added to the catalogue, and removed from it."""
        return self.catalogue.changes

    @cached_property
    def corpus(self) -> Corpus:
        """Made when it is first asked for, in about three seconds; changes leave it as it is."""
        if self.base is not self:
            return self.base.corpus
        from grammax.tables.corpus.corpus import generate  # parsing needs none

        return generate(self.catalogue, self._seed, **self._sizes)

    def automaton(self, grammar: str) -> BoundAutomaton[Any]:
        """One of the grammars."""
        if grammar not in self._automata:
            if grammar not in _GRAMMARS:
                names = ", ".join(_GRAMMARS)
                raise GrammaxError(f"eqs has no grammar {grammar!r}; its grammars are {names}")
            self._automata[grammar] = (
                eqs_automaton(self.catalogue, *_GRAMMARS[grammar])
                if self.base is self
                else self.base.automaton(grammar).with_vocabulary(self.vocabulary)
            )
        return self._automata[grammar]

    def with_values(self, values: Sequence[NewValue]) -> EqsDomain:
        """With values and fields added; `ChangesRefused` if some cannot be."""
        return self._over(self.catalogue.with_values(values))

    def without_values(self, tokens: Sequence[str]) -> EqsDomain:
        """With values and fields removed; `ChangesRefused` if some cannot be."""
        return self._over(self.catalogue.without_values(tokens))

    def with_changes(self, changes: Changes) -> EqsDomain:
        """The base with changes that were kept; a notice tells of those that are none any more."""
        made = self.catalogue.with_changes(changes)
        left = [len(c.added) + len(c.removed) for c in (changes, made.changes)]
        if left[1] < left[0]:
            warnings.warn(
                f"{left[0] - left[1]:,} of {left[0]:,} changes are left aside: the catalogue "
                f"{self.catalogue.base.version} has what they add, or has not what they remove.",
                ChangeNotice,
                stacklevel=2,
            )
        return self._over(made)

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Fields, values and currencies that a text may mean, the likeliest first."""
        return [self._entry(match.token) for match in self._names.find(text, limit)]

    def _entry(self, token: str) -> Entry:
        name, *aliases = self.catalogue.wordings(token)
        return Entry(token, self.catalogue.kind_of(token).name, name, tuple(aliases))

    def _over(self, catalogue: Catalogue) -> EqsDomain:
        """With changes of its catalogue; those that are new are made to the vocabulary in use."""
        if not catalogue.changes:
            return self.base
        made = EqsDomain(catalogue, self._seed, **self._sizes)
        made._base = self.base
        made._connected = self._connected
        new = catalogue.changes.since(self.changes)
        if new is not None and self.vocabulary.fragments < _FRAGMENTS:
            made.vocabulary = self.vocabulary.changed(new.by_kind(), new.removed)
        return made

    def out_of_domain(self, split: Literal["train", "test"]) -> tuple[str, ...]:
        """Texts about other things, one on each line of a file."""
        path = Path(__file__).parent / "data" / f"out_of_domain_{split}.txt"
        return tuple(filter(None, path.read_text(encoding="utf-8").splitlines()))

    def pairs(self, split: str) -> Sequence[Pair]:
        """The pairs of a split."""
        if split not in self.splits:
            names = ", ".join(self.splits)
            raise GrammaxError(f"eqs has no split {split!r}; its splits are {names}")
        return [Pair(pair.query, pair.tokens) for pair in self.corpus.splits[split]]

    def wordings(self, token: str) -> Sequence[str]:
        """The name and aliases of a field or value; other tokens are called what they are."""
        if token in self.catalogue:
            return self.catalogue.wordings(token)
        return FIXED_WORDINGS.get(token, (token,))

    def text(self, tokens: Tokens) -> str:
        """A logical form as the paper writes it."""
        return write(_form(tokens))

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether both have one canonical form."""
        return one == other or (
            self.grammatical(one)
            and self.grammatical(other)
            and same(from_tokens(one), from_tokens(other))
        )

    def grammatical(self, tokens: Tokens) -> bool:
        """Whether the exact grammar without types accepts the tokens."""
        automaton = self.automaton("lr-untyped")
        try:
            return automaton.accepts(automaton.read(tokens))
        except GrammaxError:
            return False

    def well_typed(self, tokens: Tokens) -> bool:
        """Whether fields, operators and values of a grammatical one fit together.

        That a day is in the calendar and a number of a sensible size is no matter of types.
        """
        found = check(from_tokens(tokens), self.catalogue)
        return all(judgement.code in _SENSE for judgement in found)

    def mistake(self, predicted: Tokens, expected: Tokens) -> str:
        """An unseen name that was missed, an unseen composition, a number, or something else."""
        from grammax.tables.corpus.corpus import skeleton

        corpus = self.corpus
        if set(expected) - corpus.seen - set(predicted):
            return "unseen field or value"
        if skeleton(from_tokens(expected)) not in corpus.skeletons:
            return "unseen composition"
        if _without_numbers(predicted) == _without_numbers(expected):
            return "number"
        return "other"

    def parts(self, tokens: Tokens) -> Sequence[Part]:
        """What the AND of a logical form joins."""
        return parts(tokens, self._enum_types.get)

    def joined(self, parts: Sequence[Part]) -> Tokens | None:
        """The AND of parts, in the order of the corpus."""
        return joined(parts)

    @cached_property
    def _enum_types(self) -> dict[str, int]:
        """The place of each enum field's type."""
        enums = self.catalogue.lexicon.enums
        return {field: place for place, enum in enumerate(enums) for field in enum.fields}

    def answers(self) -> AbstractContextManager[Answers]:
        """The market, built first if need be."""
        return _open_market(self.catalogue, self._connected)

    def read(self, text: str) -> Tokens:
        """The tokens of a logical form in the paper's notation."""
        return to_tokens(read(text))

    def require_meaning(self, tokens: Tokens) -> None:
        """`LogicalFormError` for tokens that are none, `IllTyped` for one that makes no sense."""
        require_well_typed(_form(tokens), self.catalogue)

    def paraphrase(self, tokens: Tokens) -> str:
        """What a logical form asks for: "companies in the S&P 500"."""
        return paraphrase(_form(tokens), self.catalogue)

    def label(self, token: str) -> str:
        """What a person calls a token."""
        return self._chips.label(token)

    def kind_named(self, text: str) -> str | None:
        """ "country" is COUNTRY_VALUE, "money field" MONEY_FIELD."""
        kind = self.catalogue.base.kinds.get(" ".join(text.split()).lower())
        return None if kind is None else kind.name

    def chips(self, tokens: Tokens) -> Sequence[Chip]:
        """Each token of a logical form, or of its beginning."""
        return self._chips.of(tokens)

    def completions(self, text: str, limit: int) -> Sequence[Completion]:
        """Names of the catalogue, and phrases of queries."""
        return completions(text, self._names, limit)

    @cached_property
    def _chips(self) -> Chips:
        return Chips(self.catalogue, self.vocabulary)

    @cached_property
    def _names(self) -> Finder:
        from grammax.tables.catalogue.find import Finder  # its index takes half a second

        return Finder(self.catalogue)


@final
class MarketAnswers:
    """Two logical forms have the same answer if they list the same equities and columns.

    Forms that list no equity at all are not the same for that.
    """

    def __init__(self, market: Market) -> None:
        self._market = market
        self._known: dict[Tokens, tuple[object, ...] | None] = {}

    def answer(self, tokens: Tokens, limit: int, seconds: float = ANSWER_SECONDS) -> Answer:
        """The equities that a logical form selects, and what it displays of them."""
        return self._market.answer(from_tokens(tokens), limit, seconds)

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether both are answered, and alike."""
        if one == other:
            return True
        first, second = self._answer(one), self._answer(other)
        return first is not None and bool(first[0]) and first == second

    def _answer(self, tokens: Tokens) -> tuple[object, ...] | None:
        """Tickers in order, and what is displayed; None where nothing is answered."""
        if tokens not in self._known:
            try:
                lf = from_tokens(tokens)
                rows = self._market.answer(lf, _EVERY_ROW).token_rows
                self._known[tokens] = (tuple(row[0] for row in rows), _displayed(lf))
            except GrammaxError:
                self._known[tokens] = None
        return self._known[tokens]


@lru_cache(maxsize=64)
def _form(tokens: Tokens) -> LogicalForm:
    """The tree of tokens, which is written, paraphrased and judged one after the other."""
    return from_tokens(tokens)


@contextmanager
def _open_market(catalogue: Catalogue, tables: Path | None) -> Iterator[MarketAnswers]:
    from grammax.tables.query.store import Market

    market = Market.connect(tables, catalogue) if tables else Market.open(catalogue=catalogue)
    with market:
        yield MarketAnswers(market)


def _displayed(lf: LogicalForm) -> tuple[str, ...]:
    return tuple(str(part) for part in walk(lf) if isinstance(part, Display))


def _without_numbers(tokens: Tokens) -> list[str]:
    return [t for t in tokens if t not in _NUMBERS and not t.startswith(CURRENCY_PREFIX)]
