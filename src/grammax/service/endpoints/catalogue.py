"""Endpoints of the catalogue: search is open to all; changes need the token."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from starlette.datastructures import Headers

from grammax.errors import FileFormatError
from grammax.language.changes import Changes, ChangesRefused, NewValue
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused, fixed_catalogue
from grammax.service.schemas import catalogue
from grammax.service.snapshot.snapshot import Snapshot
from grammax.service.worker import Worker


async def search_catalogue(
    worker: Worker, context: RequestContext, asked: catalogue.CatalogueQuery
) -> catalogue.Catalogue:
    """Search values and fields; without a text, list those of a kind, or those that were added."""
    del context
    snapshot = worker.warm_snapshot()
    entries = await worker.compute(lambda: _entries(snapshot, asked), asked.limit)
    return catalogue.Catalogue(snapshot.version, entries)


async def add_to_catalogue(
    worker: Worker, context: RequestContext, asked: catalogue.AddRequest
) -> catalogue.Changed:
    """Add values and fields, all or none. All workers use them within half a second."""
    values = [NewValue(v.name, v.kind, v.aliases, v.token) for v in asked.values]
    context.details["added"] = [value.name for value in values]
    worker.warm_snapshot()
    return await _change(worker, lambda: worker.catalogue.add(values))


async def remove_from_catalogue(
    worker: Worker, context: RequestContext, token: str
) -> catalogue.Changed:
    """Remove a value or a field, so that it is never predicted again."""
    context.details["removed"] = token
    if token not in worker.warm_snapshot().domain.vocabulary:
        raise RequestRefused(
            404,
            "unknown_token",
            f"There is no token {token[:100]!r}.",
            "GET /catalogue?search=NAME finds tokens.",
        )
    return await _change(worker, lambda: worker.catalogue.remove([token]))


def require_changeable(worker: Worker, headers: Headers) -> None:
    """Raise `RequestRefused` if the catalogue cannot be changed, or the client has no token."""
    if worker.snapshot.changes is None:
        raise fixed_catalogue(worker.snapshot.domain.name)
    if worker.settings.token is None:
        raise RequestRefused(
            403,
            "changes_off",
            "This service was started without a token, so its catalogue cannot be changed.",
            "Start it with --token-file FILE, or with GRAMMAX_TOKEN set.",
        )
    if not _shown_token(headers):
        raise RequestRefused(
            401,
            "token_missing",
            "Changes of the catalogue need a token.",
            "Send the header Authorization: Bearer TOKEN.",
            {"WWW-Authenticate": "Bearer"},
        )
    if not has_token(worker, headers):
        raise RequestRefused(403, "token_wrong", "The token is not the one of this service.")


def has_token(worker: Worker, headers: Headers) -> bool:
    """Whether a client has sent the token of the service."""
    token = worker.settings.token
    return token is not None and hmac.compare_digest(_shown_token(headers).encode(), token.encode())


def _shown_token(headers: Headers) -> str:
    scheme, _, shown = headers.get("authorization", "").partition(" ")
    return shown.strip() if scheme.lower() == "bearer" else ""


def _entries(snapshot: Snapshot, asked: catalogue.CatalogueQuery) -> list[catalogue.Entry]:
    domain, vocabulary = snapshot.domain, snapshot.domain.vocabulary
    kind = _kind(asked.kind, snapshot)
    if asked.search.strip():
        most = asked.limit if kind is None else 20 * asked.limit
        entries = snapshot.search(asked.search, most)
        found = [catalogue.Entry(*each) for each in entries if kind in (None, each.kind)]
    elif kind is not None:
        tokens = vocabulary.tokens_of(kind)[: asked.limit]
        wordings = ((token, *domain.wordings(token)) for token in tokens)
        found = [catalogue.Entry(token, kind, name, tuple(rest)) for token, name, *rest in wordings]
    else:
        found = _added(snapshot.changes or Changes())
    return found[: asked.limit]


def _kind(given: str, snapshot: Snapshot) -> str | None:
    """A kind of the vocabulary, by its own name or in words."""
    if not given.strip():
        return None
    kinds = snapshot.domain.vocabulary.kinds
    found = given if given in kinds else snapshot.domain.kind_named(given)
    if found is None:
        shown = ", ".join(kind for kind in kinds if not kind.startswith('"'))
        message = f"There is no kind {given[:100]!r}."
        raise RequestRefused(422, "unknown_kind", message, f"The kinds are {shown}.")
    return found


async def _change(
    worker: Worker, change: Callable[[], tuple[Snapshot, Snapshot]]
) -> catalogue.Changed:
    """Change the catalogue in a thread; return the added and removed entries."""
    try:
        before, after = await worker.in_thread(change)
    except ChangesRefused as refused:
        hint = "Nothing was changed. Correct the values, and send all of them again."
        raise RequestRefused(422, "changes_refused", str(refused), hint) from refused
    except (FileFormatError, OSError) as error:
        message = f"The file of changes cannot be used: {error}"
        headers = {"Retry-After": "60"}
        raise RequestRefused(503, "changes_unreadable", message, headers=headers) from error
    worker.retire(before)
    return _changed(before, after)


def _changed(before: Snapshot, after: Snapshot) -> catalogue.Changed:
    old, new = before.changes or Changes(), after.changes or Changes()
    added = Changes(tuple(value for value in new.added if value not in set(old.added)))
    removed = [token for token in new.removed if token not in set(old.removed)]
    removed += [v.token for v in old.added if v.token not in after.domain.vocabulary]
    return catalogue.Changed(after.version, _added(added), removed)


def _added(changes: Changes) -> list[catalogue.Entry]:
    return [catalogue.Entry(v.token, v.kind, v.name, v.aliases) for v in changes.added]
