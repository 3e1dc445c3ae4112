"""One service for all tests: small limits, a token, and files of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from service.given import TOKEN, wait_until_ready
from starlette.testclient import TestClient

from grammax.service.app import create
from grammax.service.http.middleware import RequestMiddleware
from grammax.service.log import LOGGER
from grammax.service.settings import Limits, Settings
from grammax.service.worker import Worker

LIMITS = Limits(words=30, batch=4, body=20_000, seconds=5.0, concurrency=8, tokens=100)


@pytest.fixture(scope="session")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    """What the service holds."""
    folder = tmp_path_factory.mktemp("service")
    made = Worker(
        Settings(
            catalogue=str(folder / "changes.jsonl"),
            corrections=str(folder / "corrections.jsonl"),
            audit=str(folder / "audit.jsonl"),
            token=TOKEN,
            limits=LIMITS,
        )
    )
    made.loading.load()
    return made


@pytest.fixture(scope="session")
def service(worker: Worker) -> RequestMiddleware:
    """The application."""
    return create(worker.settings, worker)


@pytest.fixture(scope="session")
def client(service: RequestMiddleware) -> Iterator[TestClient]:
    """A client of it, once its store is open."""
    with TestClient(service, raise_server_exceptions=False) as made:
        wait_until_ready(made)
        yield made


Post = Callable[..., dict[str, Any]]


@pytest.fixture
def post(client: TestClient) -> Post:
    """POST some JSON; the JSON that comes back with the status that was expected."""

    def send(path: str, body: object, status: int = 200, **headers: str) -> dict[str, Any]:
        response = client.post(path, json=body, headers=headers)
        assert response.status_code == status, response.text
        assert response.headers["x-request-id"]
        found: dict[str, Any] = response.json()
        return found

    return send


@pytest.fixture
def log_lines() -> Iterator[list[dict[str, Any]]]:
    """What the service logs from now on."""
    lines: list[dict[str, Any]] = []

    class Listed(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            assert isinstance(record.msg, dict)
            lines.append(record.msg)

    handler, level = Listed(), LOGGER.level
    LOGGER.addHandler(handler)
    LOGGER.setLevel("INFO")
    yield lines
    LOGGER.removeHandler(handler)
    LOGGER.setLevel(level)


@pytest.fixture
def corrections_path(worker: Worker) -> Path:
    """Where its corrections are."""
    return worker.settings.corrections_path
