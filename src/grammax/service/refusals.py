"""What a client did wrong, or came too early for: status, code, message and hint."""

from __future__ import annotations

from typing import Any

from grammax.errors import GrammaxError


class Refusal(GrammaxError):
    """A request that is answered with an error, as JSON."""

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

    def json(self, request_id: str) -> dict[str, Any]:
        """The error as clients get it."""
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "request_id": request_id,
        }


def busy(waiting: int) -> Refusal:
    """More requests at once than are taken."""
    return Refusal(
        429,
        "too_many_requests",
        f"{waiting} requests are being worked on already.",
        "Ask again after the seconds in Retry-After, or start the service with more workers.",
        {"Retry-After": "1"},
    )


def too_late(seconds: float) -> Refusal:
    """Work that took longer than it may."""
    return Refusal(
        503,
        "timeout",
        f"There was no answer within {seconds:g} seconds.",
        "Ask for fewer rows or fields, or again later.",
        {"Retry-After": "2"},
    )


def not_ready(what: str) -> Refusal:
    """A service that has only just started."""
    return Refusal(
        503,
        "not_ready",
        f"{what} is still being made ready.",
        "Ask again after the seconds in Retry-After; /ready tells when.",
        {"Retry-After": "2"},
    )


def bad_form(error: GrammaxError) -> Refusal:
    """Text or tokens that are no logical form that makes sense."""
    message = str(error).strip()
    hint = str(getattr(error, "hint", "") or "")
    return Refusal(
        422, "bad_logical_form", message, hint or "POST /next tells what may stand where."
    )


def nothing_answers(domain: str) -> Refusal:
    """A domain without a store."""
    return Refusal(
        404,
        "no_answers",
        f"The domain {domain!r} has logical forms, and nothing that answers them.",
        "POST /parse gives the logical form of a query.",
    )


def fixed_catalogue(domain: str) -> Refusal:
    """A domain whose values and fields stay as they were trained."""
    return Refusal(
        409,
        "fixed_catalogue",
        f"The values and fields of the domain {domain!r} do not change while it is served.",
        "Put them into its tables, train it, and start the service again.",
    )
