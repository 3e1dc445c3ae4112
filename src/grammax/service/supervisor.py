"""Several workers behind one socket, supervised by gunicorn.

gunicorn forks the workers, replaces one that died or whose event loop does not run any more, and
hears signals at once: it closes the socket first, so that new connections are refused while the
current requests are finished. Each worker runs uvicorn, with the limits of one that is alone.

At first all workers accept connections at once, to show how far the start is. A worker that comes
later accepts them once it is loaded, as long as another one does.
"""

from __future__ import annotations

import asyncio
import logging
import mmap
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, Final, final

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.errors import HaltServer
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker as GunicornWorker
from uvicorn import Server

from grammax.errors import GrammaxError
from grammax.language.domain import Domain
from grammax.service.log import LOGGER, JsonFormatter
from grammax.service.metrics import FOLDER_VARIABLE
from grammax.service.server import drain_seconds, server_config
from grammax.service.settings import Settings
from grammax.service.worker import Worker

_SILENT_SECONDS: Final = 30  # of an event loop, after which the worker is replaced
_LOADING_SECONDS: Final = 900.0  # after which a worker that still loads is replaced
_BEAT_SECONDS: Final = 0.5
_AGAIN_SECONDS: Final = 5.0  # before a worker is replaced that could not load
_WORKERS: Final = 4_096  # that the board has room for; then places are used again
_REASON: Final = 4_000  # bytes
_NOTHING_SERVED: Final[int] = Arbiter.WORKER_BOOT_ERROR  # ends the supervisor, too


class NothingServed(GrammaxError):
    """No worker could load what is to be served."""


def supervise(
    settings: Settings,
    base: Domain | None,
    bound: socket.socket,
    workers: int,
    tell: Callable[[str], None],
) -> None:
    """Serve with several workers; `NothingServed` if the first ones cannot load."""
    folder = tempfile.mkdtemp(prefix="grammax-metrics-")
    os.environ[FOLDER_VARIABLE] = folder
    application = _Application(settings, base, workers, tell)
    arbiter = _Arbiter(application)
    arbiter.LISTENERS = [bound]
    try:
        arbiter.run()
    except SystemExit:
        reason = application.board.reason
        if reason:
            raise NothingServed(reason) from None
        raise
    finally:
        os.environ.pop(FOLDER_VARIABLE, None)
        shutil.rmtree(folder, ignore_errors=True)


@final
class _Board:
    """Memory that all workers share: which of them are ready, and why the first could not load."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _WORKERS + _REASON)

    def set_ready(self, age: int, is_ready: bool) -> None:
        """Note whether a worker is ready; `age` is its number, from 1."""
        self._memory[1 + age % (_WORKERS - 1)] = is_ready
        if is_ready:
            self._memory[0] = 1

    @property
    def some_ready(self) -> bool:
        """Whether any worker is ready."""
        return b"\1" in self._memory[1:_WORKERS]

    @property
    def was_ready(self) -> bool:
        """Whether any worker was ever ready."""
        return bool(self._memory[0])

    @property
    def reason(self) -> str:
        """Why nothing can be served; empty if something can."""
        return self._memory[_WORKERS:].rstrip(b"\0").decode(errors="ignore")

    @reason.setter
    def reason(self, text: str) -> None:
        encoded = text.encode()[:_REASON]
        self._memory[_WORKERS : _WORKERS + len(encoded)] = encoded


@final
class _Application(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """What gunicorn knows of the service."""

    def __init__(
        self, settings: Settings, base: Domain | None, workers: int, tell: Callable[[str], None]
    ) -> None:
        self.settings, self.base, self.tell = settings, base, tell
        self.board = _Board()
        self._workers = workers
        super().__init__()

    def load_config(self) -> None:
        given = {
            "workers": self._workers,
            "worker_class": _Worker,
            "logger_class": _Log,
            "timeout": _SILENT_SECONDS,
            "graceful_timeout": drain_seconds(self.settings) + 2,
            "control_socket_disable": True,
            "child_exit": lambda _, worker: self.board.set_ready(worker.age, False),
        }
        for name, value in given.items():
            self.cfg.set(name, value)

    def load(self) -> None:
        """Each worker makes its own application."""


@final
class _Arbiter(Arbiter):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's supervisor: Ctrl+C finishes the current requests, as SIGTERM does."""

    SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)

    def handle_int(self) -> None:
        raise StopIteration

    def stop(self, graceful: bool = True) -> None:
        """Stop the workers; those that cannot load either, meanwhile, change nothing."""
        try:
            super().stop(graceful)
        except HaltServer:
            self.stop(graceful)


@final
class _Log(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's messages as lines of JSON on stderr, without a thread: workers are forked."""

    def setup(self, cfg: Any) -> None:
        self.cfg = cfg
        handler = logging.StreamHandler()
        handler.setFormatter(JsonFormatter())
        self.error_log.handlers = [handler]
        self.error_log.setLevel(logging.INFO)


@final
class _Worker(GunicornWorker):  # type: ignore[misc]  # gunicorn has no types
    """A process that serves; it never returns to the code that it was forked from."""

    app: _Application

    def init_signals(self) -> None:
        """Until uvicorn handles them, signals end the process at once."""
        for number in self.SIGNALS:
            signal.signal(number, signal.SIG_DFL)

    def run(self) -> None:
        """Serve; the exit code says whether another worker could."""
        code = _NOTHING_SERVED
        try:
            code = self._serve()
        except (GrammaxError, OSError) as error:
            code = self._failed(error)
        except Exception:
            LOGGER.exception("A worker failed.")
        finally:
            logging.shutdown()
            os._exit(code)

    def _serve(self) -> int:
        worker = Worker(self.app.settings, self.app.base)
        server = Server(server_config(self.app.settings, worker))
        worker.ended = lambda: self._loaded(worker, server)
        with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
            runner.run(self._listen(worker, server))
        error = worker.loading.error
        return 0 if error is None else self._failed(error)

    async def _listen(self, worker: Worker, server: Server) -> None:
        beating = asyncio.create_task(self._beat(worker))
        worker.begin()
        while self.app.board.some_ready and not worker.loading.is_warm:
            if worker.loading.error is not None:
                return
            await asyncio.sleep(_BEAT_SECONDS / 5)
        await server.serve(sockets=self.sockets)
        beating.cancel()

    async def _beat(self, worker: Worker) -> None:
        """Tell the supervisor that the event loop runs; end if the supervisor was killed."""
        began = monotonic()
        while True:
            if worker.loading.is_warm or monotonic() - began < _LOADING_SECONDS:
                self.notify()
            if os.getppid() != self.ppid:
                os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(_BEAT_SECONDS)

    def _loaded(self, worker: Worker, server: Server) -> None:
        if worker.loading.error is not None:
            server.should_exit = True
            return
        self.app.board.set_ready(self.age, True)
        if self.app.base is None and self.age == 1:
            self.app.tell(worker.snapshot.domain.about)

    def _failed(self, error: Exception) -> int:
        """The exit code of a worker that cannot load; another one is tried if one ever could."""
        board = self.app.board
        if not board.was_ready:
            board.reason = str(error)
            if isinstance(error, OSError) and error.strerror and error.filename:
                board.reason = f"{error.filename}: {error.strerror}"
            return _NOTHING_SERVED
        LOGGER.error("A worker cannot load what is served: %s", " ".join(str(error).split()))
        sleep(_AGAIN_SECONDS)
        return 1
