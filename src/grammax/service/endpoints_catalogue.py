"""The catalogue's addresses: anyone may search it, and who has the token may change it."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from grammax.errors import FileFormatError
from grammax.language.capabilities import Entry
from grammax.language.changes import ChangesRefused, NewValue
from grammax.service import bodies
from grammax.service import request_schemas as requests
from grammax.service.note import noted
from grammax.service.refusals import Refusal, fixed_catalogue
from grammax.service.replies import json_response
from grammax.service.serving import Serving
from grammax.service.shown import Json
from grammax.service.worker import Worker


async def search_catalogue(worker: Worker, request: Request) -> Response:
    """Look up values and fields; without a text those of a kind, or those that were added."""
    asked = bodies.checked(dict(request.query_params), requests.CatalogueQuery)
    with worker.turn():
        await asyncio.sleep(0)
        serving = worker.warm_serving()
        found = _entries(serving, asked)
        return json_response({"version": serving.version, "entries": found})


async def add_to_catalogue(worker: Worker, request: Request) -> Response:
    """Add values and fields, all or none. All workers know them within half a second."""
    require_changeable(worker, request)
    asked = await bodies.read(request, requests.AddRequest, worker.limits)
    values = [NewValue(v.name, v.kind, tuple(v.aliases), v.token) for v in asked.values]
    noted(request.scope).facts["added"] = [value.name for value in values]
    with worker.turn():
        worker.warm_serving()
        return await _change(worker, lambda: worker.catalogue.add(values))


async def remove_from_catalogue(worker: Worker, request: Request) -> Response:
    """Remove a value or a field: it is never predicted again."""
    require_changeable(worker, request)
    token = request.path_params["token"]
    noted(request.scope).facts["removed"] = token
    with worker.turn():
        if token not in worker.warm_serving().domain.vocabulary:
            raise Refusal(
                404,
                "unknown_token",
                f"There is no token {token[:100]!r}.",
                "GET /catalogue?search=NAME finds tokens.",
            )
        return await _change(worker, lambda: worker.catalogue.remove([token]))


def require_changeable(worker: Worker, request: Request) -> None:
    """`Refusal` where nothing changes, and for a client that does not show the token."""
    if worker.serving.is_plain:
        raise fixed_catalogue(worker.serving.domain.name)
    if worker.settings.token is None:
        raise Refusal(
            403,
            "changes_off",
            "This service was started without a token, so its catalogue cannot be changed.",
            "Start it with --token-file FILE, or with GRAMMAX_TOKEN set.",
        )
    given = request.headers.get("authorization", "")
    scheme, _, shown = given.partition(" ")
    if scheme.lower() != "bearer" or not shown:
        raise Refusal(
            401,
            "token_missing",
            "Changes of the catalogue need a token.",
            "Send the header Authorization: Bearer TOKEN.",
            {"WWW-Authenticate": "Bearer"},
        )
    if not hmac.compare_digest(shown.strip().encode(), worker.settings.token.encode()):
        raise Refusal(403, "token_wrong", "The token is not the one of this service.")


def _entries(serving: Serving, asked: requests.CatalogueQuery) -> list[Json]:
    domain, vocabulary = serving.domain, serving.domain.vocabulary
    kind = _kind(asked.kind, serving)
    if asked.search.strip():
        most = asked.limit if kind is None else 20 * asked.limit
        found = [e for e in serving.search(asked.search, most) if kind in (None, e.kind)]
    elif kind is not None:
        tokens = vocabulary.tokens_of(kind)[: asked.limit]
        wordings = ((token, domain.wordings(token)) for token in tokens)
        found = [Entry(token, kind, names[0], tuple(names[1:])) for token, names in wordings]
    else:
        added = domain.changes.added
        found = [Entry(v.token, v.kind, v.name, v.aliases) for v in added]
    return [entry._asdict() for entry in found[: asked.limit]]


def _kind(given: str, serving: Serving) -> str | None:
    """A kind of the vocabulary, by its own name or by what people call it."""
    if not given.strip():
        return None
    kinds = serving.domain.vocabulary.kinds
    found = given if given in kinds else serving.domain.kind_named(given)
    if found is None:
        shown = ", ".join(kind for kind in kinds if not kind.startswith('"'))
        message = f"There is no kind {given[:100]!r}."
        raise Refusal(422, "unknown_kind", message, f"There are {shown}.")
    return found


async def _change(worker: Worker, change: Callable[[], tuple[Serving, Serving]]) -> Response:
    """Make a change to the catalogue, in a thread, and tell what came and went."""
    try:
        before, after = await worker.in_thread(change)
    except ChangesRefused as refused:
        hint = "Nothing was changed; send what is right."
        raise Refusal(422, "changes_refused", str(refused), hint) from refused
    except (FileFormatError, OSError) as error:
        message = f"The file of changes cannot be used: {error}"
        raise Refusal(503, "changes_unreadable", message, headers={"Retry-After": "60"}) from error
    worker.retire(before)
    return json_response(_changed(before, after))


def _changed(before: Serving, after: Serving) -> Json:
    was, now_ = before.domain.changes, after.domain.changes
    added = [
        Entry(v.token, v.kind, v.name, v.aliases)._asdict()
        for v in now_.added
        if v not in set(was.added)
    ]
    gone = [t for t in now_.removed if t not in set(was.removed)]
    gone += [v.token for v in was.added if v.token not in after.domain.vocabulary]
    return {"version": after.version, "added": added, "removed": gone}
