"""Follow-ups: what was said next edits the current form.

| said | what becomes of the form |
|---|---|
| "remove the sector", "any country" | it loses its conditions and columns of that name |
| "lowest first", "reverse the order" | its order turns |
| "top 5", "make it 20" | its number of rows changes, or it gets one by its order |
| "in color only" | a column of yes and no is yes |
| "now french", "only above 1bn" | it gets the constraints of a query, by `form.follow_up` |

Only what the text says is added: a query is parsed by the parser that the caller gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, Protocol

from grammax.language.domain import Tokens
from grammax.reading.normal import plain_word
from grammax.reading.words import split
from grammax.tables.domain import TableDomain
from grammax.tables.edits.numbers import in_words
from grammax.tables.edits.orders import counted, largest_first, reranked, turned
from grammax.tables.edits.removal import names_in_form, removed, what_to_remove
from grammax.tables.edits.validity import BadEdit, problem_of
from grammax.tables.edits.yes_no import only_yes
from grammax.tables.form.follow_up import (
    Manner,
    conjuncts,
    follow_up,
    measures,
    with_field,
)
from grammax.tables.form.operands import Aggregate, FieldRef, Measure
from grammax.tables.form.text import to_tokens
from grammax.tables.form.tree import (
    And,
    Display,
    LogicalForm,
    Not,
    Or,
    Rank,
    Relational,
)
from grammax.tables.form.walk import walk

_LEADING: Final = re.compile(
    r"(?:(?:now|only|just|and|but|instead|also|or|plus|then|please|ok|okay|no|actually|rather|"
    r"the|what\s+about|how\s+about|same\s+(?:for|but)|(?:i\s+)?(?:want|need|meant?)|"
    r"(?:make|change|switch|turn)\s+(?:it|this|that|them|these)(?:\s+(?:to|into))?|switch\s+to|"
    r"(?:limit|restrict|narrow|filter)(?:\s+(?:it|this|that|them|these))?(?:\s+down)?"
    r"(?:\s+(?:to|by|for|on))?|keep(?:\s+only)?|(?:can|could)\s+you|give\s+me|"
    r"(?:show|list)(?:\s+me)?\s+only|add|include|including|(?:a\s+)?(?:column|filter|condition)s?"
    r"\s+(?:for|with|of|on|by))\b|[,:.!…])[\s,]*",
    re.IGNORECASE,
)
_INSTEAD: Final = re.compile(
    r"(?:swap|replace|exchange|change|switch|substitute|set)\s+.+?\s+(?:for|with|by|to|into)\s+"
    r"(?P<new>.+)|(?P<said>.+?)\s+(?:instead|in\s+place)\s+of\s+.+|instead\s+of\s+.+?,\s+"
    r"(?P<then>.+)",
    re.IGNORECASE,
)
_TRAILING: Final = re.compile(
    r"[\s,]*\b(?:instead|too|also|as\s+well|please|only|now|then|ones?|though)[.!?\s]*$",
    re.IGNORECASE,
)
_WIDENING: Final = re.compile(
    r"(?:and|also|or|plus|add|include|including)\b|.*\b(?:too|as\s+well|also)[.!\s]*$",
    re.IGNORECASE,
)
_BOUND: Final = re.compile(
    r"(?:is\s+)?(?:above|below|over|under|at\s+least|at\s+most|(?:more|less|greater|fewer|higher|"
    r"lower|bigger|smaller)\s+than|between|up\s+to|from|after|before|since|[<>≥≤]=?)",
    re.IGNORECASE,
)
_UNSURE: Final = 0.45  # the least confidence in a reading that the parser is not sure of
_LONGEST: Final = 30  # words: a follow-up is parsed in several ways
_EQUALITY: Final = ("EQ", "NEQ", "CONTAINS")
PERMITTED: Final = (
    'Say a value or a bound that replaces or adds one, a column to show, an order, or "remove" and '
    "the name of a condition or column."
)


class Reading(Protocol):
    """A parse of a text."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the text."""

    @property
    def tokens(self) -> Tokens:
        """Its logical form."""

    @property
    def uncovered(self) -> tuple[int, ...]:
        """Positions of words that the form does not cover."""

    @property
    def abstains(self) -> bool:
        """Whether the form is only a suggestion."""

    @property
    def why(self) -> str | None:
        """The reason for it."""

    @property
    def confidence(self) -> float:
        """The probability that the form is what was meant."""


Parse = Callable[[str], Reading]


class _Said(NamedTuple):
    text: str
    rest: str  # without words such as "now" and "instead"
    manner: Manner


def follow_up_edit(domain: TableDomain, tokens: Tokens, text: str, parse: Parse) -> Tokens:
    """The form, edited by what was said next. Raises `BadEdit` if it was not understood."""
    said = _said(text)
    if said.text.count(" ") >= _LONGEST:
        raise BadEdit(f"A follow-up has at most {_LONGEST} words. Ask a longer one as a search.")
    form = domain.form(tokens)
    removal = what_to_remove(said.text)
    if removal is not None:
        what, is_command = removal
        left = removed(domain, form, what, with_values=is_command)
        if left is None:
            raise BadEdit("Nothing would be left of the search. Add something else first.")
        if left != form:
            return _valid(domain, left)
        if is_command:
            said = _Said(f"without {what}", f"without {what}", Manner.REPLACES)
    if not said.rest:
        raise BadEdit(f"Nothing follows {text.strip()!r:.60}. {PERMITTED}")
    ordered = turned(form, said.rest) or counted(domain, form, said.text)
    if ordered is not None and ordered != form:
        return _valid(domain, ordered)
    flag = only_yes(domain, said.text, said.rest)
    if flag is not None and flag not in conjuncts(form):
        return _valid(domain, follow_up(form, flag, said.manner))
    reading = _parsed(domain, form, said, parse)
    if reading is None or (removal and removal[1] and not _excludes(domain, reading)):
        raise BadEdit(_not_understood(domain, form, said, removal, parse))
    problem = ""
    for meant in _meanings(domain, form, reading):
        if said.manner is Manner.OFFERS:
            _require_choice(domain, form, meant)
        wanted = reranked(form, largest_first(domain, meant, said.rest), said.rest)
        made = to_tokens(follow_up(form, wanted, said.manner))
        if made == tokens:
            problem = "The search says that already."
            continue
        problem = problem_of(domain, made)
        if not problem:
            return made
    raise BadEdit(f"Together with the current search it has no meaning: {problem}")


def _said(text: str) -> _Said:
    given = " ".join(text.split())
    rest = given
    while match := _LEADING.match(rest):
        rest = rest[match.end() :]
    instead = _INSTEAD.fullmatch(rest.rstrip(".!?"))
    if instead:
        rest = given = next(filter(None, instead.groups()))
    while match := _TRAILING.search(rest):
        rest = rest[: match.start()]
    offers = given.lower().startswith("or ")
    widens = Manner.WIDENS if _WIDENING.match(given) else Manner.REPLACES
    return _Said(given, rest.strip(), Manner.OFFERS if offers else widens)


def _valid(domain: TableDomain, form: LogicalForm) -> Tokens:
    made = to_tokens(form)
    problem = problem_of(domain, made)
    if problem:
        raise BadEdit(f"The rest of the search has no meaning: {problem}")
    return made


def _parsed(domain: TableDomain, form: LogicalForm, said: _Said, parse: Parse) -> Reading | None:
    """The parse of a follow-up: as it is, without its first words, or after the name of a field.

    A reading that the parser is not sure of is taken if it covers all words: a follow-up is shown
    with what it changed, and undone by one key. None if there is none.
    """
    noun, rest = domain.nouns[1], said.rest
    names = [domain.label(m.token) for m in measures(form) if isinstance(m, FieldRef)]
    bounds = [f"{name} {rest}" for name in names] if _BOUND.match(rest) else []
    first = rest if said.manner is Manner.OFFERS else said.text  # "or" alone joins nothing
    texts = dict.fromkeys(
        (first, said.text, rest, f"{noun} {rest}", f"{noun} with {rest}", *bounds)
    )
    unsure: list[Reading] = []
    for each in texts:
        reading = parse(each)
        if reading.uncovered:
            continue
        if not reading.abstains:
            return reading
        if reading.why == "unsure" and reading.confidence >= _UNSURE:
            unsure.append(reading)
    return max(unsure, key=lambda reading: reading.confidence, default=None)


def _require_choice(domain: TableDomain, form: LogicalForm, said: LogicalForm) -> None:
    """Raise unless "or" and a condition have something to be another choice of."""
    had, wanted = ([n for n in walk(lf) if isinstance(n, Relational)] for lf in (form, said))
    fields = {node.field for node in had}
    if len(fields) > 1 and wanted and not any(node.field in fields for node in wanted):
        what = words_of(domain, wanted[0])
        raise BadEdit(
            f"“Or” gives another choice for a condition, and the search has none like {what}. "
            f"Say “and” to narrow the search."
        )


def _excludes(domain: TableDomain, reading: Reading) -> bool:
    """Whether a reading leaves something out: "remove banks" may not show them."""
    nodes = walk(domain.form(reading.tokens))
    return any(isinstance(n, Not) or (isinstance(n, Relational) and n.op == "NEQ") for n in nodes)


def _not_understood(
    domain: TableDomain,
    form: LogicalForm,
    said: _Said,
    removal: tuple[str, bool] | None,
    parse: Parse,
) -> str:
    if removal is not None and removal[1]:
        names = ", ".join(names_in_form(domain, form))
        return f"The search has no {removal[0][:60]}. It has {names}."
    reading = parse(said.rest)
    unknown = " ".join(reading.words[at] for at in reading.uncovered)
    what = f"{unknown[:60]!r} is not understood." if unknown else "It was not understood."
    return f"{what} {PERMITTED}"


def _meanings(domain: TableDomain, old: LogicalForm, reading: Reading) -> Iterator[LogicalForm]:
    """The follow-up with a field of the current form, where it names none; then as it is."""
    said = domain.form(reading.tokens)
    parts = conjuncts(said)
    if not _names_a_field(domain, reading):
        if all(map(_is_bound, parts)):
            for field in measures(old):
                if _are_dates(domain, [*map(_field_of, parts), field]):
                    yield _joined([with_field(part, field) for part in parts])
        ranked = next((part.field for part in parts if isinstance(part, Rank)), None)
        by = next(_orders(old), None)
        if ranked is not None and by is not None:
            yield _joined([replace(p, field=by) if isinstance(p, Rank) else p for p in parts])
    yield said


def _field_of(part: LogicalForm) -> Measure | Aggregate | None:
    inner = part.part if isinstance(part, Not) else part
    return inner.field if isinstance(inner, Relational) else None


def _are_dates(domain: TableDomain, fields: Sequence[Measure | Aggregate | None]) -> bool:
    """Whether all fields are of dates, or none is: "the 80s" is no rating."""
    dates = domain.catalogue.dates or ()
    return len({isinstance(each, FieldRef) and each.token in dates for each in fields}) == 1


def _orders(form: LogicalForm) -> Iterator[Measure | Aggregate]:
    """The fields that the form is ranked or sorted by, the last first."""
    for part in reversed(conjuncts(form)):
        if isinstance(part, Rank) or (isinstance(part, Display) and part.order is not None):
            yield part.field


def _is_bound(part: LogicalForm) -> bool:
    """Whether a part compares a number."""
    inner = part.part if isinstance(part, Not) else part
    return isinstance(inner, Relational) and inner.op not in _EQUALITY


def _names_a_field(domain: TableDomain, reading: Reading) -> bool:
    """Whether some field was named, and not supplied by the parser ("above 1bn")."""
    said = f" {' '.join(plain_word(word.lstrip('#').lower()) for word in reading.words)} "
    names = (
        " ".join(map(plain_word, split(name.lower())))
        for token in reading.tokens
        if token in domain.catalogue.fields
        for name in (*domain.wordings(token), *domain.cues(token))
    )
    return any(f" {name} " in said for name in names)


def _joined(parts: Sequence[LogicalForm]) -> LogicalForm:
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def words_of(domain: TableDomain, part: LogicalForm) -> str:
    """A part of a form in words."""
    if isinstance(part, And | Or):
        word = " and " if isinstance(part, And) else " or "
        return word.join(words_of(domain, each) for each in part.parts)
    return in_words(domain, to_tokens(part))
