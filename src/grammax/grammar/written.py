"""A `Grammar` as text: in lark's notation, or in GBNF, for grammax and for other engines.

Other engines read characters, and here a sentence is a sequence of tokens. With a `separator`, the
text describes the characters of a sentence, its tokens joined by the separator. Each token has the
separator before it then, except the first, so the rules that a sentence begins with are written
twice: `x_first` is `x` without the separator before its first token.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grammax.grammar.expand import Rule

Symbols = tuple[str, ...]


class _Symbol(NamedTuple):
    """A rule or a kind; `first` is its form at the beginning of a sentence."""

    name: str
    first: bool = False


@dataclass(frozen=True, slots=True)
class Style:
    """What differs between the notations."""

    start: str
    define: str
    rule: Callable[[str], str]
    kind: Callable[[str], str]


LARK = Style(
    start="start",
    define=": ",
    rule=lambda name: name.lower(),
    kind=lambda name: name.upper(),
)
GBNF = Style(  # llama.cpp has no underscores in names
    start="root",
    define=" ::= ",
    rule=lambda name: name.lower().replace("_", "-"),
    kind=lambda name: f"{name.lower().replace('_', '-')}-token",
)


def written(
    start: str,
    rules: Sequence[Rule],
    kinds: Mapping[str, Sequence[str]],
    style: Style,
    separator: str | None,
) -> str:
    """The rules and the tokens of kinds as text, one definition on each line."""
    return "".join(f"{line}\n" for line in _Writer(start, rules, kinds, style, separator).lines())


class _Writer:
    """Writes one grammar. `_names` has what each symbol is called."""

    def __init__(
        self,
        start: str,
        rules: Sequence[Rule],
        kinds: Mapping[str, Sequence[str]],
        style: Style,
        separator: str | None,
    ) -> None:
        self._start = start
        self._kinds = kinds
        self._style = style
        self._separator = separator
        self._alternatives: dict[str, list[Symbols]] = {}
        for rule in rules:
            self._alternatives.setdefault(rule.name, []).append(rule.symbols)
        self._nullable = _deriving(self._alternatives, all)
        self._filled = _deriving(self._alternatives, any, kinds)  # not only the empty sentence
        self._names: dict[_Symbol, str] = {}
        self._taken: set[str] = set()

    def lines(self) -> Iterator[str]:
        """The start, the rules that can be reached from it, and the kinds with several tokens."""
        begin = _Symbol(self._start, first=bool(self._separator))
        self._names[begin] = self._style.start
        self._taken.add(self._style.start)
        waiting, seen = [begin], {begin}
        while waiting:
            symbol = waiting.pop()
            if symbol.name in self._kinds:
                body = " | ".join(map(self._literal(symbol), self._kinds[symbol.name]))
            else:
                alternatives = self._of(symbol)
                if symbol == begin and self._start in self._nullable:
                    alternatives = dict.fromkeys((*alternatives, ()))
                body = self._choice(alternatives)
                used = dict.fromkeys(part for one in alternatives for part in one)
                fresh = [part for part in used if part not in seen and not self._is_inline(part)]
                seen.update(fresh)
                waiting += reversed(fresh)
            yield f"{self._name(symbol)}{self._style.define}{body}"

    def _of(self, symbol: _Symbol) -> dict[tuple[_Symbol, ...], None]:
        """The alternatives of a rule; in its first form, one for each token that may be first."""
        found: dict[tuple[_Symbol, ...], None] = {}
        for each in self._alternatives[symbol.name]:
            symbols = [name for name in each if name in self._filled]
            if not symbol.first:
                found[tuple(map(_Symbol, symbols))] = None
                continue
            for index, name in enumerate(symbols):
                found[_Symbol(name, first=True), *map(_Symbol, symbols[index + 1 :])] = None
                if name not in self._nullable:
                    break
        return found

    def _choice(self, alternatives: Iterable[tuple[_Symbol, ...]]) -> str:
        texts = [" ".join(map(self._written, symbols)) for symbols in alternatives]
        body = " | ".join(filter(None, texts))
        return body if all(texts) else f"({body})?" if body else '""'

    def _written(self, symbol: _Symbol) -> str:
        if self._is_inline(symbol):
            (token,) = self._kinds[symbol.name]
            return self._literal(symbol)(token)
        return self._name(symbol)

    def _is_inline(self, symbol: _Symbol) -> bool:
        """Whether it is a kind of one token, which is written where it is used."""
        return len(self._kinds.get(symbol.name, ())) == 1

    def _literal(self, symbol: _Symbol) -> Callable[[str], str]:
        before = self._separator if self._separator and not symbol.first else ""
        return lambda token: json.dumps(before + token, ensure_ascii=False)

    def _name(self, symbol: _Symbol) -> str:
        """A name of letters, digits and underscores that nothing else has."""
        found = self._names.get(symbol)
        if found is None:
            plain = re.sub(r"\W+", "_", symbol.name, flags=re.ASCII).strip("_") or "part"
            if not plain[0].isalpha():
                plain = f"part_{plain}"
            if symbol.first:
                plain += "_first"
            named = self._style.kind if symbol.name in self._kinds else self._style.rule
            found, number = named(plain), 1
            while found in self._taken:
                number += 1
                found = named(f"{plain}_{number}")
            self._taken.add(found)
            self._names[symbol] = found
        return found


def _deriving(
    alternatives: Mapping[str, Sequence[Symbols]],
    of: Callable[[Iterable[bool]], bool],
    known: Iterable[str] = (),
) -> set[str]:
    """The names in `known`, and the rules with an alternative of which all, or any, are found."""
    found = set(known)
    while fresh := {
        name
        for name, each in alternatives.items()
        if name not in found and any(of(symbol in found for symbol in one) for one in each)
    }:
        found |= fresh
    return found
