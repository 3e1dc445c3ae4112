"""Several workers on one socket, each with about as many connections as the others.

Left to themselves, workers take all connections that wait at once, and of 16 clients one worker may
get 15. Here a worker takes one at a time, and the more it has the longer it waits for the next.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from functools import partial
from typing import Any, Final, final

from uvicorn import Server
from uvicorn.supervisors import multiprocess

_WAIT: Final = 0.0001  # seconds for each connection that a worker has
_MOST: Final = 20  # connections that count: no one waits longer than 2 ms


@final
class BalancedServer(Server):
    """uvicorn's server, but for how it takes connections."""

    _taking: tuple[asyncio.Task[None], ...] = ()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        for each in sockets or []:
            each.listen(self.config.backlog)
            each.setblocking(False)
        self._taking = tuple(asyncio.create_task(self._take(each)) for each in sockets or [])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
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
            with suppress(OSError):  # who has gone away already
                taken, _ = await loop.sock_accept(listening)
                await loop.connect_accepted_socket(make, taken)
            await asyncio.sleep(_WAIT * min(_MOST, len(self.server_state.connections)))


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
