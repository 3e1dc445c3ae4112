"""Errors of requests: status, code, message and hint, always in the same JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from grammax.errors import GrammaxError
from grammax.language.answer import NoSuchColumn
from grammax.service.http.context import context_of
from grammax.service.http.private import without_paths
from grammax.service.schemas.base import Error, ErrorDetail, encode


class RequestRefused(GrammaxError):
    """A request that is answered with an error."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        hint: str = "",
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.headers = headers or {}

    def detail(self, request_id: str) -> ErrorDetail:
        """The error in the form that clients receive."""
        message, hint = without_paths(self.message), without_paths(self.hint)
        return ErrorDetail(self.code, message, hint, request_id)


def busy(requests: int) -> RequestRefused:
    """More requests at once than one worker takes."""
    return RequestRefused(
        429,
        "too_many_requests",
        f"{requests} requests are being handled already.",
        "Ask again after the seconds in Retry-After, or start the service with more workers.",
        {"Retry-After": "1"},
    )


def timed_out(seconds: float) -> RequestRefused:
    """Work that took longer than its time limit."""
    return RequestRefused(
        503,
        "timeout",
        f"There was no answer within {seconds:g} seconds.",
        "Ask for fewer rows or fields, or ask again later.",
        {"Retry-After": "2"},
    )


def store_down() -> RequestRefused:
    """A store that answers logical forms, and cannot be reached."""
    return RequestRefused(
        503,
        "store_down",
        "The store that answers cannot be reached.",
        "Ask again after the seconds in Retry-After; POST /parse works meanwhile.",
        {"Retry-After": "2"},
    )


def store_failed() -> RequestRefused:
    """A store that reported an error of its own."""
    return RequestRefused(
        503,
        "store_failed",
        "The store that answers reported an error.",
        "Tell the operator of the service: the log has the reason.",
        {"Retry-After": "10"},
    )


def store_busy() -> RequestRefused:
    """So many queries wait for the store that one more would be too late."""
    return RequestRefused(
        503,
        "store_busy",
        "The store that answers has more to do than it can do in time.",
        "Ask again after the seconds in Retry-After; POST /parse works meanwhile.",
        {"Retry-After": "2"},
    )


def client_left() -> RequestRefused:
    """A client that closed the connection before it had its answer; nobody reads this."""
    return RequestRefused(499, "client_left", "The connection was closed before the answer.")


def not_ready(what: str) -> RequestRefused:
    """A service that has only just started."""
    return RequestRefused(
        503,
        "not_ready",
        f"{what} is still being loaded.",
        "Ask again after the seconds in Retry-After; GET /health reports how far it is.",
        {"Retry-After": "1"},
    )


def not_audited() -> RequestRefused:
    """A request that is not handled because the audit file cannot be written."""
    return RequestRefused(
        503,
        "not_audited",
        "The audit file cannot be written, so nothing is changed or answered.",
        "Tell the operator of the service; GET /ready reports when it can be written again.",
        {"Retry-After": "60"},
    )


def bad_form(error: GrammaxError) -> RequestRefused:
    """Text or tokens that are not a well-typed logical form."""
    message = str(error).strip()
    hint = str(getattr(error, "hint", "") or "")
    return RequestRefused(
        422, "bad_logical_form", message, hint or "POST /next lists the tokens permitted there."
    )


def bad_sort(error: NoSuchColumn) -> RequestRefused:
    """An answer that has no column to be sorted by."""
    return RequestRefused(422, "bad_sort", str(error), error.hint)


def no_store(domain: str) -> RequestRefused:
    """A domain without a data store."""
    return RequestRefused(
        404,
        "no_answers",
        f"The domain {domain!r} has logical forms, but no store that answers them.",
        "POST /parse returns the logical form of a query.",
    )


def fixed_catalogue(domain: str) -> RequestRefused:
    """A domain whose values and fields cannot be changed."""
    return RequestRefused(
        409,
        "fixed_catalogue",
        f"The values and fields of the domain {domain!r} cannot be changed while it is served.",
        "Add them to its tables, train it, and start the service again.",
    )


def refusal(request_id: str, error: RequestRefused) -> Response:
    """The response to a request that is refused."""
    body = encode(Error(error.detail(request_id)))
    return Response(body, error.status, error.headers, "application/json")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestRefused)
    return refusal(context_of(request.scope).id, error)


async def _http_error(request: Request, error: Exception) -> Response:
    """Errors of Starlette: an unknown path, or a method that a path does not have."""
    assert isinstance(error, HTTPException)
    method, path = request.method, request.url.path[:200]
    hint = "GET /openapi.json lists all paths."
    if error.status_code == 404:
        refused = RequestRefused(404, "not_found", f"There is nothing at {path!r}.", hint)
    elif error.status_code == 405:
        refused = RequestRefused(405, "wrong_method", f"{path!r} does not take {method}.", hint)
    else:
        refused = RequestRefused(error.status_code, "refused", str(error.detail), hint)
    refused.headers.update(error.headers or {})
    return await _refused(request, refused)


async def _disconnected(request: Request, error: Exception) -> Response:
    """The client has disconnected and does not read this response."""
    del error
    hint = "Send the whole body."
    return await _refused(request, RequestRefused(400, "incomplete", "The body broke off.", hint))


async def _failed(request: Request, error: Exception) -> Response:
    """A bug: the traceback goes to the log, not to the client."""
    del error
    hint = "Give the request_id to the operator of the service: the log has the reason."
    return await _refused(request, RequestRefused(500, "bug", "An internal error occurred.", hint))


Handler = Callable[[Request, Exception], Awaitable[Response]]
error_handlers: Final[dict[type[Exception], Handler]] = {
    RequestRefused: _refused,
    HTTPException: _http_error,
    ClientDisconnect: _disconnected,
    Exception: _failed,
}
