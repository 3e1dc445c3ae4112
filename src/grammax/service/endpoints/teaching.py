"""Words that users teach: what a correction offers to remember, and how it is remembered.

A table that is served from a folder with a `schema.toml` remembers words there, and uses them at
once. What is served from a file, and a service that other machines can reach, remembers none.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from grammax.errors import GrammaxError
from grammax.language.domain import Tokens
from grammax.parser import Parsed
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused
from grammax.service.schemas import teaching
from grammax.service.snapshot.snapshot import Snapshot
from grammax.service.worker import Worker
from grammax.tables.data_files import (
    is_schema_folder,
    is_url,
    names_data,
    short_name,
    without_password,
)
from grammax.tables.domain import TableDomain
from grammax.tables.teach.lesson import Lesson
from grammax.tables.teach.offers import Offer, offers
from grammax.tables.teach.words import teach_column_name, teach_row_name, teach_value_name


def can_teach(worker: Worker) -> bool:
    """Whether words that users teach are remembered."""
    return worker.settings.teach and _folder(worker) is not None


def offered(worker: Worker, snapshot: Snapshot, query: str, tokens: Tokens) -> list[teaching.Offer]:
    """What a correction offers to remember."""
    domain = snapshot.domain
    if not can_teach(worker) or not isinstance(domain, TableDomain):
        return []
    parsed: Parsed = snapshot.parser.parse(query, offer=False)
    return [_response(offer) for offer in offers(domain, parsed, tokens)]


def when_learnt(worker: Worker) -> str:
    """A sentence about when, and where, a correction is used; empty if there is nothing to add."""
    name, folder = worker.settings.domain, _folder(worker)
    if folder is not None:  # clients need not know where it is
        return f"The reading is learnt by the next `grammax train {folder.name}`."
    if not names_data(name):
        return ""
    shown, made = without_password(name), short_name(name)
    if not is_url(name):
        shown = Path(name).name
    return (
        f"To use it, and to remember words, a folder is needed: `grammax new {made} --from "
        f"{shown}`, then `grammax serve {made}`."
    )


async def teach(
    worker: Worker, context: RequestContext, asked: teaching.TeachRequest
) -> teaching.Learnt:
    """Remember that a word names a column, a value or a row; it is used at once."""
    context.details["word"] = asked.word
    if _folder(worker) is None:
        raise RequestRefused(
            409,
            "no_folder",
            "Words are remembered in the folder of a table, and none is served.",
            when_learnt(worker) or "Serve a folder that `grammax new DIR --from DATA` made.",
        )
    if not worker.settings.teach:
        raise RequestRefused(
            403,
            "teaching_off",
            "This service does not remember words, because other machines can reach it.",
            "Start it with --teach, or use `grammax teach`.",
        )
    try:
        lesson = await asyncio.to_thread(_taught, worker, asked)
        await worker.reload()
    except GrammaxError as error:
        raise RequestRefused(422, "cannot_teach", str(error), "Choose another word.") from error
    return teaching.Learnt(
        lesson.change, Path(lesson.file).name, lesson.section, lesson.line, worker.snapshot.version
    )


def _taught(worker: Worker, asked: teaching.TeachRequest) -> Lesson:
    """Write what was taught; opening the data to check it may take seconds."""
    folder = _folder(worker)
    assert folder is not None
    if not asked.token:
        return teach_row_name(folder, asked.word)
    domain = worker.snapshot.domain
    if asked.token in domain.vocabulary and asked.field:
        return teach_value_name(folder, asked.field, domain.wordings(asked.token)[0], asked.word)
    return teach_column_name(folder, asked.token, asked.word)


def _folder(worker: Worker) -> Path | None:
    """The folder of the table that is served."""
    name = worker.settings.domain
    folder = Path(name).expanduser()
    return folder if not is_url(name) and is_schema_folder(folder) else None


def _response(offer: Offer) -> teaching.Offer:
    return teaching.Offer(offer.word, offer.token, offer.field, offer.meaning)
