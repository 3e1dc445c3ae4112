"""A logical form in English, to show how a query was understood.

NOT is pushed inside and nested ANDs and ORs are flattened, so that the sentence consists of simple
clauses. Where "and" and "or" still alternate, parentheses group them. Ranks in the outermost AND
select, one after the other, from the rows that satisfy the rest; aggregates there summarise them.
The implementation uses a stack instead of recursion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from grammax.tables.english.clauses import Clause, Clauses, Signed
from grammax.tables.english.phrases import listed
from grammax.tables.english.summaries import Summaries, Summary
from grammax.tables.form.judgement import CatalogueView
from grammax.tables.form.tree import And, Display, LogicalForm, Not, Or, Rank


def paraphrase(lf: LogicalForm, names: CatalogueView) -> str:
    """A logical form in English: "films directed by Agnès Varda, showing year"."""
    clauses = Clauses(names)
    pieces: list[str] = []
    waiting = list(reversed(_sentence(lf, clauses, Summaries(names), names.schema.entity.plural)))
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            pieces.append(item)
        else:
            waiting.extend(reversed(_joined(_units(item, clauses), item.word)))
    return "".join(pieces)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Constraints that "and" or "or" joins."""

    word: str
    members: tuple[Signed, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Unit:
    """A clause in pieces; `plain` where it can stand right after the noun."""

    plain: str
    relative: tuple[_Piece, ...]
    is_group: bool = False


_Piece = str | _Group


def _sentence(lf: LogicalForm, clauses: Clauses, summaries: Summaries, plural: str) -> list[_Piece]:
    """Rows, or a summary of them, with the columns and the order of the answer."""
    lf, sign = _signed(lf)
    group = _group(lf, sign)
    members = group.members if group.word == "and" else ((lf, sign),)
    columns = [node for node, sign in members if sign and isinstance(node, Display)]
    members = tuple(one for one in members if not (one[1] and isinstance(one[0], Display)))
    summary = Summary.of(members)
    if summary is None:
        return [*_entities(members, clauses, plural), *clauses.shown(columns)]
    rows = _entities(summary.rest, clauses, plural, summarised=True)
    by = summaries.by(summary)
    pieces: list[_Piece] = [summaries.lead(summary), *rows]
    if by:
        pieces.append(f"{', ' if len(rows) > 1 or summary.rest else ' '}{by}")
    return [*pieces, *summaries.of_groups(summary), *clauses.shown(columns)]


def _entities(
    members: Sequence[Signed], clauses: Clauses, plural: str, summarised: bool = False
) -> list[_Piece]:
    """ "the 10 largest films by box office among those from France" """
    ranks = [node for node, sign in members if sign and isinstance(node, Rank)]
    rest = [(node, sign) for node, sign in members if not (sign and isinstance(node, Rank))]
    units = _units(_Group("and", tuple(rest)), clauses)
    last = ranks.pop() if ranks and ranks[-1].count is None and not summarised else None
    if ranks:
        chosen = " among ".join(clauses.ranked(rank) for rank in reversed(ranks))
        lead = f"{chosen} among those" if units else chosen
    else:
        lead = plural if units or last or summarised else f"all {plural}"
    pieces: list[_Piece] = [lead, *_modifiers(units)]
    if last:
        pieces.append(f"{', ' if units or ranks else ' '}{clauses.first(last)}")
    return pieces


def _modifiers(units: Sequence[_Unit]) -> list[_Piece]:
    """The modifiers after the noun: short phrases first, negated ones later, clauses last."""
    plain = sorted((unit.plain for unit in units if unit.plain), key=_is_negated)
    relatives = [unit for unit in units if not unit.plain]
    found: list[list[_Piece]] = [[phrase] for phrase in plain]
    if relatives:
        found.append(_joined(relatives, "and", brackets=len(units) > 1))
    long = any(" or " in phrase or _is_negated(phrase) for phrase in plain)
    commas = len(found) > 2 or any("," in phrase for phrase in plain) or (len(plain) > 1 and long)
    pieces: list[_Piece] = []
    for number, phrase in enumerate(found):
        pieces += (", " if commas and number else " ", *phrase)
    return pieces


def _is_negated(phrase: str) -> bool:
    return phrase.startswith("not ")


def _joined(units: Sequence[_Unit], word: str, brackets: bool = True) -> list[_Piece]:
    """Relative clauses with commas and a last `word`, groups among them in parentheses."""
    pieces: list[_Piece] = []
    for number, unit in enumerate(units):
        if number:
            pieces.append(f" {word} " if number == len(units) - 1 else ", ")
        inside = unit.is_group and brackets
        pieces += ("(", *unit.relative, ")") if inside else unit.relative
    return pieces


def _units(group: _Group, clauses: Clauses) -> list[_Unit]:
    """The members as clauses, one per field."""
    found: list[_Unit] = []
    for clause in clauses.state(group.members, group.word):
        if isinstance(clause, Clause):
            found.append(_Unit(clause.plain, (clause.relative,)))
        else:
            found.append(_unit(_group(*clause), clauses))
    return found


def _unit(group: _Group, clauses: Clauses) -> _Unit:
    """A group within a group: "either A or B" if it is short, in parentheses otherwise."""
    if all(not isinstance(node, And | Or) for node, _ in group.members):
        found = [c for c in clauses.state(group.members, group.word) if isinstance(c, Clause)]
        short = [clause.plain for clause in found]
        if len(found) == 1:
            return _Unit(short[0], (found[0].relative,))
        both = "either" if group.word == "or" else "both" if len(short) == 2 else ""
        if both and all(short) and not any("," in phrase for phrase in short):
            plain = f"{both} {listed(short, group.word)}"
            return _Unit(plain, (f"that are {plain}",))
    return _Unit("", (group,), is_group=True)


def _signed(lf: LogicalForm, sign: bool = True) -> Signed:
    """The constraint inside any number of NOTs, and whether it is affirmed."""
    while isinstance(lf, Not):
        lf, sign = lf.part, not sign
    return lf, sign


def _group(lf: LogicalForm, sign: bool) -> _Group:
    """A constraint as one flat list: NOT (AND a b) is "not a or not b"."""
    if not isinstance(lf, And | Or):
        return _Group("and", ((lf, sign),))
    found: list[Signed] = []
    waiting = [(part, sign) for part in reversed(lf.parts)]
    word = _word(lf, sign)
    while waiting:
        node, sign = _signed(*waiting.pop())
        if isinstance(node, And | Or) and _word(node, sign) == word:
            waiting.extend((part, sign) for part in reversed(node.parts))
        else:
            found.append((node, sign))
    return _Group(word, tuple(found))


def _word(lf: And | Or, sign: bool) -> str:
    return "and" if isinstance(lf, And) is sign else "or"
