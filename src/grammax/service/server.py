"""uvicorn's settings, the same for a worker that is alone and for each of several."""

from __future__ import annotations

from typing import Final

from uvicorn import Config

from grammax.service.app import create
from grammax.service.http.connections import LimitedConnection
from grammax.service.log import LOG_CONFIG
from grammax.service.settings import Settings
from grammax.service.worker import Worker

BACKLOG: Final = 2_048  # connections that wait to be accepted
_KEEP_ALIVE: Final = 75  # seconds, as long as nginx does


def server_config(settings: Settings, worker: Worker) -> Config:
    """The settings of uvicorn for a worker."""
    return Config(
        create(settings, worker),
        http=LimitedConnection,
        ws="none",
        lifespan="on",
        log_config=LOG_CONFIG,
        access_log=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=drain_seconds(settings),
    )


def drain_seconds(settings: Settings) -> int:
    """How long requests may take to finish after the service was asked to end."""
    return int(settings.limits.seconds) + 5
