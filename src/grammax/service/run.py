"""`grammax serve`: a socket, and one worker or several behind it."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_address
from typing import Any, Final

from uvicorn import Config, Server
from uvicorn.supervisors import Multiprocess

from grammax.errors import GrammaxError
from grammax.service.app import create
from grammax.service.http.connections import LimitedConnection
from grammax.service.log import LOG_CONFIG
from grammax.service.metrics import FOLDER_VARIABLE
from grammax.service.settings import Settings
from grammax.service.snapshot.live_catalogue import require_servable
from grammax.service.worker import Worker
from grammax.tables.data_files import names_data

_APP: Final = "grammax.service.app:from_environment"
_BACKLOG: Final = 2_048
_KEEP_ALIVE: Final = 75  # seconds, as long as nginx does
_HEALTH_SECONDS: Final = 60  # until a worker that does not respond is replaced


class CannotListen(GrammaxError):
    """An address that is taken, or that this machine does not have."""


def serve(
    settings: Settings, host: str, port: int, workers: int, tell: Callable[[str], None]
) -> None:
    """Serve until SIGTERM or SIGINT, then finish the current requests.

    `tell` is called with what was opened, if it is data, and with the address. Several workers
    share the socket; one that dies is replaced while the others continue.
    """
    settings = replace(settings, hosts=_names(host, settings.hosts))
    with _bound(host, port) as bound:
        app, about = _prepared(settings, workers)
        settings.to_environment()
        if about:
            tell(about)
        tell(f"http://{_in_url(host)}:{bound.getsockname()[1]}/")
        config = _config(app, settings, workers)
        if workers == 1:
            Server(config).run(sockets=[bound])
            return
        folder = tempfile.mkdtemp(prefix="grammax-metrics-")
        os.environ[FOLDER_VARIABLE] = folder
        try:
            Multiprocess(config, sockets=[bound]).run()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _prepared(settings: Settings, workers: int) -> tuple[Any, str]:
    """The application, or where workers find it; and what was opened, if it is data."""
    if workers > 1 or not names_data(settings.domain):
        return _APP, require_servable(settings)
    worker = Worker(settings)  # here, so that data, which may be large, is opened only once
    return create(settings, worker), worker.snapshot.domain.about


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _names(host: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """The names that requests may have in `Host`: all, if other machines can connect to any."""
    names = tuple(name.lower().strip("[]") for name in allowed)
    if not is_loopback(host):
        return names
    return tuple(dict.fromkeys(("localhost", "127.0.0.1", "::1", host, *names)))


def _config(app: Any, settings: Settings, workers: int) -> Config:
    return Config(
        app,
        factory=app == _APP,
        workers=workers,
        http=LimitedConnection,
        ws="none",
        lifespan="on",
        log_config=LOG_CONFIG,
        access_log=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=int(settings.limits.seconds) + 5,
        timeout_worker_healthcheck=_HEALTH_SECONDS,
    )


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
        except OSError:
            made.close()
            raise
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CannotListen(
            f"Cannot listen on {host}:{port}: {reason}. Give another --port, or end the program "
            f"that uses it."
        ) from error
    made.set_inheritable(True)
    return made


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
