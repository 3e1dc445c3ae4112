"""Requests that a browser sends on behalf of another site are refused.

A page of another site may make its name lead to this machine (DNS rebinding); its requests then
have a foreign `Host`. A page may also send requests here under its own name; those that could
change something have a foreign `Origin`.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from grammax.service.http.errors import RequestRefused


def require_own_origin(scope: Any, hosts: tuple[str, ...]) -> None:
    """`RequestRefused` if a request is for another host, or comes from another site.

    `hosts` are the names of the service; if there are none, every name is permitted.
    """
    headers = dict(scope["headers"])
    host = headers.get(b"host", b"").decode("latin-1").lower()
    if hosts and _name(host) not in hosts:
        raise RequestRefused(
            421,
            "wrong_host",
            f"The service is not called {host[:100]!r}.",
            "Use the address that it printed, or start it with --allow-host NAME.",
        )
    origin = headers.get(b"origin")
    if origin is None or scope["method"] not in ("POST", "DELETE"):
        return
    given = urlsplit(origin.decode("latin-1").lower()).netloc
    if given != host and _name(given) not in hosts:
        raise RequestRefused(
            403,
            "foreign_origin",
            f"Pages of {given[:100] or 'unknown origin'!r} may not use this service.",
            "Behind a proxy that changes the Host, start the service with --allow-host NAME.",
        )


def _name(host: str) -> str:
    """A host without its port."""
    return host.partition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
