"""POST /edit: a follow-up such as "now french", or one change of a chip, edits a logical form.

A follow-up is parsed as any query is. The result is accepted by the automaton of the exact grammar
and well typed; otherwise the answer says why not, and what is permitted (`grammax.tables.edits`).
"""

from __future__ import annotations

from typing import Final

from grammax.errors import GrammaxError
from grammax.language.domain import Tokens
from grammax.parser import Parsed
from grammax.service.endpoints.render import chips
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused, bad_form
from grammax.service.http.limits import check_form_length, record_query
from grammax.service.schemas import editing
from grammax.service.snapshot.snapshot import Snapshot, has_slots
from grammax.service.worker import Worker
from grammax.tables.domain import TableDomain
from grammax.tables.edits.changes import with_column, with_condition, with_number, without
from grammax.tables.edits.said import follow_up_edit, words_of
from grammax.tables.edits.validity import BadEdit
from grammax.tables.form.follow_up import conjuncts

_CHANGES: Final = ("text", "add_column", "add_condition", "set_number", "remove")
_PARSES: Final = 6  # a follow-up is parsed some times, and a word takes as long as two tokens


async def edit(
    worker: Worker, context: RequestContext, asked: editing.EditRequest
) -> editing.Edited:
    """Edit a logical form by a follow-up or a change; new tokens come from the request alone."""
    given = [name for name in _CHANGES if getattr(asked, name) is not None]
    if len(given) != 1:
        raise RequestRefused(
            422,
            "invalid_request",
            f"Exactly one change is needed, and {len(given)} were given.",
            f"Send one of {', '.join(_CHANGES)}.",
        )
    if asked.text is not None:
        record_query(context, asked.text, worker.limits)
    context.details["edit"] = given[0]
    snapshot, current = worker.snapshot, tuple(asked.tokens)
    check_form_length(len(current), worker.limits)
    size = len(current) + _PARSES * (context.words or 0)
    longest = worker.limits.tokens
    edited = await worker.compute(lambda: _edit(snapshot, current, asked, longest), size)
    if edited.understood:
        context.details["lf"] = edited.lf
    return edited


def _edit(
    snapshot: Snapshot, current: Tokens, asked: editing.EditRequest, longest: int
) -> editing.Edited:
    domain = snapshot.domain
    try:
        domain.require_meaning(current)
        if not has_slots(domain):
            snapshot.automaton.read(current)
    except GrammaxError as error:
        raise bad_form(error) from error
    if not isinstance(domain, TableDomain):
        return _unchanged(snapshot, current, "The forms of this domain are not edited.")
    try:
        made = _changed(snapshot, domain, current, asked)
    except BadEdit as problem:
        return _unchanged(snapshot, current, str(problem))
    if len(made) > longest:
        why = f"A search has at most {longest} tokens. Remove something first."
        return _unchanged(snapshot, current, why)
    return _edited(snapshot, domain, current, made)


def _changed(
    snapshot: Snapshot, domain: TableDomain, current: Tokens, asked: editing.EditRequest
) -> Tokens:
    """The form with the change. Raises `BadEdit`, which says what is permitted."""
    if asked.add_column is not None:
        return with_column(domain, current, asked.add_column)
    if asked.add_condition is not None:
        new = asked.add_condition
        return with_condition(domain, current, new.field, new.op, new.value)
    if asked.set_number is not None:
        return with_number(domain, current, asked.set_number.place, asked.set_number.text)
    if asked.remove is not None:
        return without(domain, current, asked.remove.place)

    def parse(text: str) -> Parsed:
        return snapshot.parser.parse(text, offer=False)

    return follow_up_edit(domain, current, asked.text or "", parse)


def _edited(snapshot: Snapshot, domain: TableDomain, old: Tokens, made: Tokens) -> editing.Edited:
    before, after = conjuncts(domain.form(old)), conjuncts(domain.form(made))
    return editing.Edited(
        understood=True,
        why="",
        tokens=made,
        lf=domain.text(made),
        paraphrase=domain.paraphrase(made),
        chips=chips(made, snapshot),
        added=tuple(words_of(domain, part) for part in after if part not in before),
        removed=tuple(words_of(domain, part) for part in before if part not in after),
    )


def _unchanged(snapshot: Snapshot, tokens: Tokens, why: str) -> editing.Edited:
    domain = snapshot.domain
    return editing.Edited(
        understood=False,
        why=why,
        tokens=tokens,
        lf=domain.text(tokens),
        paraphrase=domain.paraphrase(tokens),
        chips=chips(tokens, snapshot),
        added=(),
        removed=(),
    )
