"""Several workers on one socket, each with about as many connections as the others.

Left to themselves, workers take all connections that wait at once, and of 16 clients one worker may
get 15. Here one that has more than another leaves the next to that, unless it is slow to take it.
"""

from __future__ import annotations

import asyncio
import os
import socket
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final, final

from uvicorn import Server
from uvicorn.supervisors import multiprocess

from grammax.service.counts import Counts
from grammax.service.metrics import FOLDER_VARIABLE

_LOOK: Final = 0.0005  # seconds
_MOST: Final = 0.01  # seconds that a connection waits for the worker whose turn it is
_PAUSE: Final = 0.05  # seconds, after a connection that could not be taken
COUNTS: Final = "connections"  # a file in the folder that the workers share


@final
class BalancedServer(Server):
    """uvicorn's server, but for how it takes connections."""

    _taking: tuple[asyncio.Task[None], ...] = ()
    _counts: Counts

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        self._counts = Counts(Path(os.environ[FOLDER_VARIABLE]) / COUNTS)
        for each in sockets or []:
            each.listen(self.config.backlog)
            each.setblocking(False)
        self._taking = tuple(asyncio.create_task(self._take(each)) for each in sockets or [])

    async def on_tick(self, counter: int) -> bool:
        self._tell()  # connections end, too
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._counts.leave()
        for task in self._taking:
            task.cancel()
        await asyncio.gather(*self._taking, return_exceptions=True)
        await super().shutdown(sockets)

    async def _take(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        protocol: Any = self.config.http_protocol_class
        make = partial(
            protocol,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        while True:
            await _readable(listening)
            await self._turn()
            try:
                taken, _ = listening.accept()
                self._counts.took()
                taken.setblocking(False)
                await loop.connect_accepted_socket(make, taken)
                self._tell()
            except BlockingIOError:
                continue  # another worker was faster
            except OSError:
                await asyncio.sleep(_PAUSE)  # who came has gone away, or no file can be opened

    async def _turn(self) -> None:
        """Return when it is this worker's turn, or another's and that does not come."""
        end = monotonic() + _MOST
        self._tell()
        while not self._counts.is_my_turn() and monotonic() < end:
            await asyncio.sleep(_LOOK)

    def _tell(self) -> None:
        self._counts.tell(len(self.server_state.connections))


async def _readable(listening: socket.socket) -> None:
    """Return when a connection waits."""
    loop = asyncio.get_running_loop()
    waits = asyncio.Event()
    loop.add_reader(listening, waits.set)
    try:
        await waits.wait()
    finally:
        loop.remove_reader(listening)


@final
class BalancedProcess(multiprocess.Process):
    """A worker of uvicorn's supervisor."""

    @property
    def server(self) -> Server:
        if self._server is None:
            self._server = BalancedServer(config=self.config)
        return self._server


def supervised(config: Any, sockets: list[socket.socket]) -> multiprocess.Multiprocess:
    """uvicorn's supervisor, with such workers: it has no other place to say so."""
    multiprocess.Process = BalancedProcess  # type: ignore[misc]
    return multiprocess.Multiprocess(config, sockets=sockets)
