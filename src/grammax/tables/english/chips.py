"""Labels and roles of the tokens of a logical form, for display."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, final

from grammax.language.capabilities import Chip, Role
from grammax.language.filling import slots
from grammax.tables import lexicon
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.english.wordings import FIXED_WORDINGS
from grammax.tables.form.operands import unquoted
from grammax.vocabulary import Vocabulary


def _slot_names(name: str, *kinds: str) -> dict[str, str]:
    """The same name for all slots of some kinds, which a query fills."""
    return dict.fromkeys((each for kind in kinds for each in slots(kind)), name)


_LABELS: Final = {
    "EQ": "is",
    "NEQ": "is not",
    "LS": "less than",
    "LE": "at most",
    "GR": "more than",
    "GE": "at least",
    "AND": "all of",
    "OR": "any of",
    "NOT": "not",
    lexicon.CONTAINS: "contains",
    "display": "show",
    "ASC": "ascending",
    "DESC": "descending",
    "PCT": "%",
    "LAST": "last",
    "FY": "fiscal year",
    "ratio": "ratio of",
    lexicon.ZERO: "zero",
    **_slot_names("number", lexicon.NUMBER, lexicon.LARGE_NUMBER),
    **_slot_names("amount", lexicon.AMOUNT),
    **_slot_names("percentage", lexicon.PERCENT_NUMBER),
    **_slot_names("count", lexicon.INTEGER),
    **_slot_names("time", lexicon.TIME),
    **_slot_names("text", lexicon.TEXT),
}
_OF_DATES: Final = {"LS": "before", "LE": "until", "GR": "after", "GE": "from"}
_ROLES: Final[dict[str, Role]] = {
    **dict.fromkeys((*lexicon.EQUALITY, *lexicon.COMPARISON, lexicon.CONTAINS), "operator"),
    **dict.fromkeys((*lexicon.DIGITS, lexicon.MINUS, lexicon.POINT), "number"),
    **dict.fromkeys((*lexicon.DENOMINATIONS, *lexicon.PERCENTAGES), "unit"),
    **dict.fromkeys((*lexicon.QUARTERS, *lexicon.MONTHS, *lexicon.UNITS), "time"),
    **dict.fromkeys((lexicon.LAST, lexicon.FISCAL_YEAR), "time"),
    **dict.fromkeys(lexicon.RANKS, "rank"),
    **dict.fromkeys(lexicon.ORDERS, "order"),
    **dict.fromkeys((*lexicon.AGGREGATES, lexicon.BY), "aggregate"),
    **dict.fromkeys((lexicon.RATIO, lexicon.CHANGE), "aggregate"),
    **dict.fromkeys((*lexicon.CONNECTIVES, lexicon.DISPLAY), "connective"),
    **dict.fromkeys((lexicon.OPEN, lexicon.CLOSE), "bracket"),
    **{each: "number" for kind in lexicon.FILLED for each in slots(kind)},
    **dict.fromkeys(slots(lexicon.TIME), "time"),
    lexicon.ZERO: "number",
}  # fmt: skip


class _Known(NamedTuple):
    label: str
    kind: str
    role: Role


@final
class Chips:
    """Labels and roles, cached."""

    def __init__(self, catalogue: Catalogue, vocabulary: Vocabulary) -> None:
        self._catalogue = catalogue
        self._vocabulary = vocabulary
        self._known: dict[str, _Known] = {}

    def label(self, token: str) -> str:
        """The name of a token for display."""
        return self._find(token).label

    def chips(self, tokens: Sequence[str]) -> list[Chip]:
        """Each token with its role; digits within a field's parentheses belong to a time."""
        found: list[Chip] = []
        depth, time_depth = 0, -1
        before: Role = "bracket"
        dates = self._catalogue.dates or ()
        is_date = False
        for token in tokens:
            label, kind, role = self._known.get(token) or self._find(token)
            if role == "field":
                is_date = token in dates
            elif is_date and role == "operator":
                label = _OF_DATES.get(token, label)
            if token == lexicon.CLOSE:
                depth -= 1
                if depth == time_depth:
                    time_depth = -1
            elif time_depth >= 0 and role == "number":
                role = "time"
            found.append(Chip(token, label, kind, role, depth))
            if token == lexicon.OPEN:
                if before == "field":
                    time_depth = depth
                depth += 1
            before = role
        return found

    def _find(self, token: str) -> _Known:
        found = self._known.get(token)
        if found is None:
            number = self._vocabulary.kind_of(token)
            kind = "" if number is None else self._vocabulary.kinds[number].strip('"')
            found = _Known(self._label(token), kind, self._role(token))
            if unquoted(token) is None:  # there is no end of texts
                self._known[token] = found
        return found

    def _label(self, token: str) -> str:
        if token in _LABELS:
            return _LABELS[token]
        text = unquoted(token)
        if text is not None:
            return f"“{text}”"
        if token in self._catalogue:
            return self._catalogue.wordings(token)[0]
        return FIXED_WORDINGS.get(token, (token,))[0]

    def _role(self, token: str) -> Role:
        if token in self._catalogue.fields:
            return "field"
        if token in self._catalogue.units:
            return "unit"
        return _ROLES.get(token, "value")
