"""Induce a grammar from a folder's pairs, and measure it on the logical forms of every split.

Variables are tried in two ways: anywhere in the arguments where they occur, or only where they are
bound. The stricter grammar is proposed if it saves tokens per step, and accepts as many forms of
the split `dev`, or of thirds of the training pairs that were left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, final

from grammax.errors import GrammarError, GrammaxError, Location, Problem
from grammax.folder.coverage import Coverage, coverage, refused
from grammax.folder.data import Line, read_pairs, read_tables
from grammax.folder.domain import exact_automaton
from grammax.folder.induce.merges import merges
from grammax.folder.induce.rules import observe, scopes_of, written
from grammax.folder.induce.scopes import Scopes
from grammax.folder.induce.trees import NoTree, is_prefix, tree
from grammax.folder.induce.types import Observed
from grammax.folder.open_kinds import FilledKind
from grammax.folder.settings import Settings
from grammax.grammar import Grammar
from grammax.language.domain import Tokens

_KIND: Final = re.compile(r"[A-Z][A-Z0-9_]*")  # as the notation has them
_FOLDS: Final = 3
_MOST: Final = 2_000  # training pairs that folds are made of
_COST: Final = 0.01  # share of the left-out forms that scopes may refuse in addition
_GAIN: Final = 0.02  # share of the tokens per step that scopes have to save
_BRACKETS: Final = (
    "A grammar is induced from forms like ( head argument ) or head(argument, argument). `notation` "
    "in the settings says how tokens are separated."
)


class Tried(NamedTuple):
    """What it means for a grammar to permit variables only where they are bound."""

    proposed: bool
    plain: Mapping[str, Coverage]  # by split, with variables anywhere
    scoped: Mapping[str, Coverage]  # the same with scopes
    left_out: tuple[float, float]  # share accepted of forms not induced from, plain and scoped


@final
@dataclass(frozen=True, slots=True)
class Proposal:
    """An induced grammar."""

    text: str
    exact: str  # the automaton that it was measured with: "lr", or "glr" if it is not LR(1)
    splits: Mapping[str, Coverage]
    problems: tuple[Problem, ...]  # training pairs that it does not accept, normally none
    scopes: Tried | None = None  # None if nothing binds variables
    merged: tuple[Problem, ...] = ()  # pairs that alone make one type of two


def propose(settings: Settings, scopes: bool = True) -> Proposal:
    """A grammar induced from the training pairs; `GrammarError` lists the lines without a tree."""
    present = (name for name in settings.splits if name == "train" or settings.path(name).exists())
    lines = {name: _lines(settings, name) for name in present}
    forms = {name: [line.pair.tokens for line in some] for name, some in lines.items()}
    kinds = _Kinds.of(settings, forms)
    observed = observe(forms["train"], kinds.by_token)
    plain = _Made.of(written(observed), kinds, forms)
    found = scopes_of(observed) if scopes else None
    made, tried = (plain, None) if found is None else _tried(observed, found, plain, kinds, forms)
    path = settings.path("train")
    problems, _ = refused(lines["train"], path, exact_automaton(made.grammar)[1])
    merged = merges(observed, lines["train"], path)
    return Proposal(made.text, made.exact, made.splits, tuple(problems), tried, tuple(merged))


class _Kinds(NamedTuple):
    """The kinds that a folder has: those of its tables, and those that queries fill."""

    by_token: Mapping[str, str]
    tokens: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, settings: Settings, forms: Mapping[str, Sequence[Tokens]]) -> _Kinds:
        tables = read_tables(settings.tables).tokens
        tokens = {kind: [*some] for kind, some in tables.items() if _KIND.fullmatch(kind)}
        by_token = {token: kind for kind in reversed(tokens) for token in tokens[kind]}
        filled = [each for each in settings.filled if each.kind not in tokens]
        seen = dict.fromkeys(token for some in forms.values() for form in some for token in form)
        for token in seen:
            kind = next((each.kind for each in filled if _fills(each, token)), None)
            if kind is not None and token not in by_token:
                by_token[token] = kind
                tokens.setdefault(kind, []).append(token)
        return cls(by_token, tokens)


def _fills(kind: FilledKind, token: str) -> bool:
    """Whether a token shows that a query fills it: a number, a date, or a text in quotes."""
    shown = kind.fill in ("number", "integer", "date") or len(kind.written) > len("{}")
    return shown and kind.inner(token) is not None


class _Made(NamedTuple):
    """A grammar with its figures."""

    text: str
    grammar: Grammar
    exact: str
    splits: Mapping[str, Coverage]

    @classmethod
    def of(cls, text: str, kinds: _Kinds, forms: Mapping[str, Sequence[Tokens]]) -> _Made:
        declared = {kind: some for kind, some in kinds.tokens.items() if kind in _declared(text)}
        grammar = Grammar.read(text, declared)
        exact, automaton = exact_automaton(grammar)
        measured = {name: coverage(some, automaton) for name, some in forms.items()}
        return cls(text, grammar, exact, measured)


def _declared(text: str) -> set[str]:
    return {kind for line in text.splitlines() if line[:9] == "%declare " for kind in line.split()}


def _tried(
    observed: Observed,
    scopes: Scopes,
    plain: _Made,
    kinds: _Kinds,
    forms: Mapping[str, Sequence[Tokens]],
) -> tuple[_Made, Tried]:
    """The grammar to propose, with scopes or without, and the figures of both."""
    scoped = _Made.of(written(observed, scopes), kinds, forms)
    if "dev" in forms:
        left_out = plain.splits["dev"].accepted, scoped.splits["dev"].accepted
    else:
        left_out = _left_out(forms["train"][:_MOST], kinds)
    before, after = plain.splits["train"], scoped.splits["train"]
    proposed = (
        after.accepted == 1
        and after.permitted <= (1 - _GAIN) * before.permitted
        and left_out[1] >= left_out[0] - _COST
    )
    tried = Tried(proposed, plain.splits, scoped.splits, left_out)
    return scoped if proposed else plain, tried


def _left_out(forms: Sequence[Tokens], kinds: _Kinds) -> tuple[float, float]:
    """The share accepted of thirds that were left out, without scopes and with them."""
    accepted = [0.0, 0.0]
    for fold in range(_FOLDS):
        rest = {"test": forms[fold::_FOLDS]}
        learnt = [form for number, form in enumerate(forms) if number % _FOLDS != fold]
        if not learnt or not rest["test"]:
            continue
        observed = observe(learnt, kinds.by_token)
        for index, scopes in enumerate((None, scopes_of(observed))):
            made = _Made.of(written(observed, scopes), kinds, rest)
            accepted[index] += made.splits["test"].accepted * len(rest["test"])
    return accepted[0] / len(forms), accepted[1] / len(forms)


def without_tree(lines: Sequence[Line], path: Path) -> list[Problem]:
    """A problem for each line whose logical form has no tree, so that nothing can be induced."""
    prefix = is_prefix([line.pair.tokens for line in lines])
    problems = []
    for number, pair in lines:
        try:
            tree(pair.tokens, prefix)
        except NoTree as error:
            hint = _BRACKETS if not problems else ""
            problems.append(Problem("lf", str(error), hint, Location(str(path), number, 1)))
    return problems


def _lines(settings: Settings, split: str) -> list[Line]:
    if settings.notation == "sql":
        raise GrammaxError(
            f"the grammar of {settings.folder} comes from its schema, and nothing is induced: "
            f"`grammax new DIR --sql` writes it, with the pairs and the schema."
        )
    path = settings.path(split)
    lines, problems = read_pairs(path, settings.notation)
    problems += without_tree(lines, path) if split == "train" else []
    if problems:
        raise GrammarError(problems)
    return lines
