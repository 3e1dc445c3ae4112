"""The record of a request while it is handled, for the log and the audit file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import getrandbits
from time import perf_counter
from typing import Any, Final, final

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
    words: int | None = None
    details: dict[str, Any] = field(default_factory=dict)  # has texts: for the audit file only

    @property
    def seconds(self) -> float:
        """The time since the request arrived."""
        return perf_counter() - self.started


def context_of(scope: Any) -> RequestContext:
    """The context of an ASGI scope that went through the middleware."""
    context: RequestContext = scope[_KEY]
    return context


def new_context(scope: Any) -> RequestContext:
    """Give a scope its context; a client's X-Request-ID is used if it is a harmless one."""
    given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    text = given.decode("latin-1")
    identifier = text if _VALID_ID.fullmatch(text) else f"{getrandbits(64):016x}"
    context = scope[_KEY] = RequestContext(identifier, scope["method"], scope["path"])
    return context
