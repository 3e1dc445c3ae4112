"""All that one worker holds, from its start to its end."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import parent_process
from pathlib import Path
from time import monotonic
from typing import Final, TypeVar, final

from grammax.errors import GrammaxError
from grammax.language.answer import Answer, AnswerTooSlow
from grammax.language.domain import Tokens
from grammax.reading.parse import QueryNotice
from grammax.service.appended import AppendedFile
from grammax.service.live_catalogue import LiveCatalogue
from grammax.service.log import RequestLog, now
from grammax.service.metrics import Metrics
from grammax.service.refusals import Refusal, busy, not_ready, nothing_answers, too_late
from grammax.service.serving import Serving
from grammax.service.settings import Settings

T = TypeVar("T")
_ANSWERING: Final = 4  # threads: DuckDB runs without the GIL
_LOOK_EVERY: Final = 0.25  # seconds, for changes that another worker made
_PAUSE: Final = 1.0  # seconds, after it could not be followed
_SWITCH_SECONDS: Final = 0.001  # a thread that prepares an answer lets parsing in so often


@final
class Worker:
    """A parser with its store, files, numbers, and a bound on what is done at the same time."""

    def __init__(self, settings: Settings) -> None:
        warnings.simplefilter("ignore", QueryNotice)  # answers tell what was cut or not known
        self.settings = settings
        self.limits = settings.limits
        self.metrics = Metrics()
        self.log = RequestLog()
        self.corrections = AppendedFile(settings.corrections_path)
        self.audit = None if settings.audit is None else AppendedFile(Path(settings.audit))
        self.catalogue = LiveCatalogue(settings)
        self.serving.parser.parse("a first query reads what the others find in memory", 2)
        self.failure: str | None = None  # why there are no answers
        self.is_warm = False
        self._waiting = 0
        self._pool = ThreadPoolExecutor(_ANSWERING, thread_name_prefix="answer")
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def serving(self) -> Serving:
        """What is in use now."""
        return self.catalogue.serving

    def warm_serving(self) -> Serving:
        """What is in use now, once its names are indexed; `Refusal` until then."""
        if not self.is_warm:
            raise not_ready("The catalogue")
        return self.serving

    async def start(self) -> None:
        """Begin to look for changes, and to open the store, while queries are parsed already."""
        sys.setswitchinterval(_SWITCH_SECONDS)
        self._tasks = [asyncio.create_task(self._warm()), asyncio.create_task(self._look())]

    async def stop(self) -> None:
        """Finish what was begun, and close."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._pool.shutdown()
        self.corrections.close()
        if self.audit is not None:
            self.audit.close()
        self.log.close()
        self.serving.close()
        gc.unfreeze()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A place among those whose requests are worked on; `Refusal` where there is none."""
        if self._waiting >= self.limits.concurrency:
            raise busy(self._waiting)
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def in_thread(self, work: Callable[[], T]) -> T:
        """What `work` returns, within the time limit, while other requests go on."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await loop.run_in_executor(self._pool, work)
        except (TimeoutError, AnswerTooSlow):
            raise too_late(self.limits.seconds) from None

    async def answer(self, serving: Serving, tokens: Tokens, rows: int) -> Answer:
        """What a logical form denotes."""
        if serving.is_plain:
            raise nothing_answers(serving.domain.name)
        answers = serving.answers
        if answers is None:
            answers = self.serving.answers  # the store may be there by now
        if answers is None:
            if self.failure is not None:
                raise Refusal(503, "no_answers", self.failure, headers={"Retry-After": "60"})
            raise not_ready("The store that answers")
        end = monotonic() + self.limits.seconds
        store = answers

        def work() -> Answer:
            left = end - monotonic()
            if left <= 0:
                raise AnswerTooSlow("it waited too long")
            return store.answer(tokens, rows, left)

        table = await self.in_thread(work)
        self.metrics.answered(table.seconds)
        return table

    def retire(self, before: Serving) -> None:
        """Close what was served before, once no request can be using it any more."""
        asyncio.get_running_loop().call_later(2 * self.limits.seconds, before.close)

    async def _warm(self) -> None:
        try:
            await asyncio.to_thread(self.catalogue.warm)
        except (GrammaxError, OSError, ImportError) as error:
            self.failure = f"The store cannot be opened: {error}"
            self.log.write({"time": now(), "level": "error", "message": self.failure})
        self.is_warm = True
        # What is there now stays: it need not be looked through for garbage, which takes 100 ms.
        gc.collect()
        gc.freeze()

    async def _look(self) -> None:
        """Follow what other workers changed, and index names once nothing changes any more."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            _end_without_parent()
            try:
                if self.catalogue.is_behind:
                    before = await asyncio.to_thread(self.catalogue.follow)
                    if before is not None:
                        self.retire(before)
                elif self.is_warm and not self.catalogue.is_indexed:
                    await asyncio.to_thread(self.catalogue.index)
            except (GrammaxError, OSError) as error:
                message = f"The catalogue's changes cannot be followed: {error}"
                self.log.write({"time": now(), "level": "error", "message": message})
                await asyncio.sleep(_PAUSE)


def _end_without_parent() -> None:
    """A worker whose supervisor was killed ends too, and lets go of the port."""
    parent = parent_process()
    if parent is not None and not parent.is_alive():
        os.kill(os.getpid(), signal.SIGTERM)
