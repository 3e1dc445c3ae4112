"""The way to addresses that have no parameters: straight, past the layers of FastAPI.

Those take a tenth of the time of a parse. FastAPI has the same addresses: it describes them, and
whatever is not found here, a wrong method or a path with parameters, is its business.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from grammax.service.addresses import Address
from grammax.service.refusals import Refusal
from grammax.service.worker import Worker

Told = Callable[[Request, Exception], Awaitable[Response]]


@final
class Direct:
    """An application before another one."""

    def __init__(
        self,
        inside: Any,
        worker: Worker,
        addresses: tuple[Address, ...],
        told: Mapping[type[Exception], Told],
    ) -> None:
        self._inside = inside
        self._worker = worker
        self._told = told
        self._known = {(a.method, a.path): a for a in addresses if not a.parameters}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        address = scope["type"] == "http" and self._known.get((scope["method"], scope["path"]))
        if not address:
            await self._inside(scope, receive, send)
            return
        scope["route"] = address
        request = Request(scope, receive)
        bug: Exception | None = None
        try:
            response = await address.handler(self._worker, request)
        except (Refusal, ClientDisconnect) as error:
            response = await self._told[type(error)](request, error)
        except Exception as error:
            response, bug = await self._told[Exception](request, error), error
        await response(scope, receive, send)
        if bug is not None:
            raise bug
