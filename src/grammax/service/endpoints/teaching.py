"""Words that users teach: what a correction offers to remember, and how it is remembered.

A table that is served from a folder with a `schema.toml` remembers words there. Another domain
whose catalogue can change remembers names of its fields and values in the file of its changes. Both
use them at once. A service that other machines can reach remembers none, unless it is told to.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from shlex import quote
from typing import Final

from grammax.errors import GrammaxError
from grammax.language.domain import Tokens
from grammax.parser import Parsed
from grammax.reading.words import split
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
from grammax.tables.teach.lesson import Lesson, TeachError
from grammax.tables.teach.offers import Offer, offers
from grammax.tables.teach.words import teach_column_name, teach_row_name, teach_value_name

_SEARCHED: Final = 20  # names that a word may be already


def can_teach(worker: Worker) -> bool:
    """Whether words that users teach are remembered."""
    return worker.settings.teach and (_folder(worker) is not None or _has_names(worker))


def offered(worker: Worker, snapshot: Snapshot, query: str, tokens: Tokens) -> list[teaching.Offer]:
    """What a correction offers to remember."""
    domain = snapshot.domain
    if not can_teach(worker) or not worker.is_warm:
        return []
    parsed: Parsed = snapshot.parser.parse(query, offer=False)
    found = offers(domain, parsed, tokens, snapshot.search)
    if _folder(worker) is None:  # other nouns for a row are kept in a folder only
        found = [offer for offer in found if offer.token]
    return [_response(offer) for offer in found]


def when_learnt(worker: Worker, has_offers: bool = False) -> str:
    """Sentences about when a correction is used; commands are in backticks, and paths left out."""
    name, folder = worker.settings.domain, _folder(worker)
    if not worker.settings.teach:
        return (
            "Stored for the next training. Nothing changes at once, because other machines can "
            "reach this service; one that is started with `--teach` remembers words at once."
        )
    stored = (
        "Stored. A word that you choose here is used at once; the whole reading is used after"
        if has_offers
        else "Stored. Nothing changes at once; the reading is used after"
    )
    if folder is not None:
        shown = folder.name if folder.is_absolute() else str(folder)
        return f"{stored} `grammax train {quote(shown)} --overwrite`."
    if not names_data(name):
        shown = quote(Path(name).name)
        with_file = "" if worker.settings.corrections is None else " --corrections FILE"
        train = f"`grammax train {shown}{with_file} --overwrite`"
        file = " with the file that this service was given" if with_file else ""
        if Path(name).is_dir() and worker.settings.model is None:  # a new training is followed
            return f"{stored} {train}{file}."
        where = "" if Path(name).is_dir() else f" --model runs/{shown}/model.safetensors"
        return f"{stored} {train}{file}, then `grammax serve {shown}{where}`."
    shown, made = without_password(name), short_name(name)
    if not is_url(name):
        shown = Path(name).name
    return (
        f"Stored. To use it, and to remember words, a folder is needed: `grammax new {quote(made)} "
        f"--from {quote(shown)}`, then `grammax serve {quote(made)}`."
    )


async def teach(
    worker: Worker, context: RequestContext, asked: teaching.TeachRequest
) -> teaching.Learnt:
    """Remember that a word names a column, a value or a row; it is used at once."""
    context.details["word"] = asked.word
    if _folder(worker) is None and not _has_names(worker):
        raise RequestRefused(
            409,
            "no_folder",
            "Words are remembered in the folder of a table, and none is served.",
            when_learnt(worker),
        )
    if not worker.settings.teach:
        raise RequestRefused(
            403,
            "teaching_off",
            "This service does not remember words, because other machines can reach it.",
            "Start it with --teach, or use `grammax teach`.",
        )
    if _folder(worker) is None:
        return await _named(worker, asked)
    try:
        lesson = await asyncio.to_thread(_taught, worker, asked)
        await worker.reload()
    except GrammaxError as error:
        raise _refused(error) from error
    return teaching.Learnt(
        lesson.change, Path(lesson.file).name, lesson.section, lesson.line, worker.snapshot.version
    )


async def _named(worker: Worker, asked: teaching.TeachRequest) -> teaching.Learnt:
    """Give a field or a value another name, in the file of the catalogue's changes."""
    snapshot = worker.warm_snapshot()
    domain, word = snapshot.domain, " ".join(asked.word.split()).lower()
    try:
        _require_free(snapshot, word, asked.token)
        before, after = await worker.in_thread(lambda: worker.catalogue.name(asked.token, word))
    except OSError as error:
        raise RequestRefused(
            503,
            "not_stored",
            f"The name could not be stored: {error.strerror}.",
            "Tell the operator of the service, and send it again later.",
            {"Retry-After": "60"},
        ) from error
    except GrammaxError as error:
        raise _refused(error) from error
    worker.retire(before)
    change = f"{word!r} means {domain.label(asked.token)}."
    return teaching.Learnt(change, worker.settings.catalogue_path.name, "", 0, after.version)


def _require_free(snapshot: Snapshot, word: str, token: str) -> None:
    """Raise unless a token exists, and a word is no name of another one."""
    domain = snapshot.domain
    if not token:
        raise TeachError("Another noun for a row can be remembered in the folder of a table only.")
    if token not in domain.vocabulary or not domain.wordings(token):
        raise TeachError(f"There is no field or value {token!r:.60}. GET /catalogue finds tokens.")
    wanted = split(word)
    for entry in snapshot.search(word, _SEARCHED):
        if entry.token != token and any(
            split(name.lower()) == wanted for name in (entry.name, *entry.aliases)
        ):
            raise TeachError(f"{word!r} is a name of {entry.name} already. Choose another word.")


def _refused(error: GrammaxError) -> RequestRefused:
    return RequestRefused(422, "cannot_teach", str(error), "Choose another word.")


def _has_names(worker: Worker) -> bool:
    """Whether fields and values of what is served can get other names; those of data cannot."""
    return worker.snapshot.changes is not None and not names_data(worker.settings.domain)


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
