"""Around every request: its id, its line in the log and the audit, headers, and what went wrong."""

from __future__ import annotations

import asyncio
import traceback
from typing import Any, Final, final

from grammax.service.log import now
from grammax.service.note import Note, begin
from grammax.service.worker import Worker

_POLICY: Final = (
    b"default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    b"form-action 'self'; frame-ancestors 'none'"
)
_SAFE: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"content-security-policy",
        _POLICY,
    ),
]


@final
class Edge:
    """The application that the server calls; the one inside never sees what is not HTTP."""

    def __init__(self, inside: Any, worker: Worker) -> None:
        self.inside = inside
        self.worker = worker

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.inside(scope, receive, send)
            return
        note = begin(scope)
        worker = self.worker

        async def send_noted(message: Any) -> None:
            if message["type"] == "http.response.start":
                note.status = message["status"]
                message["headers"] = [
                    *message["headers"],
                    (b"x-request-id", note.id.encode()),
                    *_SAFE,
                ]
                if worker.audit is not None and note.method in ("POST", "DELETE"):
                    await asyncio.wrap_future(worker.audit.append(_audited(note)))
            await send(message)

        worker.metrics.in_flight.inc()
        try:
            await self.inside(scope, receive, send_noted)
        except Exception:  # a bug: the client has its 500, and whoever runs the service this
            line = {"time": now(), "level": "error", "request_id": note.id, "path": _route(scope)}
            worker.log.write(line | {"traceback": traceback.format_exc()})
        finally:
            worker.metrics.in_flight.dec()
            worker.metrics.requested(_route(scope), note.status, note.seconds)
            if not worker.settings.quiet:
                worker.log.write(_logged(note, worker.settings.log_queries))


def _route(scope: Any) -> str:
    """The path as it was declared, so that clients cannot make up new ones."""
    route = scope.get("route")
    return getattr(route, "path", "other")


def _logged(note: Note, texts: bool) -> dict[str, Any]:
    line: dict[str, Any] = {
        "time": now(),
        "request_id": note.id,
        "method": note.method,
        "path": note.path[:200],
        "status": note.status,
        "seconds": round(note.seconds, 6),
    }
    if note.words is not None:
        line["words"] = note.words
    return line | {key: note.facts[key] for key in ("query",) if texts and key in note.facts}


def _audited(note: Note) -> dict[str, Any]:
    return {
        "time": now(),
        "request_id": note.id,
        "method": note.method,
        "path": note.path[:200],
        "status": note.status,
        **note.facts,
    }
