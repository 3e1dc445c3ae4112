"""The order and the number of rows that a follow-up asks for: "lowest first", "make it 20"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from grammax.reading.words import split
from grammax.tables.domain import TableDomain
from grammax.tables.edits.removal import rewritten
from grammax.tables.form.follow_up import conjuncts, follow_up
from grammax.tables.form.tree import And, Atom, Display, LogicalForm, Order, Rank
from grammax.tables.lexicon import INTEGER

_TURNED: Final = re.compile(
    r"(?:reverse|flip|invert|turn)(?:\s+(?:the|it|that|this))?(?:\s+(?:order|sorting|sort|around|"
    r"round))?|(?:in\s+)?reverse(?:d)?(?:\s+order)?|the\s+other\s+(?:way(?:\s+a?round)?|direction)",
    re.IGNORECASE,
)
_ASCENDING: Final = re.compile(
    r"(?:in\s+|sort(?:ed)?\s+)?asc(?:ending)?(?:\s+order)?|(?:the\s+)?(?:lowest|least|fewest)"
    r"(?:\s+\w+)?\s+first|(?:from\s+)?low(?:est)?\s+to\s+high(?:est)?",
    re.IGNORECASE,
)
_DESCENDING: Final = re.compile(
    r"(?:in\s+|sort(?:ed)?\s+)?desc(?:ending)?(?:\s+order)?|(?:the\s+)?(?:highest|most|greatest)"
    r"(?:\s+\w+)?\s+first|(?:from\s+)?high(?:est)?\s+to\s+low(?:est)?",
    re.IGNORECASE,
)
_SORTED: Final = re.compile(
    r"(?:sort|order|rank|arrange)(?:ed)?(?:\s+\w+)?\s+by\b|by\b", re.IGNORECASE
)
_DIRECTION: Final = re.compile(
    r"\b(?:asc|desc|\w*ascending|descending|\w+est|first|low|high|small|up|down|increasing|"
    r"decreasing|least|most|fewest|reverse)\b",
    re.IGNORECASE,
)
_BY: Final = re.compile(r"(?:ranked\s+)?by\b", re.IGNORECASE)
_COUNTING: Final = frozenset(
    ("top", "first", "only", "just", "show", "me", "make", "it", "limit", "to", "the", "result",
     "results", "row", "rows", "of", "them", "those", "these", "best", "give", "list", "see", "a",
     "now", "but", "and", "please", "cut", "at", "instead")
)  # fmt: skip


def turned(form: LogicalForm, text: str) -> LogicalForm | None:
    """The form in the other, or in the given order; None if the text gives none."""
    if _TURNED.fullmatch(text):
        return rewritten(form, lambda atom: _in_order(atom, None))
    if _ASCENDING.fullmatch(text):
        return rewritten(form, lambda atom: _in_order(atom, "ASC"))
    return (
        rewritten(form, lambda atom: _in_order(atom, "DESC"))
        if _DESCENDING.fullmatch(text)
        else None
    )


def _in_order(atom: Atom, order: Order | None) -> Atom:
    """An atom that orders rows, in an order; in the other one, if none is given."""
    if isinstance(atom, Display) and atom.order is not None:
        return replace(atom, order=order or ("ASC" if atom.order == "DESC" else "DESC"))
    if isinstance(atom, Rank):
        down = atom.direction == "bottom" if order is None else order == "DESC"
        return replace(atom, direction="top" if down else "bottom")
    return atom


def counted(domain: TableDomain, form: LogicalForm, text: str) -> LogicalForm | None:
    """The form with another number of rows; None if the text is no number of rows."""
    found = [mention for mention in domain.mentions(text) if mention.one_word]
    if len(found) != 1 or INTEGER not in found[0].kinds:
        return None
    [mention] = found
    around = split(f"{text[: mention.start]} {text[mention.stop :]}".lower())
    if not set(around) <= {*_COUNTING, *(noun.lower() for noun in domain.nouns)}:
        return None
    count = int("".join(dict(mention.readings)[INTEGER]))
    parts = conjuncts(form)
    ranks = [part for part in parts if isinstance(part, Rank)]
    if ranks:
        old = ranks[-1]
        direction = "top" if "top" in around else old.direction
        parts[parts.index(old)] = replace(old, count=count, direction=direction)
        return parts[0] if len(parts) == 1 else And(tuple(parts))
    orders = [p for p in parts if isinstance(p, Display) and p.order is not None]
    if not orders:
        return None
    by = orders[0]
    return follow_up(form, Rank("top" if by.order == "DESC" else "bottom", count, by.field))


def largest_first(domain: TableDomain, said: LogicalForm, text: str) -> LogicalForm:
    """What was said, with the largest first where a column of numbers is sorted by its name."""
    if not _SORTED.match(text) or _DIRECTION.search(text):
        return said
    dates = domain.catalogue.dates or ()
    numbers = domain.catalogue.schema.number_types

    def keeps(atom: Atom) -> Atom:
        if not isinstance(atom, Display) or atom.order is None:
            return atom
        field = domain.catalogue.fields.get(getattr(atom.field, "token", ""))
        is_number = field is not None and field.type in numbers and field.token not in dates
        return replace(atom, order="DESC") if is_number else atom

    return rewritten(said, keeps) or said


def reranked(form: LogicalForm, said: LogicalForm, text: str) -> LogicalForm:
    """What was said, as the rank of the form by another field: "by revenue" of a top 10."""
    ranks = [p for p in conjuncts(form) if isinstance(p, Rank) and p.count is not None]
    orders = isinstance(said, Rank) or (isinstance(said, Display) and said.order is not None)
    if not (ranks and orders and _BY.match(text)) or (isinstance(said, Rank) and said.count):
        return said
    assert isinstance(said, Rank | Display)
    return replace(ranks[-1], field=said.field)
