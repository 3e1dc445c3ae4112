"""nginx on loopback with `deploy/nginx.conf`, and replicas behind it."""

from __future__ import annotations

import getpass
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

CONFIGURATION = Path(__file__).parents[1] / "deploy" / "nginx.conf"
PREFIX = "/search"
_START_SECONDS = 10.0
_STOP_SECONDS = 10.0
_MAIN = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    keepalive_requests 1000000;
    {temporary}
    include {folder}/grammax.conf;
}}
"""
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def nginx() -> str | None:
    """The path of nginx, if it is installed."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def on_loopback(text: str, port: int, replicas: Sequence[int]) -> str:
    """The configuration for other ports, without TLS and passwords."""
    servers = "".join(f"    server 127.0.0.1:{replica} max_fails=0;\n" for replica in replicas)
    text = re.sub(r"( +server 127\.0\.0\.1:\d+ max_fails=0;\n)+", servers, text)
    text = re.sub(r"(?m)^ +(ssl|auth)_.*\n", "", text)
    return text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")


def written(folder: Path, text: str) -> Path:
    """A main configuration that includes `text`, with everything that nginx writes in a folder."""
    (folder / "grammax.conf").write_text(text, encoding="utf-8")
    made = folder / "nginx.conf"
    paths = (f"{name}_temp_path {folder}/{name};" for name in _TEMPORARY)
    user = f"user {getpass.getuser()};" if os.geteuid() == 0 else ""
    content = _MAIN.format(folder=folder, user=user, temporary="\n    ".join(paths))
    made.write_text(content, encoding="utf-8")
    return made


@contextmanager
def proxied(folder: Path, replicas: Sequence[int]) -> Iterator[int]:
    """The port of a proxy before some replicas."""
    program = nginx()
    if program is None:
        raise SystemExit("nginx is needed. On Debian: apt-get install nginx-light")
    port = free_port()
    text = CONFIGURATION.read_text(encoding="utf-8")
    configuration = written(folder, on_loopback(text, port, replicas))
    process = subprocess.Popen([program, "-p", str(folder), "-c", str(configuration)])
    try:
        _wait(port, process)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port() -> int:
    """A port of loopback that nothing listens on."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    end = monotonic() + _START_SECONDS
    while monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            sleep(0.05)
        else:
            return
    raise SystemExit("nginx did not start; the lines above say why")
