"""`Worker`: the state of one process of the service, from start to end."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from multiprocessing import parent_process
from pathlib import Path
from time import monotonic
from typing import Final, TypeVar, final

from grammax.errors import GrammaxError
from grammax.language.answer import Answer, Answers, AnswerTooSlow, View
from grammax.language.domain import Tokens
from grammax.reading.parse import QueryNotice
from grammax.service.appended import AppendedFile
from grammax.service.http.clients import Quota, Slots, client_name
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import (
    RequestRefused,
    no_store,
    not_audited,
    not_ready,
    timed_out,
)
from grammax.service.http.turns import Lane, Turns
from grammax.service.log import LOGGER
from grammax.service.metrics import Metrics
from grammax.service.settings import Settings
from grammax.service.snapshot.live_catalogue import LiveCatalogue
from grammax.service.snapshot.snapshot import Snapshot

T = TypeVar("T")
_ANSWERING: Final = 4  # threads: DuckDB runs without the GIL
_PARSING: Final = 2  # threads for long queries and forms: they hold the GIL
_SHORT: Final = 48  # tokens of a form that take some milliseconds
_FILING: Final = 2  # threads for files of whole answers: they take much memory
_COLLECTED: Final = (700, 10, 4)  # 28,000 new objects until a complete collection
_REFUSED_SECONDS: Final = 0.5  # until a refusal, so that it is not sent again at once
_POLL_SECONDS: Final = 0.25  # for changes that another worker made
_RETRY_SECONDS: Final = 1.0  # after changes could not be loaded
_EDITS_SECONDS: Final = 1.0  # between two looks at files that people edit
_SWITCH_SECONDS: Final = 0.001  # how long a thread that prepares an answer may delay parsing


@final
class Worker:
    """A parser with its store, files and metrics, and a limit on concurrent requests."""

    def __init__(self, settings: Settings) -> None:
        warnings.simplefilter("ignore", QueryNotice)  # responses report cut and unknown words
        self.settings = settings
        self.limits = settings.limits
        self.metrics = Metrics()
        self.corrections = AppendedFile(settings.corrections_path)
        self.audit = None if settings.audit is None else AppendedFile(Path(settings.audit))
        self.catalogue = LiveCatalogue(settings)
        self.snapshot.parser.parse("the first query loads what later ones find in memory", 2)
        self.failure: str | None = None  # why the store could not be opened
        self.is_warm = False
        self.quota = Quota()  # of corrections
        self.turns = Turns()
        self._slots = Slots()
        self.answering = Lane("answer", _ANSWERING, _ANSWERING // 2)
        self.parsing = Lane("parse", _PARSING, 1)
        self.filing = Lane("file", _FILING, 1)
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def snapshot(self) -> Snapshot:
        """The current snapshot."""
        return self.catalogue.snapshot

    def warm_snapshot(self) -> Snapshot:
        """The current snapshot, once its names are indexed; `RequestRefused` until then."""
        if not self.is_warm:
            raise not_ready("The catalogue")
        return self.snapshot

    async def start(self) -> None:
        """Open the store and watch for changes in the background; queries can be parsed at once."""
        sys.setswitchinterval(_SWITCH_SECONDS)
        self._tasks = [asyncio.create_task(self._warm_up()), asyncio.create_task(self._watch())]

    async def stop(self) -> None:
        """Finish the current requests, and close."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for lane in (self.answering, self.parsing, self.filing):
            lane.close()
        self.corrections.close()
        if self.audit is not None:
            self.audit.close()
        self.catalogue.close()
        gc.unfreeze()

    @asynccontextmanager
    async def slot(self, client: str) -> AsyncIterator[None]:
        """A slot of the concurrent requests, and a turn; `RequestRefused` if there are too many."""
        name, limits = client_name(client), self.limits
        with ExitStack() as stack:
            try:
                slot = self._slots.slot(name, limits.client_concurrency, limits.concurrency)
                stack.enter_context(slot)
            except RequestRefused:
                await asyncio.sleep(_REFUSED_SECONDS)
                raise
            await self.turns.turn(name)
            yield

    async def audit_change(self, context: RequestContext, asked: object) -> None:
        """Write what is about to be changed to the audit file; what cannot be written is refused.

        The response has a line of its own.
        """
        if self.audit is None:
            return
        try:
            await asyncio.wrap_future(self.audit.append(context.audit_record() | {"begins": asked}))
        except OSError as error:
            raise not_audited() from error
        context.is_audited = True

    async def in_thread(self, work: Callable[[], T], lane: Lane | None = None) -> T:
        """The result of `work` in a thread, within the time limit; clients take turns."""
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await (self.answering if lane is None else lane).run(work)
        except (TimeoutError, AnswerTooSlow):
            raise timed_out(self.limits.seconds) from None

    async def compute(self, work: Callable[[], T], size: int) -> T:
        """The result of work on so many tokens: at once if they are few, else from a thread."""
        if size > _SHORT:
            return await self.in_thread(work, self.parsing)
        return self._at_once(work)

    def _at_once(self, work: Callable[[], T]) -> T:
        """The result of work that takes a millisecond or so."""
        try:
            return work()
        except AnswerTooSlow:
            raise timed_out(self.limits.seconds) from None

    def answers(self, snapshot: Snapshot) -> Answers:
        """The open store of a snapshot; `RequestRefused` if there is none."""
        if not snapshot.has_store:
            raise no_store(snapshot.domain.name)
        answers = snapshot.answers or self.snapshot.answers  # it may be open by now
        if answers is None:
            if self.failure is not None:
                raise RequestRefused(503, "no_answers", self.failure, headers={"Retry-After": "60"})
            raise not_ready("The store that answers")
        return answers

    async def answer(
        self,
        snapshot: Snapshot,
        tokens: Tokens,
        rows: int,
        view: View,
        write: Callable[[Answer], T],
    ) -> T:
        """The answer to a logical form, as `write` makes it a response."""
        store = self.answers(snapshot)
        end = monotonic() + self.limits.seconds

        def work() -> tuple[float, T]:
            left = end - monotonic()
            if left <= 0:
                raise AnswerTooSlow("it waited too long")
            found = store.answer(tokens, rows, left, view)
            return found.seconds, write(found)

        if store.instant:
            seconds, written = await self.compute(work, len(tokens))
        else:
            seconds, written = await self.in_thread(work)
        self.metrics.answered(seconds)
        return written

    def retire(self, before: Snapshot) -> None:
        """Close a replaced snapshot once no request can be using it any more."""
        asyncio.get_running_loop().call_later(2 * self.limits.seconds, before.close)

    async def _warm_up(self) -> None:
        try:
            await asyncio.to_thread(self.catalogue.warm_up)
        except (GrammaxError, OSError, ImportError) as error:
            self.failure = f"The store cannot be opened: {error}"
            LOGGER.error(self.failure)
        self.is_warm = True
        # Objects that exist now stay alive; freezing them makes a collection 100 ms faster. As few
        # are left, complete collections may be frequent: each of them is a pause of all requests.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_COLLECTED)

    async def _watch(self) -> None:
        """Load the changes of other workers and edited files; index names when idle."""
        looked = monotonic()
        while True:
            await asyncio.sleep(_POLL_SECONDS)
            _end_without_parent()
            if self.is_warm and monotonic() - looked >= _EDITS_SECONDS:
                looked = monotonic()
                if self.catalogue.is_edited():
                    await self._reload_edited()
            try:
                if self.catalogue.is_behind:
                    before = await asyncio.to_thread(self.catalogue.follow)
                    if before is not None:
                        self.retire(before)
                elif self.is_warm and not self.catalogue.is_indexed:
                    await asyncio.to_thread(self.catalogue.index)
            except (GrammaxError, OSError) as error:
                LOGGER.error("The catalogue's changes cannot be followed: %s", error)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _reload_edited(self) -> None:
        """Use the domain's edited files; if they cannot be used, log why and stay as before."""
        try:
            await self.reload()
        except (GrammaxError, OSError) as error:
            why = " ".join(str(error).split())
            LOGGER.error("The edited files are not used, and all stays as before: %s", why)
        else:
            LOGGER.info("The edited files are used now, version %s.", self.snapshot.version)

    async def reload(self) -> None:
        """Make the domain again from its files, in the background."""
        before = await asyncio.to_thread(self.catalogue.reload)
        if before is not None:
            self.retire(before)
            # What was replaced has cycles, and maps files: 8 descriptors that would stay open.
            delay = 2 * self.limits.seconds + 1
            asyncio.get_running_loop().call_later(delay, gc.collect)


def _end_without_parent() -> None:
    """End this worker if its supervisor was killed, so that the port becomes free."""
    parent = parent_process()
    if parent is not None and not parent.is_alive():
        os.kill(os.getpid(), signal.SIGTERM)
