"""Middleware of every request: its id, security headers, the audit file, the log, the metrics."""

from __future__ import annotations

import asyncio
import traceback
from typing import Any, Final, final

from grammax.service.appended import AppendedFile
from grammax.service.http.clients import client_name
from grammax.service.http.context import RequestContext, new_context
from grammax.service.http.errors import RequestRefused, not_audited, refusal
from grammax.service.http.origins import require_own_origin
from grammax.service.http.turns import CLIENT, Turns
from grammax.service.log import LOGGER, now
from grammax.service.metrics import Metrics
from grammax.service.settings import Settings

_CONTENT_POLICY: Final = (
    b"default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    b"form-action 'self'; frame-ancestors 'none'"
)
_SECURITY_HEADERS: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", _CONTENT_POLICY),
]


@final
class RequestMiddleware:
    """An ASGI middleware; scopes other than HTTP pass through."""

    def __init__(
        self,
        app: Any,
        settings: Settings,
        metrics: Metrics,
        audit: AppendedFile | None,
        turns: Turns,
    ) -> None:
        self._app = app
        self.settings = settings
        self._metrics = metrics
        self._audit = audit
        self._turns = turns

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        context = new_context(scope)
        if self.settings.root_path and not await _place(scope, self.settings.root_path, send):
            return
        client = client_name(context.client)
        CLIENT.set(client)
        await self._turns.turn(client)

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                added = ((b"x-request-id", context.id.encode()), *_SECURITY_HEADERS)
                message["headers"] = [*message["headers"], *added]
            await send(message)

        async def send_recorded(message: Any) -> None:
            if message["type"] == "http.response.start":
                context.status = message["status"]
                if not await self._is_audited(context):
                    context.status = (refused := not_audited()).status
                    await refusal(context.id, refused)(scope, receive, send_with_headers)
                    raise _AuditFailed
            await send_with_headers(message)

        self._metrics.in_flight.inc()
        try:
            require_own_origin(scope, self.settings.hosts)
            await self._app(scope, receive, send_recorded)
        except RequestRefused as refused:
            await refusal(context.id, refused)(scope, receive, send_recorded)
        except _AuditFailed:
            pass  # the client has received the refusal
        except Exception:  # a bug: the client has received a 500, and the log gets the traceback
            line = {"time": now(), "level": "error", "request_id": context.id}
            line |= {"path": _route(scope), "traceback": traceback.format_exc()}
            LOGGER.error(line)
        finally:
            self._metrics.in_flight.dec()
            self._metrics.requested(_route(scope), context.status, context.seconds)
            if not self.settings.quiet:
                LOGGER.info(_log_line(context, self.settings.log_queries))

    async def _is_audited(self, context: RequestContext) -> bool:
        """Write the line of a response; False if it is the first of its request and is not written.

        A change that was made has a line already, and its client must know that it was made.
        """
        if self._audit is None or context.method not in ("POST", "DELETE"):
            return True
        try:
            await asyncio.wrap_future(self._audit.append(context.audit_record()))
        except OSError as error:
            LOGGER.error("The audit file cannot be written: %s", error.strerror)
            self._metrics.audit_failing.set(1)
            return context.is_audited
        self._metrics.audit_failing.set(0)
        return True


async def _place(scope: Any, root: str, send: Any) -> bool:
    """Let routes find a path below the root, whether a proxy has stripped that or not.

    False if the root itself was asked for without a slash: links of the page would lead elsewhere.
    """
    path: str = scope["path"]
    if path == root and scope["method"] in ("GET", "HEAD"):
        query = scope["query_string"]
        headers = [
            (b"location", root.encode() + b"/" + (b"?" + query if query else b"")),
            (b"content-length", b"0"),
            *_SECURITY_HEADERS,
        ]
        await send({"type": "http.response.start", "status": 308, "headers": headers})
        await send({"type": "http.response.body"})
        return False
    scope["root_path"] = root
    if not path.startswith(f"{root}/"):
        scope["path"], scope["raw_path"] = root + path, root.encode() + scope["raw_path"]
    return True


class _AuditFailed(Exception):
    """The rest of a response that is not sent."""


def _route(scope: Any) -> str:
    """The path of the route as declared, so that clients cannot create new labels of metrics."""
    return getattr(scope.get("route"), "path", "other")


def _log_line(context: RequestContext, with_texts: bool) -> dict[str, Any]:
    line = context.summary() | {"seconds": round(context.seconds, 6)}
    if context.words is not None:
        line["words"] = context.words
    if with_texts and "query" in context.details:
        line["query"] = context.details["query"]
    return line
