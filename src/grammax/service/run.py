"""`grammax serve`: a socket, and one worker or several behind it."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_address

from uvicorn import Server

from grammax.errors import GrammaxError
from grammax.language.domain import Domain
from grammax.service.server import BACKLOG, server_config
from grammax.service.settings import Settings
from grammax.service.snapshot.live_catalogue import require_servable
from grammax.service.worker import Worker

Tell = Callable[[str], None]


class CannotListen(GrammaxError):
    """An address that is taken, or that this machine does not have."""


class CannotSupervise(GrammaxError):
    """Several workers on a system that cannot fork."""


def serve(settings: Settings, host: str, port: int, workers: int, tell: Tell) -> None:
    """Serve until SIGTERM or SIGINT, then finish the current requests.

    Connections are accepted at once, while what is served is being loaded. `tell` is called with
    the address, and with what was opened, if it is data. Several workers share the socket; one that
    dies or hangs is replaced while the others continue. Raises if there is nothing to serve.
    """
    if workers > 1 and sys.platform == "win32":
        raise CannotSupervise("Several workers need a system that forks. Leave --workers out.")
    settings = replace(settings, hosts=_names(host, settings.hosts))
    with _bound(host, port) as bound:
        base = require_servable(settings)
        bound.listen(BACKLOG)
        tell(f"http://{_in_url(host)}:{bound.getsockname()[1]}/")
        if workers == 1:
            _serve_alone(settings, base, bound, tell)
            return
        from grammax.service.supervisor import supervise

        supervise(settings, base, bound, workers, tell)


def _serve_alone(settings: Settings, base: Domain | None, bound: socket.socket, tell: Tell) -> None:
    worker = Worker(settings, base)
    server = Server(server_config(settings, worker))

    def ended() -> None:
        if worker.loading.error is not None:
            server.should_exit = True
        elif base is None:
            tell(worker.snapshot.domain.about)

    worker.ended = ended
    server.run(sockets=[bound])
    if worker.loading.error is not None:
        raise worker.loading.error


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
