"""Conditions as people write them: "gross > 100m" → `( FLD_GROSS GR 1 0 0 MILLION )`.

A condition is a column, an operator and a value; several are joined by "and" or by "or". Columns
and values have any of their names. A logical form is read, too, if it is a condition on rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, final

from grammax.errors import GrammaxError
from grammax.language.domain import Tokens
from grammax.language.phrases import and_parts
from grammax.reading.words import joined, split
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.entries import Field
from grammax.tables.filling import written_pieces
from grammax.tables.form.text import from_tokens, read, to_tokens
from grammax.tables.form.tree import Aggregate, Relational
from grammax.tables.form.typecheck import require_well_typed
from grammax.tables.form.walk import placed
from grammax.tables.mentions.typed import Mentions, Written, readings
from grammax.text import did_you_mean, nearest

_SIGNS: Final = {
    ">=": "GE", "≥": "GE", "at least": "GE", "from": "GE", "since": "GE", "minimum": "GE",
    "<=": "LE", "≤": "LE", "at most": "LE", "up to": "LE", "maximum": "LE",
    "!=": "NEQ", "≠": "NEQ", "<>": "NEQ", "not": "NEQ",
    ">": "GR", "over": "GR", "above": "GR", "more than": "GR", "greater than": "GR", "after": "GR",
    "<": "LS", "under": "LS", "below": "LS", "less than": "LS", "before": "LS",
    "==": "EQ", "=": "EQ", "equals": "EQ", "in": "EQ",
}  # fmt: skip
_SIGN: Final = re.compile(
    rf"(?:(?:is|are)\b\s*)?(?:(?P<sign>{'|'.join(re.escape(s) for s in _SIGNS if not s.isalpha())}"
    rf"|(?:{'|'.join(s for s in _SIGNS if s[0].isalpha())})\b)\s*)?",
    re.IGNORECASE,
)
_CONNECTIVE: Final = re.compile(r"\s+(and|or)\s+", re.IGNORECASE)
_WORD_END: Final = re.compile(r"(?<=\w)(?!\w)|(?<=[^\w\s])(?=\s)")
_BETWEEN: Final = re.compile(r"(?:is\s+)?between\s+(.+?)\s+and\s+(.+)", re.IGNORECASE)
_EXAMPLE: Final = 'Write a column, an operator and a value: "price > 100", "country is France".'
_FEW: Final = 12


class BadCondition(GrammaxError):
    """A text that is not a condition on the rows of a table."""

    def __init__(self, text: str, problem: str) -> None:
        super().__init__(f"{text!r} is not a condition: {problem}")
        self.text, self.problem = text, problem


class NoSuchValue(BadCondition):
    """A condition on a value that the column does not have, or not any more."""


def read_condition(
    text: str, catalogue: Catalogue, mentions: Mentions, written: Written = written_pieces
) -> Tokens:
    """The tokens of a condition; `mentions` finds the numbers and times in a text.

    `written` puts what was mentioned in place of slots, in the unit of the column.

    Raises `BadCondition`, which says what is permitted.
    """
    given = " ".join(text.split())
    if given.startswith("("):
        try:
            form = to_tokens(read(given, catalogue))
        except GrammaxError as error:
            raise BadCondition(text, str(error)) from error
    else:
        form = _Reader(catalogue, mentions, text, written).read(given)
    _require_condition(text, form, catalogue)
    return form


def _require_condition(text: str, form: Tokens, catalogue: Catalogue) -> None:
    """Raise unless a form is well typed, and selects rows by their values."""
    try:
        tree = from_tokens(form, catalogue)
        require_well_typed(tree, catalogue)
    except GrammaxError as error:
        raise BadCondition(text, str(error)) from error
    for atom, _ in placed(tree):
        if not isinstance(atom, Relational) or isinstance(atom.field, Aggregate):
            raise BadCondition(
                text, f"{atom} does not compare a column of a row with a value. {_EXAMPLE}"
            )


@final
class _Reader:
    """Reads one text."""

    def __init__(
        self, catalogue: Catalogue, mentions: Mentions, text: str, written: Written
    ) -> None:
        self._catalogue, self._mentions, self._text = catalogue, mentions, text
        self._written = written
        self._fields = {
            _plain(name): field
            for token, field in catalogue.fields.items()
            for name in (
                token,
                *reversed((field.name, *field.aliases)),
                _own_name(token, catalogue),
            )
        }

    def read(self, given: str) -> Tokens:
        conditions, connectives = self._pieces(given)
        forms = [self._condition(each) for each in conditions]
        if len(forms) == 1:
            return forms[0]
        if len({*connectives}) > 1:
            raise self._bad('it has both "and" and "or". Write a logical form: (OR (...) (...)).')
        if connectives[0] == "AND":
            parts = [part for form in forms for part in and_parts(form)]
            return ("(", "AND", *(token for part in parts for token in part), ")")
        made = forms[-1]
        for form in reversed(forms[:-1]):  # OR joins two
            made = ("(", "OR", *form, *made, ")")
        return made

    def _pieces(self, given: str) -> tuple[list[str], list[str]]:
        """The conditions, and what joins them; "and" may be part of a value or of a range."""
        first, *rest = _CONNECTIVE.split(given)
        conditions, connectives = [first], []
        for connective, piece in zip(rest[::2], rest[1::2], strict=True):
            if self._column(piece) is None:
                conditions[-1] += f" {connective} {piece}"
            else:
                conditions.append(piece)
                connectives.append(connective.upper())
        return conditions, connectives

    def _column(self, text: str) -> tuple[Field, str] | None:
        """The column that a text begins with, by its longest name, and what follows it."""
        for word in reversed(list(_WORD_END.finditer(text))):
            field = self._fields.get(_plain(text[: word.start()]))
            if field is not None:
                return field, text[word.start() :].strip()
        return None

    def _condition(self, text: str) -> Tokens:
        negated = text[:4].lower() == "not "
        found = self._column(text[4:] if negated else text)
        if found is None:
            labels = [field.name.lower() for field in self._catalogue.fields.values()]
            close = did_you_mean(nearest(text.split(" ")[0], labels), sentence=True)
            raise self._bad(
                f"{text!r} does not begin with the name of a column. {close} The columns are "
                f"{_listed(labels)}. {_EXAMPLE}"
            )
        field, rest = found
        made = self._compared(field, rest)
        return ("(", "NOT", *made, ")") if negated else made

    def _compared(self, field: Field, rest: str) -> Tokens:
        schema = self._catalogue.schema
        semantic = next((e.semantic for e in schema.enums if e.name == field.type), None)
        if not rest and semantic == "BOOLEAN":
            rest = "is yes"
        between = _BETWEEN.fullmatch(rest)
        if between:
            low, high = (self._compared(field, f"{s} {t}") for s, t in
                         zip((">=", "<="), between.groups(), strict=True))  # fmt: skip
            return ("(", "AND", *low, *high, ")")
        sign = _SIGN.match(rest)
        assert sign is not None
        op, value = _SIGNS[(sign["sign"] or "=").lower()], rest[sign.end() :].strip()
        if not value:
            raise self._bad(f"there is no value after {field.name.lower()}. {_EXAMPLE}")
        if any(text.name == field.type for text in schema.texts):
            raise self._bad(f"{field.name} is a text that is shown, but not compared.")
        is_enum = semantic is not None
        return self._enum(field, op, value) if is_enum else self._number(field, op, value)

    def _enum(self, field: Field, op: str, value: str) -> Tokens:
        names: dict[str, str] = {}
        for token in self._catalogue.values_of(field.type):
            for name in (token, *self._catalogue.wordings(token)):
                names.setdefault(_plain(name), token)
        found = names.get(_plain(value)) or names.get(_plain(value.strip("\"'")))
        if found is None:
            close = did_you_mean(nearest(value, names), sentence=True)
            some = _listed([self._catalogue.name_of(t) for t in dict.fromkeys(names.values())])
            raise NoSuchValue(
                self._text, f"{field.name} has no value {value!r}. {close} It has {some}."
            )
        return ("(", field.token, op, found, ")")

    def _number(self, field: Field, op: str, value: str) -> Tokens:
        """The comparison with the only number or time in a text, whatever its unit is."""
        before = ("(", field.token, op)
        for made in readings(before, value, (")",), self._mentions, self._written):
            if self._is_well_typed(made):
                return made
        dated = any(n.name == field.type and n.dates for n in self._catalogue.schema.numbers)
        wanted = "a date, such as 2020 or 3 june 2020" if dated else "a number, such as 20 or 1.5m"
        raise self._bad(f"{field.name} is compared with {wanted}, and {value!r} is none.")

    def _is_well_typed(self, form: Tokens) -> bool:
        try:
            require_well_typed(from_tokens(form, self._catalogue), self._catalogue)
        except GrammaxError:
            return False
        return True

    def _bad(self, problem: str) -> BadCondition:
        return BadCondition(self._text, " ".join(problem.split()))


def _own_name(token: str, catalogue: Catalogue) -> str:
    """The name of a column as its token has it: FLD_RUNTIME_MIN is runtime_min."""
    return token.removeprefix(catalogue.schema.field_prefix)


def _plain(name: str) -> str:
    return joined(split(name.replace("_", " ")))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _FEW:,} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more
