"""Public grammars for the benchmark of engines: those of tree-sitter's parsers, which npm carries.

Each package has its grammar as data (`src/grammar.json`): rules over literals and patterns. A
literal is a token; each pattern and each terminal of an external scanner is a kind with one token.
Precedences are left out, so most of the grammars are ambiguous.

    for name in c java json python rust; do npm pack tree-sitter-$name; done
    npm pack @derekstride/tree-sitter-sql
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grammax import Grammar
from grammax.grammar.expressions import (
    Choice,
    Concatenation,
    Expression,
    Reference,
    Repeat,
    TokenText,
    parts_in_order,
)


def grammars(folder: Path) -> Iterator[tuple[str, Path]]:
    """The name of each grammar below a folder, and its file."""
    for path in sorted(folder.rglob("grammar.json")):
        yield json.loads(path.read_text("utf-8"))["name"], path


def read_grammar(path: Path) -> Grammar:
    """The grammar of a file, without what its `extras` put between tokens."""
    data = json.loads(path.read_text("utf-8"))
    return _Reader(data).grammar()


class _Reader:
    """One file. `_kinds` collects what stands for a terminal: its name → its token."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        self._kinds: dict[str, list[str]] = {}
        self._terminals = {
            name for name, rule in data["rules"].items() if self._is_terminal(rule)
        } | {rule["name"] for rule in data["externals"] if rule["type"] == "SYMBOL"}

    def grammar(self) -> Grammar:
        rules = self._data["rules"]
        start = next(iter(rules))
        read = {
            name: [self._expression(rule)]
            for name, rule in rules.items()
            if name not in self._terminals
        }
        return Grammar.from_rules(read, self._kinds, start=start)

    def _is_terminal(self, rule: dict[str, Any]) -> bool:
        while rule["type"].startswith("PREC") or rule["type"] in ("FIELD", "ALIAS"):
            rule = rule["content"]
        return rule["type"] in ("PATTERN", "TOKEN", "IMMEDIATE_TOKEN")

    def _expression(self, rule: dict[str, Any]) -> Expression:
        match rule["type"]:
            case "STRING":
                return TokenText(rule["value"])
            case "SYMBOL" if rule["name"] in self._terminals:
                return self._kind(rule["name"])
            case "SYMBOL":
                return Reference(rule["name"])
            case "PATTERN" | "TOKEN" | "IMMEDIATE_TOKEN":
                return self._token(rule)
            case "BLANK":
                return Concatenation()
            case "SEQ":
                return parts_in_order(tuple(map(self._expression, rule["members"])))
            case "CHOICE":
                return Choice(tuple(map(self._expression, rule["members"])))
            case "REPEAT":
                return Repeat(self._expression(rule["content"]), 0, None)
            case "REPEAT1":
                return Repeat(self._expression(rule["content"]), 1, None)
            case _:
                return self._expression(rule["content"])

    def _token(self, rule: dict[str, Any]) -> Expression:
        while rule["type"] not in ("STRING", "PATTERN") and "content" in rule:
            rule = rule["content"]
        if rule["type"] == "STRING":
            return TokenText(rule["value"])
        return self._kind(json.dumps(rule))

    def _kind(self, name: str) -> Reference:
        self._kinds.setdefault(f"TOKEN_{name}", [f"<{name}>"])
        return Reference(f"TOKEN_{name}")
