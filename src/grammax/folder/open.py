"""`OpenFolder`: a folder with kinds that the query fills, such as its numbers and texts.

The grammar has slots for what a query mentions. Pairs, and the results of parsers, have logical
forms as they are written, with the tokens that were read from the query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Final, final

from grammax.errors import FileFormatError, GrammaxError
from grammax.folder.data import Line
from grammax.folder.domain import FolderDomain
from grammax.folder.filled.forms import FilledForms
from grammax.folder.filled.mentions import FilledMentions
from grammax.folder.filled.problems import FillingProblems, filling_problems
from grammax.folder.open_kinds import OPEN, FilledKind
from grammax.folder.settings import SETTINGS, read_settings
from grammax.grammar import Grammar
from grammax.grammar.expand import Rule
from grammax.language.capabilities import Fillable, Role
from grammax.language.domain import Tokens
from grammax.language.filling import FilledText, Grounding, Mention

_ROLES: Final[Mapping[str, Role]] = {"number": "number", "integer": "number", "date": "time"}
_EITHER: Final = ":either"  # after the name of a kind: a rule, for its list and what is filled


def read_folder(folder: Path, data: Path | None = None) -> FolderDomain:
    """The domain of a folder; `data` overrides `$GRAMMAX_DATA`."""
    filled = read_settings(folder, data).filled
    return OpenFolder(folder, data) if filled else FolderDomain(folder, data)


@final
class OpenFolder(FolderDomain, Fillable):
    """A folder with kinds that the query fills, see `[filled]` in its settings."""

    @property
    def filled_grammar(self) -> str:
        """The exact grammar, which has slots."""
        return self.exact

    @cached_property
    def grammar(self) -> Grammar:
        """The grammar with slots; a text has two, for its first and its last word."""
        found = super().grammar
        self._require_used(found)
        names = {kind.kind: kind.slot_kinds for kind in self._filling if kind.listed == "no"}
        either = {each.kind: each.kind + _EITHER for each in self.settings.filled if each.is_both}
        names |= {kind: (rule,) for kind, rule in either.items()}
        rules = [
            replace(
                rule, symbols=tuple(chain.from_iterable(names.get(s, (s,)) for s in rule.symbols))
            )
            for rule in found.rules
        ]
        kinds: dict[str, tuple[str, ...]] = {}
        for kind, tokens in found.kinds.items():
            for name in (kind,) if kind in either else names.get(kind, (kind,)):
                kinds[name] = self._mentions.slots.get(name, tokens)
        for both in self.settings.filled:
            if both.is_both:
                slots = both.filling.slot_kinds
                kinds |= {name: self._mentions.slots[name] for name in slots}
                rules += [Rule(either[both.kind], symbols) for symbols in ((both.kind,), slots)]
        return replace(found, rules=tuple(rules), kinds=MappingProxyType(kinds))

    @property
    def grounding(self) -> Grounding:
        """Slots, and tokens of kinds that must be named, are available if the query has them."""
        slots = self._mentions.slots.keys()
        return Grounding(kinds=self._by_name.union(slots), named=self.must_be_named, reduces=True)

    @property
    def must_be_named(self) -> frozenset[str]:
        """Kinds whose tokens the query names: where it must, and where only these can occur."""
        return super().must_be_named | self._by_name

    @property
    def _by_name(self) -> frozenset[str]:
        return frozenset(kind.kind for kind in self.settings.filled if kind.fill == "name")

    def mentions(self, text: str) -> Sequence[Mention]:
        """The numbers, dates and texts of a query."""
        return self._mentions.read(text)

    def unread(self, text: str) -> Sequence[tuple[int, int]]:
        """The characters of numbers and dates that could not be read."""
        return self._mentions.unread(text)

    def cues(self, token: str) -> Sequence[str]:  # noqa: ARG002
        """None: tokens of folders have names only."""
        return ()

    def wordings(self, token: str) -> Sequence[str]:
        """The aliases of a token, or else its own words; slots have none."""
        return () if token in self._slots else super().wordings(token)

    def label(self, token: str) -> str:
        """The name of a token; of what a query fills its words."""
        kind = self._filled_kind(token)
        return super().label(token) if kind is None else kind.text(token) or token

    def _kind(self, token: str) -> str:
        kind = self._filled_kind(token)
        return super()._kind(token) if kind is None else kind.kind.removesuffix(OPEN)

    def _role(self, token: str) -> Role:
        kind = self._filled_kind(token)
        return super()._role(token) if kind is None else _ROLES.get(kind.fill, "value")

    def _filled_kind(self, token: str) -> FilledKind | None:
        """A kind that the token may be of, if it is not listed."""
        if token in self.vocabulary:
            return None
        fitting = (kind for kind in self._filling if kind.inner(token) is not None)
        return next(fitting, None)

    def filled(self, tokens: Tokens, mentions: Sequence[Mention]) -> Tokens:
        """A written form with slots; raises if its query lacks a token that fills a kind."""
        return self._forms.filled(tokens, mentions)

    def shaped(self, tokens: Tokens) -> Tokens:
        """A written form with slots, whatever its query; raises if the grammar refuses it."""
        return self._forms.shaped(tokens)

    def written_pieces(self, tokens: Tokens, mentions: Sequence[Mention]) -> Sequence[Tokens]:
        """For each token of a form with slots the tokens that are written for it."""
        return list(self._forms.written_pieces(tokens, mentions))

    @property
    def has_texts(self) -> bool:
        """Whether there are kinds that any words of a query may fill."""
        return any(kind.is_text for kind in self.settings.filled)

    @property
    def lists_beside(self) -> Mapping[str, str]:
        """Kinds with a list that texts fill as well."""
        both = (kind for kind in self.settings.filled if kind.is_both and kind.is_text)
        return {kind.kind: kind.filling.kind for kind in both}

    def filled_texts(self, tokens: Tokens, mentions: Sequence[Mention]) -> Sequence[FilledText]:
        """The texts of a form with slots."""
        return list(self._forms.texts(tokens, mentions))

    def filled_token(self, kind: str, text: str) -> str:
        """A text as a token of a kind that queries fill."""
        return next(each for each in self._filling if each.kind == kind).token(text)

    def unfilled(self, tokens: Tokens) -> tuple[str, ...]:
        """The kinds of the slots that a written form still has."""
        slots = (token.partition("#")[0] for token in tokens if token in self._slots)
        kinds = {name: kind.kind for kind in self._filling for name in kind.slot_kinds}
        return tuple(dict.fromkeys(kinds[name] for name in slots))

    def spanned(self, tokens: Tokens) -> Tokens:
        """The slots of all words of the texts in a form."""
        return self._forms.used(tokens)

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether two forms are equal, up to `any_order`, and to capitals where they may differ."""
        return super().same(self._forms.keys(one), self._forms.keys(other))

    def mistake(self, predicted: Tokens, expected: Tokens) -> str:
        """As of other folders, and "filled" if only what the query fills is wrong."""
        listed = [token for token in expected if token in self.vocabulary]
        if not self._seen.issuperset(listed):
            return "unseen token"
        both = [[t if t in self.vocabulary else "" for t in form] for form in (predicted, expected)]
        if both[0] == both[1]:
            return "filled"
        return "structure" if sorted(both[0]) == sorted(both[1]) else "tokens"

    def grammatical(self, tokens: Tokens) -> bool:
        """Whether the grammar accepts the tokens, with any numbers and texts."""
        try:
            return bool(self.shaped(tokens))
        except GrammaxError:
            return False

    def require_meaning(self, tokens: Tokens) -> None:
        """Raise if the grammar refuses the logical form, or expects more."""
        self.shaped(tokens)

    def problems(self, lines: Sequence[Line], path: Path) -> FillingProblems:
        """What is wrong with some pairs."""
        automaton = self.automaton(self.exact)
        return filling_problems(lines, path, automaton, self._forms, self._mentions)

    @cached_property
    def _filling(self) -> tuple[FilledKind, ...]:
        """The kinds with slots, and those of names."""
        return tuple(kind.filling for kind in self.settings.filled)

    @cached_property
    def _mentions(self) -> FilledMentions:
        return FilledMentions(self._filling)

    @cached_property
    def _forms(self) -> FilledForms:
        return FilledForms(self.automaton(self.exact), self._filling)

    @cached_property
    def _slots(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(self._mentions.slots.values()))

    @property
    def _given_tokens(self) -> Mapping[str, Sequence[str]]:
        placeholders = {
            kind.kind: self._mentions.slots[kind.slot_kinds[0]]
            for kind in self.settings.filled
            if kind.fill != "name" and not kind.is_both
        }
        return {**super()._given_tokens, **placeholders}

    def _require_used(self, grammar: Grammar) -> None:
        listed = self._tables.tokens
        used = set(chain.from_iterable(rule.symbols for rule in grammar.rules))
        for kind in self.settings.filled:
            wrong = ""
            if kind.kind not in used:
                wrong = "is not a kind of the grammar: use it in a rule, or leave it out"
            elif kind.fill != "name" and kind.listed == "no" and kind.kind in listed:
                wrong = (
                    "has tokens in a table, and is filled by the query: if it is both, say listed "
                    '= "first" or "last"'
                )
            if wrong:
                raise FileFormatError(f"{self.folder / SETTINGS}: filled: {kind.kind} {wrong}")
