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

from collections.abc import Container, Iterator, Sequence

from grammax.errors import GrammaxError
from grammax.language.answer import Tokens
from grammax.language.filling import Mention, slot
from grammax.tables import lexicon as words
from grammax.tables.ranges import joined_ranges, split_ranges

_NUMBERS = (words.NUMBER, words.LARGE_NUMBER, words.AMOUNT, words.PERCENT_NUMBER)
_OPERATORS = frozenset((*words.EQUALITY, *words.COMPARISON))
_NUMERIC = frozenset((*words.DIGITS, words.POINT, words.MINUS))
_ENDINGS = frozenset((*words.DENOMINATIONS, *words.PERCENTAGES))
_FILLED = frozenset((*words.FILLED, words.TEXT))
_WORDED = {words.ZERO: "0", words.ONE: "1"}  # numbers that are expressed by words


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
) -> Tokens:
    """A logical form with slots; `NotMentioned` if the query does not mention something in it.

    `dates` are the fields that are compared with times, in a schema without history. There, a
    rank of one may be expressed by a singular.

    Where several mentions stand for the same tokens, they are used in the order of the text. Two
    comparisons that make a range become one.
    """
    found: list[str] = []
    used: set[int] = set()
    for kind, piece in _pieces(tokens, fields, dates or ()):
        if kind is None:
            found += piece
        elif kind == words.NUMBER:
            found += _number(piece, mentions, used)
        else:
            number = _mentioned((kind,), piece, mentions, used)
            if number is None and kind == words.INTEGER and piece == ("1",) and dates is not None:
                number = words.ONE
            if number is None:
                raise NotMentioned(piece)
            found.append(number)
    return joined_ranges(tuple(found))


def written(tokens: Tokens, mentions: Sequence[Mention]) -> Tokens:
    """A logical form with the tokens that its slots stand for."""
    found: list[str] = []
    for piece in written_pieces(tokens, mentions):
        found += piece
    return tuple(found)


def written_pieces(tokens: Tokens, mentions: Sequence[Mention]) -> Iterator[Tokens]:
    """For each token the tokens that it stands for."""
    for piece in split_ranges(tokens):
        if len(piece) == 1 and "#" not in piece[0] and piece[0] not in _WORDED:  # as most
            yield piece
            continue
        found: list[str] = []
        for token in piece:
            if token in _WORDED:
                found.append(_WORDED[token])
                continue
            kind, mark, number = token.partition("#") if "#" in token else (token, "", "")
            if mark and kind in _FILLED and int(number) < len(mentions):
                found += dict(mentions[int(number)].readings)[kind]
            else:
                found.append(token)
        yield tuple(found)


def _number(piece: Tokens, mentions: Sequence[Mention], used: set[int]) -> Tokens:
    found = _mentioned(_NUMBERS, piece, mentions, used)
    if found is not None:
        return (found,)
    if piece[0] == words.MINUS:
        found = _mentioned(_NUMBERS, piece[1:], mentions, used)
        if found is not None:
            return (words.MINUS, found)
    if piece == ("0",):
        return (words.ZERO,)
    raise NotMentioned(piece)


def _mentioned(
    kinds: tuple[str, ...], piece: Tokens, mentions: Sequence[Mention], used: set[int]
) -> str | None:
    """The slot of a mention that stands for these tokens, preferably of one that is not used."""
    found = [
        (number in used, number, kind)
        for number, mention in enumerate(mentions)
        for kind, tokens in mention.readings
        if kind in kinds and (tokens == piece or (kind == words.TEXT and _alike(tokens, piece)))
    ]
    if not found:
        return None
    _, number, kind = min(found)
    used.add(number)
    return slot(kind, number)


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
