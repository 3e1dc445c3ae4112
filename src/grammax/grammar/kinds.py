"""Kinds and their tokens, from the grammar, a table or code; overlapping kinds are split."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

from grammax.errors import GrammarError, Location, Problem, VocabularyError
from grammax.grammar.check import references
from grammax.grammar.draft import Draft, KindDefinition
from grammax.grammar.expand import Rule, show
from grammax.grammar.expressions import (
    Choice,
    Concatenation,
    Expression,
    Pattern,
    Reference,
    Repeat,
    TokenText,
)
from grammax.grammar.patterns import Selector, pattern_locations, selected, written
from grammax.vocabulary.vocabulary import check_tokens

Tokens = dict[str, tuple[str, ...]]


def read_tokens(path: Path) -> Tokens:
    """Kind → tokens from a table with the columns `token` and `kind`.

    A `.csv` file is separated by commas, any other by tabs. Other columns are ignored.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return _read_rows(path, file)
    except UnicodeDecodeError as error:
        message = f"{path}: byte {error.start} is not UTF-8; save it as UTF-8"
        raise VocabularyError(message) from None
    except csv.Error as error:
        raise VocabularyError(f"{path} cannot be read as CSV: {error}; a TSV file may do") from None


def _read_rows(path: Path, file: Iterable[str]) -> Tokens:
    as_csv = path.suffix.lower() == ".csv"
    rows = csv.reader(file) if as_csv else (line.rstrip("\r\n").split("\t") for line in file)
    header: list[str] = next(iter(rows), [])
    if not header:
        raise VocabularyError(
            f"{path}: the file is empty; its first line must name the columns, 'token' and 'kind' "
            f"among them, separated by {'commas' if as_csv else 'tabs'}"
        )
    if "token" not in header or "kind" not in header:
        raise VocabularyError(
            f"{path}:1: the first line is {header!r}; it must name the columns, 'token' and 'kind' "
            f"among them, separated by {'commas' if as_csv else 'tabs'}"
        )
    token_at, kind_at = header.index("token"), header.index("kind")
    found: dict[str, list[str]] = {}
    for number, row in enumerate(rows, start=2):
        if not any(row):
            continue
        if len(row) <= max(token_at, kind_at) or not row[token_at] or not row[kind_at]:
            raise VocabularyError(f"{path}:{number}: a token and a kind are needed, not {row!r}")
        found.setdefault(row[kind_at], []).append(row[token_at])
    return {kind: tuple(tokens) for kind, tokens in found.items()}


def resolve_kinds(
    draft: Draft,
    rules: Sequence[Rule],
    given: Mapping[str, Iterable[str]],
    vocabulary: Iterable[str] | None = None,
) -> tuple[Tokens, list[Problem]]:
    """Every kind that the rules or the draft name, with its tokens.

    A pattern selects tokens of the vocabulary. If there is none, a kind without tokens (a pattern,
    a bare `%declare`) gets one token, its own name, so that a grammar can be checked, sampled and
    drawn before its vocabulary exists.
    """
    problems: list[Problem] = []
    definitions = {kind.name: kind for kind in draft.kinds}
    lists: Tokens = {}
    for name, listed in given.items():
        members = tuple(listed)
        where = definitions[name].location if name in definitions else Location(draft.file)
        _check_members(name, members, where)
        lists[name] = tuple(dict.fromkeys(members))
    spelt = _TokensSpeltOut(definitions, lists, any_case=vocabulary is None)
    tokens: Tokens = {}
    rule_names = {rule.name for rule in rules}
    used = set(chain.from_iterable(rule.symbols for rule in rules))
    expressions = {kind.name: kind.expression for kind in definitions.values()}
    selector = None if vocabulary is None else Selector(vocabulary, expressions, lists)

    def select(kind: KindDefinition) -> tuple[str, ...]:
        """The tokens of a kind that is not spelt out."""
        if kind.name in lists:
            message = f"the kind {kind.name} is given an empty list of tokens"
            hint = "A grammar that permits it would lead into a dead end: give it a token."
            problems.append(Problem("empty-kind", message, hint, kind.location))
            return (kind.name,)
        if selector is None or kind.expression is None or kind.name not in used:
            return _placeholder(kind, problems)
        found, problem = selected(selector.select, kind.name, kind.expression, kind.location)
        problems.extend([problem] if problem else [])
        return found or (kind.name,)

    for kind in definitions.values():
        tokens[kind.name] = spelt.tokens_of(kind.name) or select(kind)
    locations = pattern_locations(draft)
    if vocabulary is None:
        problems += [_as_written(*found) for found in locations.items() if found[0][0] == '"']
    for symbol in dict.fromkeys(chain.from_iterable(rule.symbols for rule in rules)):
        if symbol in tokens or symbol in rule_names:
            continue
        if symbol in locations and vocabulary is None and symbol.startswith('"'):
            tokens[symbol] = (written(symbol),)
        elif symbol in locations:
            where = locations[symbol]
            tokens[symbol] = select(KindDefinition(symbol, Pattern(symbol, where), where))
        elif symbol.startswith('"'):
            tokens[symbol] = (_unquoted(symbol),)
            _check_members(symbol, tokens[symbol], Location(draft.file))
        elif lists.get(symbol):
            tokens[symbol] = lists[symbol]
    for name in lists:
        if name not in tokens:
            problems.append(
                Problem(
                    "unused-kind",
                    f"tokens are given for the kind {name}, which the grammar does not use",
                    f"Use {name} in a rule, or leave its tokens out.",
                    Location(draft.file),
                    "warning",
                )
            )
    return tokens, problems


def split_kinds(tokens: Mapping[str, Sequence[str]]) -> tuple[Tokens, dict[str, tuple[str, ...]]]:
    """Disjoint kinds, and for each kind that was split the kinds that make it up.

    >>> split_kinds({"COUNTRY": ["FRANCE", "PERU"], "PLACE": ["PERU", "PARIS"]})[1]
    {'COUNTRY': ('COUNTRY∖PLACE', 'COUNTRY∩PLACE'), 'PLACE': ('COUNTRY∩PLACE', 'PLACE∖COUNTRY')}
    """
    # Nothing overlaps: the usual case, decided without looking at single tokens.
    if len(set(chain.from_iterable(tokens.values()))) == sum(map(len, tokens.values())):
        return {kind: tuple(members) for kind, members in tokens.items()}, {}
    owners: dict[str, tuple[str, ...]] = {}
    for kind, members in tokens.items():
        for token in dict.fromkeys(members):
            owners[token] = (*owners.get(token, ()), kind)
    shared: dict[tuple[str, ...], list[str]] = {}
    for token, kinds in owners.items():
        shared.setdefault(kinds, []).append(token)
    parts: dict[str, list[tuple[str, ...]]] = {kind: [] for kind in tokens}
    for kinds in shared:
        for kind in kinds:
            parts[kind].append(kinds)
    names = _names_of_parts(shared, parts)
    finer = {names[kinds]: tuple(members) for kinds, members in shared.items()}
    made_of = {kind: tuple(names[kinds] for kinds in of) for kind, of in parts.items()}
    return finer, {kind: of for kind, of in made_of.items() if of != (kind,)}


def _names_of_parts(
    shared: Mapping[tuple[str, ...], object], parts: Mapping[str, Sequence[tuple[str, ...]]]
) -> dict[tuple[str, ...], str]:
    """A part that is a whole kind has its name; the names of others say how kinds overlap."""
    names: dict[tuple[str, ...], str] = {}
    for kinds in shared:
        whole = [kind for kind in kinds if len(parts[kind]) == 1]
        if whole:
            names[kinds] = next((k for k in whole if not k.startswith(('"', "/"))), whole[0])
        elif len(kinds) > 1:
            names[kinds] = "∩".join(kinds)
        else:
            others = dict.fromkeys(k for part in parts[kinds[0]] for k in part if k != kinds[0])
            names[kinds] = "∖".join((kinds[0], *others))
    return names


class _TokensSpeltOut:
    """The tokens of kinds that have a table, or whose definition only lists tokens."""

    def __init__(
        self,
        definitions: Mapping[str, KindDefinition],
        given: Mapping[str, tuple[str, ...]],
        any_case: bool,
    ) -> None:
        self._any_case = any_case  # whether `"x"i` stands for the one token that is written
        self._expressions = {d.name: d.expression for d in definitions.values() if d.expression}
        self._known: dict[str, tuple[str, ...] | None] = {k: v for k, v in given.items() if v}

    def tokens_of(self, name: str) -> tuple[str, ...] | None:
        """The tokens of a kind, or None; a loop, since kinds may be defined by other kinds."""
        waiting, entered = [name], set()
        while waiting:
            here = waiting[-1]
            expression = self._expressions.get(here)
            if here in self._known or expression is None:
                waiting.pop()
            elif here in entered:
                found = self._tokens(expression)
                self._known[here] = None if found is None else tuple(dict.fromkeys(found))
            else:
                entered.add(here)
                waiting += [use.name for use in references(expression)]
        return self._known.get(name)

    def _tokens(self, expression: Expression) -> Iterable[str] | None:
        match expression:
            case TokenText(text):
                return (text,)
            case Reference(name):
                return self._known.get(name)
            case Choice(options):
                inner = [self._tokens(option) for option in options]
                spelt = [tokens for tokens in inner if tokens is not None]
                return chain.from_iterable(spelt) if len(spelt) == len(inner) else None
            case Pattern(text) if self._any_case and text.startswith('"'):
                return (written(text),)
            case Pattern() | Concatenation() | Repeat():
                return None


def _check_members(kind: str, members: Sequence[str], location: Location) -> None:
    try:
        check_tokens(members)
    except VocabularyError as error:
        shown = kind.encode(errors="backslashreplace").decode()
        message = f"in the kind {shown}, {error}"
        hint = "A token is a text of one character or more."
        raise GrammarError(Problem("bad-token", message, hint, location)) from None


def _placeholder(kind: KindDefinition, problems: list[Problem]) -> tuple[str, ...]:
    why = f"it is {show(kind.expression)[:60]}" if kind.expression else "it is only declared"
    token = written(kind.name)
    problems.append(
        Problem(
            "open-kind",
            f"the tokens of the kind {kind.name} are not given ({why})",
            f"Until a table, a vocabulary or code gives them, it stands for the token {token!r}.",
            kind.location,
            "warning",
        )
    )
    return (token,)


def _as_written(pattern: str, location: Location) -> Problem:
    return Problem(
        "open-kind",
        f"{pattern} stands for the one token {written(pattern)!r}, in this case only",
        "Give a vocabulary, whose tokens are then selected in upper, lower and mixed case.",
        location,
        "warning",
    )


def _unquoted(name: str) -> str:
    return str(json.loads(name))
