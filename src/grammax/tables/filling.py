"""Logical forms with slots in place of numbers, counts, times and texts, and back.

`filled` replaces what a query mentions by the slots of its mentions, for training; `written` puts
the tokens of the mentions back, after decoding.

>>> mentions = [Mention(4, 6, (("INTEGER", ("1", "0")), ("NUMBER", ("1", "0"))))]
>>> form = ("(", "top", "1", "0", "FLD_VOTES", ")")
>>> filled(form, mentions, frozenset({"FLD_VOTES"}))
('(', 'top', 'INTEGER#0', 'FLD_VOTES', ')')
>>> written(("(", "top", "INTEGER#0", "FLD_VOTES", ")"), mentions) == form
True
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from grammax.errors import GrammaxError
from grammax.language.answer import Tokens
from grammax.language.filling import Mention, slot
from grammax.tables import lexicon as words
from grammax.tables.known_values.measures import ColumnUnit
from grammax.tables.ranges import joined_ranges, split_ranges

_NUMBERS = (words.NUMBER, words.LARGE_NUMBER, words.AMOUNT, words.PERCENT_NUMBER)
_OPERATORS = frozenset((*words.EQUALITY, *words.COMPARISON))
_NUMERIC = frozenset((*words.DIGITS, words.POINT, words.MINUS))
_ENDINGS = frozenset((*words.DENOMINATIONS, *words.PERCENTAGES))
_FILLED = frozenset((*words.FILLED, words.TEXT))
_WORDED = {words.ZERO: "0", words.ONE: "1"}  # numbers that are expressed by words
_FIRST, _LAST = "<", ">"  # after the slot of a range of years: its first or its last one
_ENDS = {"GE": _FIRST, "LS": _FIRST, "LE": _LAST, "GR": _LAST}
_NO_UNITS: Final[Mapping[str, ColumnUnit]] = MappingProxyType({})


class NotMentioned(GrammaxError):
    """A logical form with a number, a time or a text that its query does not mention."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(
            f"the query does not mention {' '.join(tokens)}, so that no parser may predict it."
        )


def filled(
    tokens: Tokens,
    mentions: Sequence[Mention],
    fields: Container[str],
    dates: Container[str] | None = None,
    units: Mapping[str, ColumnUnit] = _NO_UNITS,
) -> Tokens:
    """A logical form with slots; `NotMentioned` if the query does not mention something in it.

    `dates` are the fields that are compared with times, in a schema without history. There, a
    rank of one may be expressed by a singular. `units` are what fields are measured in: of a field
    in minutes, "2 hours" stands for 120.

    Where several mentions stand for the same tokens, they are used in the order of the text. Two
    comparisons that make a range become one; those with the first and the last year of a decade
    become one with the decade.
    """
    found: list[str] = []
    used: set[int] = set()
    index = 0
    for kind, piece in _pieces(tokens, fields, dates or ()):
        column = _column_at(tokens, index, units) if units and kind == words.NUMBER else None
        index += len(piece)
        if kind is None:
            found += piece
        elif kind == words.NUMBER:
            found += _number(piece, mentions, used, column)
        else:
            number = _mentioned((kind,), piece, mentions, used)
            if number is None and kind == words.INTEGER and piece == ("1",) and dates is not None:
                number = words.ONE
            if number is None:
                raise NotMentioned(piece)
            found.append(number)
    joined = joined_ranges(tuple(found))
    return _with_whole_ranges(joined) if any(mention.last for mention in mentions) else joined


def written(
    tokens: Tokens, mentions: Sequence[Mention], units: Mapping[str, ColumnUnit] = _NO_UNITS
) -> Tokens:
    """A logical form with the tokens that its slots stand for."""
    found: list[str] = []
    for piece in written_pieces(tokens, mentions, units):
        found += piece
    return tuple(found)


def written_pieces(
    tokens: Tokens, mentions: Sequence[Mention], units: Mapping[str, ColumnUnit] = _NO_UNITS
) -> Iterator[Tokens]:
    """For each token the tokens that it stands for."""
    whole = any(mention.last for mention in mentions)
    pieces = _split_whole_ranges(tokens, mentions) if whole else split_ranges(tokens)
    for index, piece in enumerate(pieces):
        if len(piece) == 1 and "#" not in piece[0] and piece[0] not in _WORDED:  # as most
            yield piece
            continue
        found: list[str] = []
        for token in piece:
            if token in _WORDED:
                found.append(_WORDED[token])
                continue
            known = _slot(token, mentions)
            if known is None:
                found.append(token)
            elif token[-1] == _LAST:
                found += known[1].last
            else:
                kind, mention = known
                column = _column_at(tokens, index, units) if mention.unit else None
                found += _in_column(mention, kind, column) or dict(mention.readings)[kind]
        yield tuple(found)


def misfits(
    tokens: Tokens, mentions: Sequence[Mention], units: Mapping[str, ColumnUnit]
) -> list[int]:
    """The mentions in a form with slots whose unit their column cannot have: 5 kg of minutes.

    >>> lengths = {"FLD_LENGTH": ColumnUnit("minutes")}
    >>> form = ("(", "FLD_LENGTH", "GR", "NUMBER#0", ")")
    >>> misfits(form, [Mention(0, 1, (("NUMBER", ("5",)),), unit="kg")], lengths)
    [0]
    >>> written(form, [Mention(0, 1, (("NUMBER", ("2",)),), unit="hours")], lengths)[3:-1]
    ('1', '2', '0')
    """
    found = []
    for index, token in enumerate(tokens):
        known = _slot(token, mentions) if "#" in token else None
        if known is not None and known[1].unit:
            column = _column_at(tokens, index, units)
            if column is not None and _in_column(known[1], known[0], column) is None:
                found.append(mentions.index(known[1]))
    return found


def _slot(token: str, mentions: Sequence[Mention]) -> tuple[str, Mention] | None:
    """The kind of a slot and its mention; None for other tokens."""
    kind, mark, number = token.partition("#")
    number = number.rstrip(_FIRST + _LAST)
    if not mark or kind not in _FILLED or int(number) >= len(mentions):
        return None
    return kind, mentions[int(number)]


def _in_column(mention: Mention, kind: str, column: ColumnUnit | None) -> Tokens | None:
    """A number in the unit of a column; None if its own unit is none of the column's.

    "8500 m" of a column in metres are metres, and of one of money they are million.
    """
    readings = dict(mention.readings)
    tokens = readings[kind]
    if not mention.unit or column is None or kind not in (words.NUMBER, words.LARGE_NUMBER):
        return tokens
    large = readings.get(words.LARGE_NUMBER)
    plain = readings.get(words.NUMBER)
    if large is not None and plain is not None:
        number = column.number("".join(plain), mention.unit)
        if number is None:
            return large
        return tuple(number) if column.unit else tokens
    ending = tuple(token for token in tokens if token in _ENDINGS)
    number = column.number("".join(tokens[: len(tokens) - len(ending)]), mention.unit)
    return None if number is None else (*number, *ending)


def _column_at(tokens: Tokens, index: int, units: Mapping[str, ColumnUnit]) -> ColumnUnit | None:
    """What the field is measured in that is compared with the number at `index`, if it has one."""
    while index and tokens[index] not in _OPERATORS and tokens[index] != words.BETWEEN:
        index -= 1
    before = tokens[index - 1]
    if before == words.CLOSE and tokens[index - 3] in words.AGGREGATES[1:]:
        before = tokens[index - 2]
    return units.get(before)


def _split_whole_ranges(tokens: Tokens, mentions: Sequence[Mention]) -> Sequence[Tokens]:
    """As `split_ranges`; in the 80s is from the first to the last year of them."""
    longer: list[list[str]] = [[token] for token in tokens]
    for index, token in enumerate(tokens):
        known = _slot(token, mentions) if "#" in token else None
        if known is None or not known[1].last:
            continue
        operator = tokens[index - 1]
        if operator in words.EQUALITY:
            longer[index - 1] = [words.BETWEEN]
            longer[index] = [token + _FIRST, token + _LAST]
            if operator == "NEQ":
                start = _opening(tokens, index)
                longer[start] = [words.OPEN, "NOT", *longer[start]]
                longer[index + 1] += [words.CLOSE]
        else:
            second = words.BETWEEN in tokens[index - 2 : index - 1]
            longer[index] = [token + (_LAST if second else _ENDS.get(operator, _FIRST))]
    split = iter(split_ranges(tuple(token for piece in longer for token in piece)))
    return [tuple(t for _ in piece for t in next(split)) for piece in longer]


def _opening(tokens: Tokens, index: int) -> int:
    """The index of the bracket around a token."""
    depth = 0
    while True:
        index -= 1
        depth += (tokens[index] == words.OPEN) - (tokens[index] == words.CLOSE)
        if depth > 0:
            return index


def _with_whole_ranges(tokens: Tokens) -> Tokens:
    """The inverse: both ends of a range of years as one slot, without marks."""
    found: list[str] = []
    for token in tokens:
        if "#" not in token or token[-1] not in (_FIRST, _LAST):
            found.append(token)
            continue
        slot_, mark, operator = token[:-1], token[-1], found[-1]
        second = words.BETWEEN in found[-2:-1]
        if second and operator == slot_ and mark == _LAST:
            found[-2] = "EQ"  # both ends of one range
        elif _ENDS.get(operator) == mark or (operator == words.BETWEEN and mark == _FIRST) or (
            second and mark == _LAST
        ):  # fmt: skip
            found.append(slot_)
        else:
            raise NotMentioned((token,))
    return tuple(found)


def _number(
    piece: Tokens, mentions: Sequence[Mention], used: set[int], column: ColumnUnit | None
) -> Tokens:
    found = _mentioned(_NUMBERS, piece, mentions, used, column)
    if found is not None:
        return (found,)
    if piece[0] == words.MINUS:
        found = _mentioned(_NUMBERS, piece[1:], mentions, used, column)
        if found is not None:
            return (words.MINUS, found)
    if piece == ("0",):
        return (words.ZERO,)
    raise NotMentioned(piece)


def _mentioned(
    kinds: tuple[str, ...],
    piece: Tokens,
    mentions: Sequence[Mention],
    used: set[int],
    column: ColumnUnit | None = None,
) -> str | None:
    """The slot of a mention that stands for these tokens, preferably of one that is not used."""
    found = [
        (number in used, number, kind, _FIRST if mention.last and tokens == piece else "")
        for number, mention in enumerate(mentions)
        for kind, tokens in mention.readings
        if kind in kinds
        and (
            (tokens if column is None else _in_column(mention, kind, column)) == piece
            or (kind == words.TEXT and _alike(tokens, piece))
        )
    ]
    found += [
        (number in used, number, kind, _LAST)
        for number, mention in enumerate(mentions)
        for kind, _ in mention.readings
        if mention.last == piece and kind in kinds
    ]
    if not found:
        return None
    _, number, kind, mark = min(found)
    used.add(number)
    return slot(kind, number) + mark


def _alike(one: Tokens, other: Tokens) -> bool:
    """Whether two texts differ in capitals only."""
    return [token.lower() for token in one] == [token.lower() for token in other]


def _pieces(
    tokens: Tokens, fields: Container[str], dates: Container[str]
) -> Iterator[tuple[str | None, Tokens]]:
    """The tokens in pieces: times, counts, numbers and texts with their kind, others alone."""
    index, before = 0, ""
    while index < len(tokens):
        token = tokens[index]
        if before == words.CONTAINS:
            yield words.TEXT, (token,)
            index, before = index + 1, token
            continue
        is_value = before in _OPERATORS and token != words.OPEN and token not in fields
        if is_value and _compares_date(tokens, index, dates):
            stop = tokens.index(words.CLOSE, index)
            yield words.TIME, tokens[index:stop]
            index, before = stop, ""
            continue
        if token == words.OPEN and before in fields:
            stop = tokens.index(words.CLOSE, index)
            yield None, (words.OPEN,)
            yield words.TIME, tokens[index + 1 : stop]
            index, before = stop, ""
            continue
        stop = _end_of_number(tokens, index)
        if stop > index:
            is_count = before in words.RANKS
            yield (words.INTEGER if is_count else words.NUMBER), tokens[index:stop]
        else:
            stop = index + 1
            yield None, (token,)
        index, before = stop, tokens[stop - 1]


def _compares_date(tokens: Tokens, index: int, dates: Container[str]) -> bool:
    """Whether what stands before the operator before `index` is a date, or the first or last."""
    before = tokens[index - 2]
    return (tokens[index - 3] if before == words.CLOSE else before) in dates


def _end_of_number(tokens: Tokens, start: int) -> int:
    """The end of the number that begins at `start`, with what follows it; `start` if none does."""
    stop = start
    while tokens[stop] in _NUMERIC:
        stop += 1
    if stop == start or tokens[start - 1] in words.RANKS:
        return stop
    while tokens[stop] in _ENDINGS:
        stop += 1
    return stop if tokens[stop] == words.CLOSE else stop + 1  # a unit
