"""The application: endpoints, the page and its files, and one shape for all errors."""

from __future__ import annotations

import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, final

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from grammax.service.endpoints.examples import request_examples
from grammax.service.endpoints.router import OPERATIONS, routes
from grammax.service.http.errors import error_handlers
from grammax.service.http.middleware import RequestMiddleware
from grammax.service.schemas.openapi import document
from grammax.service.settings import Settings
from grammax.service.worker import Worker

PAGE: Final = Path(__file__).parent / "page"
mimetypes.add_type("text/javascript", ".js")  # Python 3.11 and some systems call it otherwise


def create(settings: Settings, worker: Worker | None = None) -> RequestMiddleware:
    """The application. What it serves is loaded after the start."""
    made = Worker(settings) if worker is None else worker
    files = PageFiles(directory=PAGE)

    async def index(request: Request) -> Response:
        return await files.get_response("index.html", request.scope)

    @lru_cache(maxsize=1)
    def described(version: str) -> bytes:
        del version  # of the snapshot: the examples are of its own names
        return document(OPERATIONS, request_examples(made.snapshot), settings.root_path)

    async def openapi(_: Request) -> Response:
        content = described(made.snapshot.version)
        return Response(content, media_type="application/json")

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await made.start()
        yield
        await made.stop()

    app = Starlette(
        routes=[
            *routes(made),
            Route("/openapi.json", openapi),
            Route("/", index),
            Mount("/static", GZipMiddleware(files)),
        ],
        exception_handlers=dict(error_handlers),
        lifespan=lifespan,
    )
    return RequestMiddleware(app, settings, made.metrics, made.audit, made.turns)


@final
class PageFiles(StaticFiles):
    """The files of the page; browsers ask each time whether theirs are still current."""

    def file_response(self, *given: Any, **options: Any) -> Response:
        response = super().file_response(*given, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response
