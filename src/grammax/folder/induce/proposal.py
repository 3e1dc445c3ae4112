"""Induce a grammar from a folder's pairs, and measure it on the logical forms of every split.

Stricter grammars are tried: one in which whole forms may be of several types (a set or a number),
and one that permits variables only where they are bound. A stricter one is proposed if it saves
tokens per step, and accepts as many forms of the split `dev`, or of thirds of the training pairs
that were left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, final

from grammax.errors import GrammarError, GrammaxError, Location, Problem
from grammax.folder.coverage import Coverage, coverage, refused
from grammax.folder.data import SQL, SQL_HINT, Line, looks_like_sql, read_pairs
from grammax.folder.domain import exact_automaton
from grammax.folder.induce.merges import merges
from grammax.folder.induce.rules import observe, scopes_of, written
from grammax.folder.induce.trees import NoTree, is_prefix, tree
from grammax.folder.living.tables import read_tables
from grammax.folder.open_kinds import FilledKind
from grammax.folder.settings import Settings
from grammax.grammar import Grammar
from grammax.language.domain import Tokens

_KIND: Final = re.compile(r"[A-Z][A-Z0-9_]*")  # as the notation has them
_FOLDS: Final = 3
_MOST: Final = 2_000  # training pairs that folds are made of
_COST: Final = 0.01  # share of the left-out forms that a stricter grammar may refuse in addition
_GAIN: Final = 0.02  # share of the tokens per step that it has to save
_BRACKETS: Final = (
    "A grammar is induced from forms like ( head argument ) or head(argument, argument); "
    "`notation` in the settings says how tokens are separated."
)


class Way(NamedTuple):
    """A way to make a grammar stricter."""

    apart: bool  # whole forms may be of several types
    scopes: bool  # variables are permitted only where they are bound

    def __str__(self) -> str:
        return (
            "variables only where they are bound" if self.scopes else "types of whole forms apart"
        )


class Tried(NamedTuple):
    """What a way to make the grammar stricter gains and costs."""

    way: Way
    proposed: bool
    before: Mapping[str, Coverage]  # by split
    after: Mapping[str, Coverage]
    left_out: tuple[float, float]  # share accepted of forms not induced from, before and after


@final
@dataclass(frozen=True, slots=True)
class Proposal:
    """An induced grammar."""

    text: str
    exact: str  # the automaton that it was measured with: "lr", or "glr" if it is not LR(1)
    splits: Mapping[str, Coverage]
    problems: tuple[Problem, ...]  # training pairs that it does not accept, normally none
    tried: tuple[Tried, ...] = ()  # ways to make it stricter, where there are any
    merged: tuple[Problem, ...] = ()  # warnings: pairs that alone make one type of two, SQL


def propose(settings: Settings, scopes: bool = True) -> Proposal:
    """A grammar induced from the training pairs; `GrammarError` lists the lines without a tree."""
    present = (name for name in settings.splits if name == "train" or settings.path(name).exists())
    lines = {name: _lines(settings, name) for name in present}
    forms = {name: [line.pair.tokens for line in some] for name, some in lines.items()}
    kinds = _Kinds.of(settings, forms)
    way = Way(apart=False, scopes=False)
    made = _Made.of(forms["train"], way, kinds, forms)
    assert made is not None, "only scopes may be missing"
    tried: list[Tried] = []
    for apart, scoped in ((True, False), (True, True)) if scopes else ((True, False),):
        stricter = Way(apart if not scoped else way.apart, scoped)
        other = _Made.of(forms["train"], stricter, kinds, forms)
        if other is None or other.text == made.text:
            continue
        found = _compared(way, made, stricter, other, kinds, forms)
        tried.append(found)
        if found.proposed:
            way, made = stricter, other
    path = settings.path("train")
    problems, _ = refused(lines["train"], path, exact_automaton(made.grammar)[1])
    merged = merges(observe(forms["train"], kinds.by_token, way.apart), lines["train"], path)
    if settings.notation != "sql" and looks_like_sql(lines["train"]):
        merged = [Problem("sql", SQL, SQL_HINT, Location(str(path)), "warning")]
    return Proposal(
        made.text, made.exact, made.splits, tuple(problems), tuple(tried), tuple(merged)
    )


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
    def of(
        cls,
        learnt: Sequence[Tokens],
        way: Way,
        kinds: _Kinds,
        forms: Mapping[str, Sequence[Tokens]],
    ) -> _Made | None:
        """The grammar of some forms, measured on others; None if there are no scopes."""
        observed = observe(learnt, kinds.by_token, way.apart)
        scopes = scopes_of(observed) if way.scopes else None
        if way.scopes and scopes is None:
            return None
        text = written(observed, scopes)
        declared = {kind: some for kind, some in kinds.tokens.items() if kind in _declared(text)}
        grammar = Grammar.read(text, declared)
        exact, automaton = exact_automaton(grammar)
        measured = {name: coverage(some, automaton) for name, some in forms.items()}
        return cls(text, grammar, exact, measured)


def _declared(text: str) -> set[str]:
    return {kind for line in text.splitlines() if line[:9] == "%declare " for kind in line.split()}


def _compared(
    way: Way,
    made: _Made,
    stricter: Way,
    other: _Made,
    kinds: _Kinds,
    forms: Mapping[str, Sequence[Tokens]],
) -> Tried:
    """What a stricter grammar gains and costs."""
    if "dev" in forms:
        left_out = made.splits["dev"].accepted, other.splits["dev"].accepted
    else:
        some = forms["train"][:_MOST]
        left_out = _left_out(some, way, kinds), _left_out(some, stricter, kinds)
    before, after = made.splits["train"], other.splits["train"]
    proposed = (
        after.accepted == 1
        and after.permitted <= (1 - _GAIN) * before.permitted
        and left_out[1] >= left_out[0] - _COST
    )
    return Tried(stricter, proposed, made.splits, other.splits, left_out)


def _left_out(forms: Sequence[Tokens], way: Way, kinds: _Kinds) -> float:
    """The share accepted of thirds that were left out."""
    accepted = 0.0
    for fold in range(_FOLDS):
        rest = {"test": forms[fold::_FOLDS]}
        learnt = [form for number, form in enumerate(forms) if number % _FOLDS != fold]
        if learnt and rest["test"]:
            made = _Made.of(learnt, way, kinds, rest)
            made = made or _Made.of(learnt, way._replace(scopes=False), kinds, rest)
            assert made is not None, "only scopes may be missing"
            accepted += made.splits["test"].accepted * len(rest["test"])
    return accepted / len(forms)


def without_tree(lines: Sequence[Line], path: Path) -> list[Problem]:
    """A problem for each line whose logical form has no tree, so that nothing can be induced."""
    prefix = is_prefix([line.pair.tokens for line in lines])
    problems: list[Problem] = []
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
