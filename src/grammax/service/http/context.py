"""The record of a request while it is handled, for the log and the audit file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import getrandbits
from time import perf_counter
from typing import Any, Final, final

from grammax.service.log import now

_VALID_ID: Final = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}")
_KEY: Final = "grammax.context"


@final
@dataclass(slots=True)
class RequestContext:
    """The record of one request: endpoints add details, the middleware writes it."""

    id: str
    method: str
    path: str
    started: float = field(default_factory=perf_counter)
    status: int = 0
    client: str = ""  # its address
    words: int | None = None
    is_audited: bool = False  # whether the audit file has a line of it already
    details: dict[str, Any] = field(default_factory=dict)  # has texts: for the audit file only

    @property
    def seconds(self) -> float:
        """The time since the request arrived."""
        return perf_counter() - self.started

    def summary(self) -> dict[str, Any]:
        """What the log and the audit file have of every request."""
        return {
            "time": now(),
            "request_id": self.id,
            "method": self.method,
            "path": self.path[:200],
            "status": self.status,
        }

    def audit_record(self) -> dict[str, Any]:
        """What the audit file has of it: also who asked, and what."""
        return self.summary() | {"client": self.client} | self.details


def context_of(scope: Any) -> RequestContext:
    """The context of an ASGI scope that went through the middleware."""
    context: RequestContext = scope[_KEY]
    return context


def new_context(scope: Any) -> RequestContext:
    """Give a scope its context; a client's X-Request-ID is used if it is a harmless one."""
    given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    text = given.decode("latin-1")
    identifier = text if _VALID_ID.fullmatch(text) else f"{getrandbits(64):016x}"
    context = RequestContext(identifier, scope["method"], scope["path"])
    context.client = (scope.get("client") or ("",))[0]
    scope[_KEY] = context
    return context
