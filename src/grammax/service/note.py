"""What is noted of a request while it is worked on, for the log and the audit."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final, final

_SANE: Final = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}")
_KEY: Final = "grammax.note"


@final
@dataclass(slots=True)
class Note:
    """Filled in by whoever knows: one request's, and no one else's."""

    id: str
    method: str
    path: str
    started: float = field(default_factory=perf_counter)
    status: int = 0
    words: int | None = None
    facts: dict[str, Any] = field(default_factory=dict)  # with texts, so for the audit alone

    @property
    def seconds(self) -> float:
        """Since the request came."""
        return perf_counter() - self.started


def noted(scope: Any) -> Note:
    """The note of a request."""
    note: Note = scope[_KEY]
    return note


def begin(scope: Any) -> Note:
    """A note for a request that came, with the client's id of it if that is a sane one."""
    given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    text = given.decode("latin-1")
    sane = text if _SANE.fullmatch(text) else secrets.token_hex(8)
    note = scope[_KEY] = Note(sane, scope["method"], scope["path"])
    return note
