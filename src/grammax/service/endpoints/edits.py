"""POST /edit: a follow-up such as "now french" edits the current logical form.

The follow-up is parsed as any query is, and its constraints are combined with those of the form
(`grammax.tables.form.follow_up`). The result must be accepted by the automaton of the exact grammar
and be well typed; otherwise the answer says that the text was not understood as a follow-up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grammax.errors import GrammaxError
from grammax.language.domain import Tokens
from grammax.parser import Parsed
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import bad_form
from grammax.service.http.limits import check_form_length, record_query
from grammax.service.schemas import editing
from grammax.service.snapshot.snapshot import Snapshot
from grammax.service.worker import Worker
from grammax.tables.domain import TableDomain
from grammax.tables.form.follow_up import conjuncts, follow_up, measures, with_field
from grammax.tables.form.text import to_tokens
from grammax.tables.form.tree import LogicalForm, Not, Relational

_LEADING: Final = re.compile(r"(now|only|and|but|instead|also|or|then|just|please)\b[\s,]*", re.I)
_PARSES: Final = 6  # three parses of the text, of two tokens' time per word
_WIDENING: Final = re.compile(r"(and|also|or|plus)\b", re.I)


async def edit(
    worker: Worker, context: RequestContext, asked: editing.EditRequest
) -> editing.Edited:
    """Edit a logical form by a follow-up; every new token is one of the follow-up's own parse."""
    record_query(context, asked.text, worker.limits)
    snapshot, current = worker.snapshot, tuple(asked.tokens)
    check_form_length(len(current), worker.limits)
    size = len(current) + _PARSES * (context.words or 0)
    edited = await worker.compute(
        lambda: _edit(snapshot, current, asked.text, worker.limits.tokens), size
    )
    if edited.understood:
        context.details["lf"] = edited.lf
    return edited


def _edit(snapshot: Snapshot, current: Tokens, text: str, most_tokens: int) -> editing.Edited:
    domain = snapshot.domain
    try:
        domain.require_meaning(current)
        snapshot.automaton.read(current)
    except GrammaxError as error:
        raise bad_form(error) from error
    if not isinstance(domain, TableDomain):
        return _unchanged(snapshot, current, "This domain has no follow-ups.")
    parsed = _parsed(snapshot, text)
    if parsed is None:
        return _unchanged(snapshot, current, "The follow-up was not understood.")
    old = domain.form(current)
    for said in _readings(domain, old, parsed):
        made = follow_up(old, said, _WIDENING.match(text.strip()) is not None)
        tokens = to_tokens(made)
        if tokens != current and _is_valid(snapshot, tokens, most_tokens):
            return _edited(domain, old, made, tokens)
    return _unchanged(snapshot, current, "Together with the current search it has no meaning.")


def _parsed(snapshot: Snapshot, text: str) -> Parsed | None:
    """The parse of a follow-up: as it is, or without its first words; None if all abstain."""
    rest = text.strip()
    while match := _LEADING.match(rest):
        rest = rest[match.end() :]
    texts = dict.fromkeys((text.strip(), rest, f"{snapshot.domain.nouns[1]} {rest}"))
    if not rest:
        return None
    parses = (snapshot.parser.parse(each, offer=False) for each in texts)
    return next((each for each in parses if not each.abstains and not each.uncovered), None)


def _readings(domain: TableDomain, old: LogicalForm, parsed: Parsed) -> Iterator[LogicalForm]:
    """The follow-up with a field of the current form, where it names none; then as it is."""
    said = domain.form(parsed.tokens)
    if _names_no_field(domain, said, parsed):
        yield from (with_field(said, field) for field in measures(old))
    yield said


def _names_no_field(domain: TableDomain, said: LogicalForm, parsed: Parsed) -> bool:
    """Whether the field of a comparison was supplied by the parser ("above 1bn")."""
    part = said.part if isinstance(said, Not) else said
    if not isinstance(part, Relational) or part.op in ("EQ", "NEQ", "CONTAINS"):
        return False
    names = {
        word.lower()
        for token in parsed.tokens
        if "_FIELD" in domain.vocabulary.kinds[domain.vocabulary.kind_of(token) or 0]
        for name in (*domain.wordings(token), *domain.cues(token))
        for word in name.split()
    }
    return not names & {word.lstrip("#").lower() for word in parsed.words}


def _is_valid(snapshot: Snapshot, tokens: Tokens, longest: int) -> bool:
    try:
        snapshot.domain.require_meaning(tokens)
        state = snapshot.automaton.read(tokens)
    except GrammaxError:
        return False
    return len(tokens) <= longest and snapshot.automaton.accepts(state)


def _edited(
    domain: TableDomain, old: LogicalForm, made: LogicalForm, tokens: Tokens
) -> editing.Edited:
    before, after = conjuncts(old), conjuncts(made)
    return editing.Edited(
        understood=True,
        why="",
        tokens=tokens,
        lf=domain.text(tokens),
        paraphrase=domain.paraphrase(tokens),
        added=tuple(_words(domain, part) for part in after if part not in before),
        removed=tuple(_words(domain, part) for part in before if part not in after),
    )


def _words(domain: TableDomain, part: LogicalForm) -> str:
    chips = domain.chips(to_tokens(part))
    pieces = [chip.label if chip.role != "number" else f"\0{chip.label}" for chip in chips
              if chip.role != "bracket"]  # fmt: skip
    return re.sub(r"(?<=\d) ?\0", "", " ".join(pieces).replace(" \0.", "\0.")).replace("\0", "")


def _unchanged(snapshot: Snapshot, tokens: Tokens, why: str) -> editing.Edited:
    domain = snapshot.domain
    return editing.Edited(
        False, why, tokens, domain.text(tokens), domain.paraphrase(tokens), (), ()
    )
