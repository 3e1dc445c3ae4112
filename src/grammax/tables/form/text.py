"""Logical forms as text and as tokens, and back.

Text is in the paper's notation: `(FLD_CAST EQ enumValue(PER_GABIN))`. Tokens are what a model
predicts: `enumValue` is dropped, each digit is a separate token, and a text in quotes is one token.
Reading text is tolerant: any white space, or none next to a parenthesis, is accepted, and
`enumValue` is optional.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import Final

from grammax.tables.form.operands import SPELLING, TokenRoles
from grammax.tables.form.reader import Reader, Unreadable
from grammax.tables.form.tree import And, LogicalForm, LogicalFormError, Not, Or

_QUOTED: Final = r'"(?:[^"\\]|\\.)*"(?![^\s()])'  # a text that is searched for
_ANY: Final = rf"{_QUOTED}|[()]|[^\s()]+"
_WORD: Final = re.compile(_ANY, re.DOTALL)
_TOKEN: Final = re.compile(rf"enumValue\(([^()]+)\)|(-?[0-9][0-9.]*)|({_ANY})", re.DOTALL)
_PREFIX: Final = re.compile(
    rf'enumValue\s*\(\s*([^()\s]*)\s*\)?|(-?[0-9][0-9.]*)|({_QUOTED})|"(?:[^"\\]|\\.)*\\?\Z|({_ANY})',
    re.DOTALL,
)
_AROUND: Final = 40
_DEEPEST_INDENT: Final = 40


def read(text: str, roles: TokenRoles = SPELLING) -> LogicalForm:
    """The logical form of a text. Raises `LogicalFormError`, which points at the mistake.

    >>> print(read("( FLD_LENGTH (2018 JUN 23) GR 1.5 BILLION CUR_USD )"))
    (FLD_LENGTH(2018 JUN 23) GR 1.5 BILLION CUR_USD)
    >>> read("(FLD_GENRE = GEN_DRAMA)")
    Traceback (most recent call last):
    grammax.tables.form.errors.LogicalFormError: = is not an operator (line 1, column 12).
        (FLD_GENRE = GEN_DRAMA)
                   ^
    Permitted here: EQ, NEQ, LS, LE, GR, GE, CONTAINS. Did you mean EQ?
    """
    if not isinstance(text, str):
        raise LogicalFormError(
            f"A text was expected, and {type(text).__name__} was given.",
            hint="Use from_tokens for a sequence of tokens.",
        )
    try:
        return Reader(_WORD.findall(text), roles).logical_form()
    except Unreadable as unreadable:
        raise _error_in_text(text, unreadable) from None


def write(lf: LogicalForm) -> str:
    """The text on one line, in the paper's notation; the same as `str(lf)`."""
    return str(lf)


def pretty(lf: LogicalForm, indent: int = 4) -> str:
    """The text over several lines, as in the paper's figure 1.

    >>> print(pretty(read("(AND (FLD_CAST EQ PER_GABIN) (display FLD_YEAR))")))
    (AND
        (FLD_CAST EQ enumValue(PER_GABIN))
        (display FLD_YEAR))

    Each part of AND and OR has its own line; NOT stays on the line of the constraint that it
    negates. Beyond 40 levels the indent stays constant.
    """
    pieces: list[str] = []
    waiting: list[str | tuple[LogicalForm, int]] = [(lf, 1)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        lf, level = item
        if isinstance(lf, Not):
            pieces.append("(NOT ")
            waiting += (")", (lf.part, level))
        elif isinstance(lf, And | Or):
            pieces.append(f"({lf.word}")
            waiting.append(")")
            line = "\n" + " " * indent * min(level, _DEEPEST_INDENT)
            for part in reversed(lf.parts):
                waiting += ((part, level + 1), line)
        else:
            pieces.append(str(lf))
    return "".join(pieces)


def to_tokens(lf: LogicalForm) -> tuple[str, ...]:
    """The tokens, as a model predicts them.

    >>> " ".join(to_tokens(read("(FLD_SCORE(FY 2023) LE -1.5)")))
    '( FLD_SCORE ( FY 2 0 2 3 ) LE - 1 . 5 )'
    """
    tokens: list[str] = []
    for value, number, word in _TOKEN.findall(str(lf)):
        if number:
            tokens += number
        else:
            tokens.append(value or word)
    return tuple(tokens)


def prefix_tokens(text: str) -> tuple[str, ...]:
    """The complete tokens of an incomplete text.

    >>> prefix_tokens("(AND (FLD_LENGTH GR 12.5) (FLD_GENRE EQ enumValue(")
    ('(', 'AND', '(', 'FLD_LENGTH', 'GR', '1', '2', '.', '5', ')', '(', 'FLD_GENRE', 'EQ')
    """
    tokens: list[str] = []
    for value, number, quoted, word in _PREFIX.findall(text):
        tokens += [value] if value else number or [each for each in (quoted, word) if each]
    return tuple(tokens)


def from_tokens(tokens: Iterable[str], roles: TokenRoles = SPELLING) -> LogicalForm:
    """The logical form of these tokens. Raises `LogicalFormError`, which names the wrong token.

    >>> print(from_tokens("( top 1 0 FLD_VOTES )".split()))
    (top 10 FLD_VOTES)
    """
    if isinstance(tokens, str):
        raise LogicalFormError(
            "A sequence of tokens was expected, and a text was given.", hint="Use read for a text."
        )
    given = list(tokens)
    try:
        _check_tokens(given)
        return Reader(given, roles).logical_form()
    except Unreadable as unreadable:
        raise _error_in_tokens(given, unreadable) from None


def _check_tokens(given: list[str]) -> None:
    """Raise `Unreadable` unless these are tokens."""
    if set(map(type, given)) == {str} and _WORD.findall(" ".join(given)) == given:
        return  # one search for all of them
    for index, token in enumerate(given):
        if not isinstance(token, str) or not _WORD.fullmatch(token):
            problem = f"{token!r:.60} is not a token"
            raise Unreadable(index, f"{problem}.", "Tokens have no spaces or parentheses inside.")


def _error_in_text(text: str, unreadable: Unreadable) -> LogicalFormError:
    found = next(islice(_WORD.finditer(text), unreadable.index, None), None)
    start, end = found.span() if found else (len(text.rstrip()),) * 2
    line = text.count("\n", 0, start) + 1
    begin = text.rfind("\n", 0, start) + 1
    finish = text.find("\n", start)
    finish = len(text) if finish < 0 else finish
    left, right = max(begin, start - _AROUND), min(finish, max(end, start + 1) + _AROUND)
    right = min(right, start + 2 * _AROUND)
    before = ("... " if left > begin else "") + _plain(text[left:start])
    after = _plain(text[start:right]) + (" ..." if right < finish else "")
    marks = "^" * max(1, min(end, right) - start)
    return LogicalFormError(
        f"{unreadable.problem.removesuffix('.')} (line {line}, column {start - begin + 1}).",
        hint=unreadable.hint,
        position=start,
        excerpt=_excerpt(before, after, marks),
    )


def _error_in_tokens(tokens: list[str], unreadable: Unreadable) -> LogicalFormError:
    index = unreadable.index
    before = [_plain(str(token)[:_AROUND]) for token in tokens[max(0, index - 6) : index]]
    before = ["...", *before] if index > 6 else before
    given = _plain(str(tokens[index])[:_AROUND]) if index < len(tokens) else ""
    lead = "".join(f"{token} " for token in before)
    return LogicalFormError(
        f"{unreadable.problem.removesuffix('.')} (token {index + 1}).",
        hint=unreadable.hint,
        position=index,
        excerpt=f"    {lead}{given}".rstrip()
        + f"\n    {' ' * len(lead)}{'^' * max(1, len(given))}",
    )


def _excerpt(before: str, after: str, marks: str) -> str:
    if not before + after:
        return ""
    return f"    {before}{after}".rstrip() + f"\n    {' ' * len(before)}{marks}"


def _plain(text: str) -> str:
    """The text with one printable, single-width character per character."""
    return "".join(character if character.isprintable() else " " for character in text)
