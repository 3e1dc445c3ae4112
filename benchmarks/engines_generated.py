"""Generated grammars with as many rules as asked for, for the benchmark of compiling.

`statements` looks like a dialect of SQL: statements of clauses, clauses within clauses, a few
ambiguous rules of expressions that all of them share, keywords that are names, too. `forms` is a
typed language as tables have it: thousands of fields, each with its own operators and its own kind
of values, so two rules of three have kinds that no other rule has.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from grammax import Grammar
from grammax.grammar import many, optional, some, token
from grammax.grammar.expressions import Part

Rules = dict[str, list[Part]]


def statements(rules: int) -> Grammar:
    """About so many plain rules, a twelfth of them statements; ambiguous."""
    random, count = Random(1), rules // 17
    words = [f"KW{number}" for number in range(max(200, rules // 14))]

    def word() -> Part:
        return token(random.choice(words))

    def clause() -> str:
        return f"clause{random.randrange(2 * count)}"

    found: Rules = {
        "start": [[some("statement", token(";"))]],
        "statement": [[f"statement{number}"] for number in range(count)],
        "name": [["ID"], ["name", token("."), "ID"], *([token(one)] for one in words[::3])],
        "expression": [
            ["expression", token("+"), "expression"],
            ["expression", token("AND"), "expression"],
            [token("("), "expression", token(")")],
            [token("("), "statement", token(")")],
            ["name", token("("), many("expression", token(",")), token(")")],
            ["name"],
            ["NUMBER"],
        ],
    }
    for number in range(count):
        begin: list[Part] = [token(words[number % len(words)]), word(), "name"]
        end = optional(token("("), "expression", token(")"))
        found[f"statement{number}"] = [[*begin, optional(clause()), many(clause()), end]]
    for number in range(2 * count):
        found[f"clause{number}"] = [[word(), "name"], [word(), "expression"]]
        if random.random() < 0.4:
            inner: list[Part] = [clause(), many(token(","), clause())]
            found[f"clause{number}"].append([word(), token("("), *inner, token(")")])
    kinds = {"ID": [f"id{number}" for number in range(50)], "NUMBER": ["1", "2"]}
    return Grammar.from_rules(found, kinds, start="start")


def forms(rules: int) -> Grammar:
    """So many plain rules, of a third as many fields with a kind of values each."""
    count = rules // 3
    found: Rules = {
        "start": [
            [token("("), token("AND"), "start", "start", token(")")],
            [token("("), token("NOT"), "start", token(")")],
            *([f"field{number}"] for number in range(count)),
        ]
    }
    kinds: dict[str, list[str]] = {}
    for number in range(count):
        field, value = f"FIELD{number}", f"VALUE{number}"
        found[f"field{number}"] = [
            [token("("), field, token("EQ"), value, token(")")],
            [token("("), field, token("IN"), value, value, token(")")],
        ]
        kinds[field] = [f"f{number}"]
        kinds[value] = [f"v{number}.{index}" for index in range(5)]
    return Grammar.from_rules(found, kinds, start="start")


SHAPES: dict[str, Callable[[int], Grammar]] = {"statements": statements, "forms": forms}
