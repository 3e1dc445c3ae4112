"""The paper's automaton, figure 2: M_LF accepts a superset of its LF language.

RCM reads a relational constraint on one of three branches: an unordered enum field takes EQ and any
enum value, a numeric field any operator and a number (FPNM), an ordered enum field any operator and
any enum value. The horizontal path of the NOT, AND and OR machines reads atomic constraints; for a
complex constraint, the machine leaves it for a vertical path, on which atomic constraints,
parentheses and connectives come in any order. Times, ranks, units and fields as values are not
covered. The paper's arcs are labelled RCM where its figure 1 also has display constraints; here
they read either.
"""

from __future__ import annotations

from typing import Any, Literal

from grammax.automaton import BoundAutomaton, Dfa, Machine
from grammax.automaton.finite.machines import Arc, Label
from grammax.tables import lexicon as words
from grammax.tables.automata import machine_automaton, table_automaton
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.grammar import field_kind, value_kind
from grammax.tables.lexicon import Lexicon
from grammax.vocabulary import Vocabulary

EquityGrammar = Literal["paper", "superset", "unrolled", "lr"]
_ANY_OPERATOR: Label = ("EQ", "NEQ", "COMPARISON")


def paper(lexicon: Lexicon, vocabulary: Vocabulary) -> Dfa:
    """M_LF as a minimal automaton, over the kinds of `tables.grammar.kinds(lexicon)`."""
    return m_lf(lexicon).dfa(vocabulary)


def equity_automaton(
    catalogue: Catalogue, grammar: EquityGrammar = "lr", typed: bool = True
) -> BoundAutomaton[Any]:
    """One of the automata of equity search: the paper's, untyped, or one derived from rules."""
    if grammar == "paper":
        return machine_automaton(catalogue, "paper", paper)
    return table_automaton(catalogue, grammar, typed)


def automata(catalogue: Catalogue) -> dict[str, BoundAutomaton[Any]]:
    """All of them by name, from loosest to tightest, over one vocabulary."""
    made: tuple[EquityGrammar, ...] = ("superset", "unrolled", "lr")
    names = {
        f"{grammar} {types}": (grammar, types == "typed")
        for types in ("untyped", "typed")
        for grammar in made
    }
    by_rules = {name: equity_automaton(catalogue, *which) for name, which in names.items()}
    return {"paper": equity_automaton(catalogue, "paper"), **by_rules}


def m_lf(lexicon: Lexicon) -> Machine:
    """The union of the atomic machines and the three for the connectives."""
    atom = rcm(lexicon) | display_machine(lexicon)
    return atom | not_machine(atom) | and_machine(atom) | or_machine(atom)


def fpnm() -> Machine:
    """Floating point numbers, restricted: a sign, digits, and digits after a point."""
    arcs: tuple[Arc, ...] = (
        (0, words.MINUS, 1),
        (0, "DIGIT", 2),
        (1, "DIGIT", 2),
        (2, "DIGIT", 2),
        (2, words.POINT, 3),
        (3, "DIGIT", 4),
        (4, "DIGIT", 4),
    )
    return Machine("FPNM", arcs, {2, 4})


def rcm(lexicon: Lexicon) -> Machine:
    """Relational constraints, state by state as in the figure."""
    unordered = tuple(field_kind(enum) for enum in lexicon.enums if not enum.ordered)
    ordered = tuple(field_kind(enum) for enum in lexicon.enums if enum.ordered)
    numeric = tuple(field_kind(number) for number in lexicon.numbers)
    values = tuple(value_kind(enum) for enum in lexicon.enums)
    arcs: tuple[Arc, ...] = (
        (0, words.OPEN, 1),
        (1, unordered, 2),
        (2, "EQ", 3),
        (3, values, 8),
        (1, numeric, 4),
        (4, _ANY_OPERATOR, 5),
        (5, fpnm(), 8),
        (1, ordered, 6),
        (6, _ANY_OPERATOR, 7),
        (7, values, 8),
        (8, words.CLOSE, 9),
    )
    return Machine("RCM", arcs, {9})


def display_machine(lexicon: Lexicon) -> Machine:
    """Display constraints: a column, and optionally its order."""
    fields = tuple(field_kind(type_) for type_ in lexicon.types)
    arcs: tuple[Arc, ...] = (
        (0, words.OPEN, 1),
        (1, words.DISPLAY, 2),
        (2, fields, 3),
        (3, "ORDER", 4),
        (3, words.CLOSE, 5),
        (4, words.CLOSE, 5),
    )
    return Machine("DISPLAY", arcs, {5})


def or_machine(atom: Machine) -> Machine:
    """OR takes two constraints; the states are the figure's."""
    arcs: tuple[Arc, ...] = (
        (0, words.OPEN, 1),
        (1, "OR", 2),
        (2, atom, 3),
        (3, atom, 4),
        (4, words.CLOSE, 5),
        *_vertical(atom, 2, 6, 7),
        *_vertical(atom, 3, 8, 9),
    )
    return Machine("OR", arcs, {5, 7, 9})


def and_machine(atom: Machine) -> Machine:
    """AND takes two constraints or more."""
    arcs: tuple[Arc, ...] = (
        (0, words.OPEN, 1),
        (1, "AND", 2),
        (2, atom, 3),
        (3, atom, 4),
        (4, atom, 4),
        (4, words.CLOSE, 5),
        *_vertical(atom, 2, 6, 7),
        *_vertical(atom, 3, 8, 9),
        *_vertical(atom, 4, 10, 11),
    )
    return Machine("AND", arcs, {5, 7, 9, 11})


def not_machine(atom: Machine) -> Machine:
    """NOT takes one constraint."""
    arcs: tuple[Arc, ...] = (
        (0, words.OPEN, 1),
        (1, "NOT", 2),
        (2, atom, 3),
        (3, words.CLOSE, 4),
        *_vertical(atom, 2, 5, 6),
    )
    return Machine("NOT", arcs, {4, 6})


def _vertical(atom: Machine, source: int, middle: int, loop: int) -> tuple[Arc, ...]:
    """The superset path for a complex constraint where an atomic one was expected."""
    anything: Label = (atom, words.OPEN, words.CLOSE, *words.CONNECTIVES)
    return (
        (source, words.OPEN, middle),
        (middle, words.CONNECTIVES, loop),
        (loop, anything, loop),
    )
