"""Clients take turns, so that one that asks much delays another by one request and not by all.

The client that has used least goes first (start-time fair queueing; Goyal, Vin and Cheng, 1996).
`Turns` orders what the event loop begins, and `Lane` orders what threads do.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from time import monotonic, thread_time
from typing import Any, Final, TypeVar, final

T = TypeVar("T")
_REMEMBERED: Final = 1_024  # clients
_LATEST: Final = 0.2  # the weight of the last piece of work in what work takes typically
CLIENT: ContextVar[str] = ContextVar("grammax_client", default="")
"""The client whose request is being handled, by the name that limits know it by."""


@final
class Shares:
    """The time that each client has used, in seconds since it last used none."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._floor = 0.0  # what the client that went last had used: newcomers begin there

    def first(self, waiting: Collection[str]) -> str:
        """The client that goes first: the one that has used least."""
        used, floor = self._used, self._floor
        found = min(waiting, key=lambda client: max(used.get(client, floor), floor))
        self._floor = max(floor, used.get(found, floor))
        return found

    def use(self, client: str, seconds: float) -> None:
        """Count what a client has used."""
        self._used[client] = max(self._used.get(client, 0.0), self._floor) + seconds
        if len(self._used) > _REMEMBERED:
            self._used = {each: used for each, used in self._used.items() if used > self._floor}


@final
class Turns:
    """The order in which the event loop begins requests: one of them in each of its rounds."""

    def __init__(self) -> None:
        self._shares = Shares()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None  # while turns are given
        self._begun: tuple[str, float] | None = None  # who had the last turn, and when

    async def turn(self, client: str) -> None:
        """Return when it is the client's turn; it ends when the caller awaits something."""
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(client, deque()).append(mine)
        if self._loop is not loop:
            self._loop, self._begun = loop, None
            loop.call_soon(self._next)
        await mine

    def _next(self) -> None:
        """Give a turn, and come again in the next round of the loop."""
        now = thread_time()
        if self._begun is not None:
            client, began = self._begun
            self._shares.use(client, now - began)
        self._begun = None
        while self._waiting and self._begun is None:
            client = self._shares.first(self._waiting)
            mine = _taken(self._waiting, client)
            if not mine.done():  # its caller may have given up
                mine.set_result(None)
                self._begun = client, now
        loop, self._loop = self._loop, None
        if self._begun is not None and loop is not None:
            self._loop = loop
            loop.call_soon(self._next)


@final
class Lane:
    """Threads for work that would hold up the event loop: so many at once, and for one client.

    `patience` is the longest that work should wait, in seconds.
    """

    def __init__(
        self, name: str, at_once: int, for_one: int, patience: float = float("inf")
    ) -> None:
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix=name)
        self._at_once, self._free, self._for_one = at_once, at_once, for_one
        self._patience, self._typical = patience, 0.0
        self._running: Counter[str] = Counter()
        self._shares = Shares()
        self._waiting: dict[str, deque[tuple[asyncio.Future[Any], Callable[[], Any]]]] = {}

    async def run(self, work: Callable[[], T]) -> T:
        """The result of `work` in a thread, when it is the turn of the current client."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(CLIENT.get(), deque()).append((done, work))
        self._begin()
        return await done

    @property
    def is_full(self) -> bool:
        """Whether more work would wait for longer than the lane's patience, as work goes now."""
        waiting = sum(map(len, self._waiting.values()))
        return waiting * self._typical / self._at_once > self._patience

    def close(self) -> None:
        """Wait for the work that has begun."""
        self._pool.shutdown()

    def _begin(self) -> None:
        """Begin as much as there are threads for."""
        while self._free:
            ready = [each for each in self._waiting if self._running[each] < self._for_one]
            if not ready:
                return
            client = self._shares.first(ready)
            done, work = _taken(self._waiting, client)
            if done.done():  # its caller has given up
                continue
            self._free -= 1
            self._running[client] += 1
            began, loop = monotonic(), done.get_loop()

            def finished(
                result: Future[Any],
                client: str = client,
                began: float = began,
                done: asyncio.Future[Any] = done,
                loop: asyncio.AbstractEventLoop = loop,
            ) -> None:
                with suppress(RuntimeError):  # the loop has ended meanwhile
                    loop.call_soon_threadsafe(self._end, client, began, done, result)

            self._pool.submit(work).add_done_callback(finished)

    def _end(
        self, client: str, began: float, done: asyncio.Future[Any], result: Future[Any]
    ) -> None:
        self._free += 1
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        seconds = monotonic() - began
        self._typical += _LATEST * (seconds - self._typical)
        self._shares.use(client, seconds)
        if not done.done():
            error = result.exception()
            if error is None:
                done.set_result(result.result())
            else:
                done.set_exception(error)
        self._begin()


def _taken(waiting: dict[str, deque[T]], client: str) -> T:
    """The first that a client waits for, which waits no longer."""
    queue = waiting[client]
    found = queue.popleft()
    if not queue:
        del waiting[client]
    return found
