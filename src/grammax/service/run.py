"""`grammax serve`: a socket, and one worker or several behind it."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final

from uvicorn import Config, Server
from uvicorn.supervisors import Multiprocess

from grammax.errors import GrammaxError
from grammax.service.http.header_timeout import HeaderTimeout
from grammax.service.log import LOG_CONFIG
from grammax.service.metrics import FOLDER_VARIABLE
from grammax.service.settings import Settings
from grammax.service.snapshot.live_catalogue import require_servable

_BACKLOG: Final = 2_048
_KEEP_ALIVE: Final = 75  # seconds, as long as nginx does
_HEALTH_SECONDS: Final = 60  # until a worker that does not respond is replaced


class CannotListen(GrammaxError):
    """An address that is taken, or that this machine does not have."""


def serve(
    settings: Settings, host: str, port: int, workers: int, listening: Callable[[str], None]
) -> None:
    """Serve until SIGTERM or SIGINT, then finish the current requests.

    `listening` is called with the address. Several workers share the socket; one that dies is
    replaced while the others continue.
    """
    require_servable(settings)
    settings.to_environment()
    with _bound(host, port) as bound:
        listening(f"http://{_in_url(host)}:{bound.getsockname()[1]}/")
        config = _config(settings, workers)
        if workers == 1:
            Server(config).run(sockets=[bound])
            return
        folder = tempfile.mkdtemp(prefix="grammax-metrics-")
        os.environ[FOLDER_VARIABLE] = folder
        try:
            Multiprocess(config, sockets=[bound]).run()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _config(settings: Settings, workers: int) -> Config:
    return Config(
        "grammax.service.app:from_environment",
        factory=True,
        workers=workers,
        http=HeaderTimeout,
        ws="none",
        lifespan="on",
        log_config=LOG_CONFIG,
        access_log=False,
        proxy_headers=False,
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
