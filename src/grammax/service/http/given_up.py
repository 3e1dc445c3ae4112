"""Work in threads that is given up when its client closes the connection."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, TypeVar

from grammax.language.interruption import INTERRUPTION, Interruption
from grammax.service.http.errors import client_left
from grammax.service.http.turns import Lane

T = TypeVar("T")
Receive = Callable[[], Awaitable[Any]]
RECEIVE: ContextVar[Receive | None] = ContextVar("grammax_receive", default=None)
"""Receives what the client of the current request sends: after the body, that it has left."""


async def in_lane(lane: Lane, work: Callable[[], T]) -> T:
    """The result of `work` in a thread of a lane.

    If the client leaves, or the caller is cancelled, the work is interrupted.
    """
    interruption = Interruption()

    def interruptible() -> T:
        token = INTERRUPTION.set(interruption)
        try:
            return work()
        finally:
            INTERRUPTION.reset(token)

    working = asyncio.ensure_future(lane.run(interruptible))
    leaving = asyncio.ensure_future(_left(RECEIVE.get()))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise client_left()
    finally:
        if not working.done():
            interruption.interrupt()
            working.cancel()
        leaving.cancel()


async def _left(receive: Receive | None) -> None:
    """Return when the client has left."""
    while receive is not None and (await receive())["type"] != "http.disconnect":
        pass
    if receive is None:
        await asyncio.Event().wait()
