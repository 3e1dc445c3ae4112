"""How the service is: for whoever, or whatever, looks after it."""

from __future__ import annotations

import os

from starlette.requests import Request
from starlette.responses import Response

from grammax.service.metrics import CONTENT_TYPE
from grammax.service.refusals import Refusal
from grammax.service.replies import json_response
from grammax.service.shown import Json
from grammax.service.worker import Worker


async def health(worker: Worker, request: Request) -> Response:
    """Whether the worker is alive."""
    del request
    return json_response(_status(worker, "ok"))


async def ready(worker: Worker, request: Request) -> Response:
    """Whether the worker answers, and not only parses."""
    del request
    if worker.failure is not None:
        raise Refusal(503, "no_answers", worker.failure, headers={"Retry-After": "60"})
    worker.warm_serving()
    return json_response(_status(worker, "ready"))


async def domain(worker: Worker, request: Request) -> Response:
    """The language of queries: what it is called, and whether there are answers and changes."""
    del request
    serving = worker.serving
    shown: Json = {
        "name": serving.domain.name,
        "version": serving.version,
        "tokens": len(serving.domain.vocabulary),
        "answers": not serving.is_plain,
        "changes": not serving.is_plain and worker.settings.token is not None,
        "samples": serving.samples,
    }
    return json_response(shown)


async def metrics(worker: Worker, request: Request) -> Response:
    """The numbers of all workers, as Prometheus reads them."""
    del request
    return Response(worker.metrics.text(), headers={"Content-Type": CONTENT_TYPE})


def _status(worker: Worker, status: str) -> Json:
    return {"status": status, "version": worker.serving.version, "worker": os.getpid()}
