"""The application: addresses joined with what they do, and every error in the same JSON."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from grammax.service.addresses import ADDRESSES, Address
from grammax.service.direct import Direct, Told
from grammax.service.edge import Edge
from grammax.service.note import noted
from grammax.service.openapi import described, extra_of, responses_of
from grammax.service.pages import INDEX, Page, Pages
from grammax.service.refusals import Refusal
from grammax.service.replies import json_response
from grammax.service.settings import Settings
from grammax.service.worker import Worker


def from_environment() -> Edge:
    """The application of a worker: settings come by way of the environment."""
    return create(Settings.from_environment())


def create(settings: Settings) -> Edge:
    """The application: the parser is loaded here, the store while it works already."""
    worker = Worker(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await worker.start()
        yield
        await worker.stop()

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan)
    for address in ADDRESSES:
        app.add_api_route(
            address.path,
            _endpoint(worker, address),
            methods=[address.method],
            operation_id=address.handler.__name__,
            summary=address.summary,
            status_code=address.status,
            responses=responses_of(address),
            openapi_extra=extra_of(address),
        )
    document = described(app)
    app.add_route("/openapi.json", _fixed(document), methods=["GET"], include_in_schema=False)
    _add_pages(app)
    for error, told in _TOLD.items():
        app.add_exception_handler(error, told)
    return Edge(Direct(app, worker, ADDRESSES, _TOLD), worker)


def _endpoint(worker: Worker, address: Address) -> Any:
    async def answer(request: Request) -> Response:
        return await address.handler(worker, request)

    return answer


def _fixed(content: bytes) -> Any:
    async def answer(_: Request) -> Response:
        return Response(content, media_type="application/json")

    return answer


def _add_pages(app: FastAPI) -> None:
    pages = Pages()

    async def index(request: Request) -> Response:
        return _shown(pages.find(INDEX), request)

    async def static(request: Request) -> Response:
        return _shown(pages.find(request.path_params["name"]), request)

    app.add_route("/", index, methods=["GET"], include_in_schema=False)
    app.add_route("/static/{name:path}", static, methods=["GET"], include_in_schema=False)


def _shown(page: Page | None, request: Request) -> Response:
    """A file, or only that it is the same as the browser has."""
    if page is None:
        raise Refusal(404, "not_found", "There is no such file.", "The page is at /.")
    headers = {"ETag": page.tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == page.tag:
        return Response(status_code=304, headers=headers)
    return Response(page.content, headers=headers | {"Content-Type": page.type})


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    told = {"error": error.json(noted(request.scope).id)}
    return json_response(told, error.status, error.headers)


async def _not_found(request: Request, error: Exception) -> Response:
    """What Starlette refuses: an unknown path, or a method that it does not have."""
    assert isinstance(error, HTTPException)
    method, path = request.method, request.url.path[:200]
    hint = "/openapi.json lists all addresses."
    if error.status_code == 404:
        refusal = Refusal(404, "not_found", f"There is nothing at {path!r}.", hint)
    elif error.status_code == 405:
        refusal = Refusal(405, "wrong_method", f"{path!r} does not take {method}.", hint)
    else:
        refusal = Refusal(error.status_code, "refused", str(error.detail), hint)
    refusal.headers.update(error.headers or {})
    return await _refused(request, refusal)


async def _gone(request: Request, error: Exception) -> Response:
    """The client has gone away; no one sees this."""
    refusal = Refusal(400, "incomplete", "The request broke off.", "Send all of the body.")
    del error
    return await _refused(request, refusal)


async def _failed(request: Request, error: Exception) -> Response:
    """A bug: what happened is told in the log, not to the client."""
    del error
    hint = "Tell whoever runs the service the request_id: its log has the reason."
    return await _refused(request, Refusal(500, "bug", "Something is broken here.", hint))


_TOLD: Final[dict[type[Exception], Told]] = {
    Refusal: _refused,
    HTTPException: _not_found,
    ClientDisconnect: _gone,
    Exception: _failed,
}
