"""What a follow-up takes away: "remove the sector", "any country", "no limit", "unsorted"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from grammax.reading.normal import plain_word
from grammax.reading.words import split
from grammax.tables.domain import TableDomain
from grammax.tables.form.text import to_tokens
from grammax.tables.form.tree import (
    Aggregate,
    And,
    Atom,
    Display,
    Group,
    LogicalForm,
    Not,
    Or,
    Rank,
    Relational,
)
from grammax.tables.form.walk import fold, walk

_COMMAND: Final = re.compile(
    r"(?:(?:and|now|then|please|also|but|ok|okay)\b[\s,]*)*"
    r"(?:(?P<command>remove|drop|hide|delete|forget(?:\s+about)?|clear|lose|omit|ignore|skip|undo|"
    r"take\s+(?:out|away|off)|get\s+rid\s+of|(?:do\s+not|don['’]?t|no\s+longer|stop)\s+"
    r"(?:show(?:ing)?|display(?:ing)?|sort(?:ing)?|filter(?:ing)?|limit(?:ing)?|need|want)(?:\s+by)?)"
    r"|(?P<any>(?:(?:in|of|from|with|for)\s+)?(?:any|all|every)|whatever(?:\s+the)?|"
    r"(?:no\s+matter|regardless\s+of|irrespective\s+of)(?:\s+(?:the|what|which))?)"
    r"|(?P<bare>no|without(?:\s+(?:a|the|any))?))\s+"
    r"(?P<what>.+)",
    re.IGNORECASE,
)
_UNSORTED: Final = re.compile(
    r"(?:now\s+)?(?:unsorted|unordered|in\s+any\s+order|"
    r"(?:do\s+not|don['’]?t|no|stop)\s+(?:sort(?:ing)?|order(?:ing)?))",
    re.IGNORECASE,
)
_ARTICLES: Final = frozenset(
    ("the", "their", "its", "a", "an", "all", "any", "this", "that", "my", "last")
)
_CONDITION: Final = frozenset(
    ("filter", "filters", "condition", "conditions", "constraint", "constraints", "restriction",
     "restrictions", "requirement", "criterion", "criteria")
)  # fmt: skip
_COLUMN: Final = frozenset(("column", "columns"))
_ORDER: Final = frozenset(("sort", "sorting", "order", "ordering", "sorted"))
_LIMIT: Final = frozenset(("limit", "limits", "ranking", "rank", "top"))
_GROUPS: Final = frozenset(("group", "groups", "grouping", "groupings", "breakdown"))
_SUMMARIES: Final = frozenset(("summary", "summaries", "total", "totals", "count", "average"))

Keeps = Callable[[Atom], Atom | None]
"""What is kept of an atom."""


def what_to_remove(text: str) -> tuple[str, bool] | None:
    """What a text says to remove, and whether it says nothing else; None for other texts.

    "no banks" and "without banks" may also exclude a value, and "any" may begin a query.

    >>> what_to_remove("remove the sector"), what_to_remove("without banks"), what_to_remove("top")
    (('sector', True), ('banks', False), None)
    """
    given = text.strip().rstrip(".!")
    if _UNSORTED.fullmatch(given):
        return "sorting", True
    found = _COMMAND.fullmatch(given)
    if found is None:
        return None
    words = split(found["what"].lower())
    while words and words[0] in _ARTICLES:
        del words[0]
    return (" ".join(words), found["command"] is not None) if words else None


def removed(
    domain: TableDomain, form: LogicalForm, what: str, with_values: bool
) -> LogicalForm | None:
    """The form without what is named: the form itself if it has none, None if nothing is left.

    Unless `with_values`, a value is not removed, but for one of several: "without banks" is to
    exclude them.
    """
    for keeps, value in _meanings(domain, form, what.split()):
        if value and not (with_values or _is_one_of_several(form, value)):
            continue
        left = rewritten(form, keeps)
        if left != form:
            return left
    return form


def _is_one_of_several(form: LogicalForm, value: str) -> bool:
    """Whether a value is a part of an OR."""
    ors = (node for node in walk(form) if isinstance(node, Or))
    return any(value in to_tokens(node) for node in ors)


def names_in_form(domain: TableDomain, form: LogicalForm) -> list[str]:
    """The names of the columns and values of a form, for messages."""
    catalogue = domain.catalogue
    return list(dict.fromkeys(
        catalogue.name_of(token) for token in to_tokens(form)
        if token in catalogue.fields or token in catalogue.values
    ))  # fmt: skip


def rewritten(form: LogicalForm, keeps: Keeps) -> LogicalForm | None:
    """The form with what is kept of its atoms; None if nothing is left."""

    def combine(node: LogicalForm, below: Sequence[LogicalForm | None]) -> LogicalForm | None:
        left = [part for part in below if part is not None]
        if isinstance(node, Not):
            return Not(left[0]) if left else None
        if isinstance(node, And | Or):
            if len(left) < 2:
                return left[0] if left else None
            return And(tuple(left)) if isinstance(node, And) else Or((left[0], left[1]))
        return keeps(node)

    return fold(form, combine)


def _meanings(
    domain: TableDomain, form: LogicalForm, words: list[str]
) -> Iterator[tuple[Keeps, str]]:
    """What the words may mean, the likeliest first; with the value that they name, if any."""
    kinds: tuple[type[Atom], ...] = (Relational, Display, Rank, Aggregate, Group)
    what_is_plural = words[-1].endswith(("s", "ia")) or words == ["everything"]
    if words[-1] in _CONDITION:
        words, kinds = words[:-1], (Relational,)
    elif words[-1] in _COLUMN:
        words, kinds = words[:-1], (Display,)
    if not words or words == ["everything"]:
        last = None if what_is_plural else next(_last(form, kinds), None)
        yield (_all_but(kinds) if last is None else lambda atom: None if atom is last else atom), ""
        return
    for names, kind in ((_LIMIT, Rank), (_GROUPS, Group), (_SUMMARIES, Aggregate)):
        if len(words) == 1 and words[0] in names:
            yield _all_but((kind,)), ""
    if len(words) == 1 and words[0] in _ORDER:
        yield _unsorted, ""
    for token in _named(domain, form, words):
        yield _all_but(kinds, token), token if token in domain.catalogue.values else ""


def _last(form: LogicalForm, kinds: tuple[type[Atom], ...]) -> Iterator[LogicalForm]:
    """The atoms of some kinds, the last first."""
    return (node for node in reversed([*walk(form)]) if isinstance(node, kinds))


def _all_but(kinds: tuple[type[Atom], ...], token: str | None = None) -> Keeps:
    """Keeps all but atoms of some kinds, or those of them that have a token."""

    def keeps(atom: Atom) -> Atom | None:
        goes = isinstance(atom, kinds) and (token is None or token in to_tokens(atom))
        return None if goes else atom

    return keeps


def _unsorted(atom: Atom) -> Atom | None:
    if isinstance(atom, Rank):
        return None
    return replace(atom, order=None) if isinstance(atom, Display) else atom


def _named(domain: TableDomain, form: LogicalForm, words: Sequence[str]) -> list[str]:
    """The columns and values of a form that words name: by the whole name, then by a part of it."""
    catalogue = domain.catalogue
    whole, part = [], []
    wanted = _plain(words)
    for token in dict.fromkeys(to_tokens(form)):
        if token not in catalogue.fields and token not in catalogue.values:
            continue
        names = [_plain(split(name.lower())) for name in domain.wordings(token)]
        if wanted in names:
            whole.append(token)
        elif any(set(wanted) <= set(name) for name in names):
            part.append(token)
    return [*whole, *part]


def _plain(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(plain_word(word) for word in words)
