"""`Worker`: the state of one process of the service, from start to end."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Final, TypeVar, final

from grammax.errors import GrammaxError
from grammax.language.answer import Answer, Answers, AnswerTooSlow, View
from grammax.language.domain import Domain, Tokens
from grammax.service.appended import AppendedFile
from grammax.service.http.clients import Quota, Slots, client_name
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import (
    RequestRefused,
    no_store,
    not_audited,
    not_ready,
    store_busy,
    timed_out,
)
from grammax.service.http.given_up import in_lane
from grammax.service.http.private import hide_folders
from grammax.service.http.turns import Lane, Turns
from grammax.service.loading import Loading
from grammax.service.log import LOGGER
from grammax.service.memory import release_memory
from grammax.service.metrics import Metrics
from grammax.service.settings import Settings
from grammax.service.snapshot.live_catalogue import LiveCatalogue
from grammax.service.snapshot.snapshot import Snapshot
from grammax.service.store_health import StoreHealth
from grammax.tables.query.source import StoreError

T = TypeVar("T")
_ANSWERING: Final = 4  # threads: DuckDB runs without the GIL
_PARSING: Final = 2  # threads for long queries and forms: they hold the GIL
_SHORT: Final = 48  # tokens of a form that take some milliseconds
_FILING: Final = 2  # threads for files of whole answers: they take much memory
_REFUSED_SECONDS: Final = 0.5  # until a refusal, so that it is not sent again at once
_POLL_SECONDS: Final = 0.25  # for changes that another worker made
_RETRY_SECONDS: Final = 1.0  # after changes could not be loaded
_TIDY_SECONDS: Final = 1.0  # between two collections of what was replaced
_EDITS_SECONDS: Final = 1.0  # between two looks at files that people edit
_SWITCH_SECONDS: Final = 0.0003  # how long a thread that prepares an answer may delay parsing


@final
class Worker:
    """A parser with its store, files and metrics, and a limit on concurrent requests.

    It is made at once, and loaded when it starts: until then requests that need the parser are
    refused with a 503. `base` is the domain, where it was loaded before.
    """

    def __init__(self, settings: Settings, base: Domain | None = None) -> None:
        hide_folders(settings)
        self.settings = settings
        self.limits = settings.limits
        self.metrics = Metrics()
        self.corrections = AppendedFile(settings.corrections_path)
        self.audit = None if settings.audit is None else AppendedFile(Path(settings.audit))
        self.loading = Loading(settings, base)
        self.ended: Callable[[], object] = self._say_why  # called when loading has ended
        self.quota = Quota()  # of corrections
        self.turns = Turns()
        self._slots = Slots()
        self.store = StoreHealth(self.metrics.store_down)
        self.answering = Lane("answer", _ANSWERING, _ANSWERING // 2, settings.limits.seconds)
        self.parsing = Lane("parse", _PARSING, 1)
        self.filing = Lane("file", _FILING, 1, settings.limits.seconds)
        self._tasks: list[asyncio.Task[None]] = []
        self._has_retired = False  # a snapshot, whose memory is not released yet

    @property
    def catalogue(self) -> LiveCatalogue:
        """The catalogue; `RequestRefused` until it is loaded."""
        found = self.loading.catalogue
        if found is None:
            raise not_ready(self.loading.step.doing)
        return found

    @property
    def is_warm(self) -> bool:
        """Whether everything is loaded."""
        return self.loading.is_warm

    @property
    def snapshot(self) -> Snapshot:
        """The current snapshot; `RequestRefused` until the parser is loaded."""
        return self.catalogue.snapshot

    def warm_snapshot(self) -> Snapshot:
        """The current snapshot, once its names are indexed; `RequestRefused` until then."""
        if not self.loading.is_warm:
            raise not_ready(self.loading.step.doing)
        return self.snapshot

    async def start(self) -> None:
        """Load in the background, and watch for changes."""
        sys.setswitchinterval(_SWITCH_SECONDS)
        self.begin()
        self._tasks = [asyncio.create_task(self._watch())]

    def begin(self) -> None:
        """Begin to load in a thread; `ended` is called on the event loop at the end."""
        loop = asyncio.get_running_loop()

        def ended() -> None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(self.ended)

        self.loading.start(ended)

    def _say_why(self) -> None:
        if self.loading.error is not None:
            LOGGER.error("There is nothing to serve: %s", self.loading.error)

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
        if self.loading.catalogue is not None:
            self.loading.catalogue.close()
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
        """The result of `work` in a thread, within the time limit; clients take turns.

        Work is about the store, unless the lane is that for parsing.
        """
        lane = self.answering if lane is None else lane
        try:
            async with asyncio.timeout(self.limits.seconds):
                if lane is self.parsing:
                    return await lane.run(work)
                return await self._from_store(work, lane)
        except (TimeoutError, AnswerTooSlow):
            raise timed_out(self.limits.seconds) from None

    async def _from_store(self, work: Callable[[], T], lane: Lane) -> T:
        """The result of work about the store, which is interrupted if the client leaves."""
        self.store.require()
        if lane.is_full:
            raise store_busy()
        try:
            found = await in_lane(lane, work)
        except StoreError as error:
            refused = self.store.refusal(error)
            if refused is None:
                raise
            raise refused from error
        self.store.worked()
        return found

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
            self.require_store()
            raise not_ready("The store that answers")
        return answers

    def require_store(self) -> None:
        """Refuse a request if the store could not be opened."""
        if self.loading.failure is not None:
            raise RequestRefused(
                503,
                "no_answers",
                self.loading.failure,
                "Tell the operator of the service: the log has the reason.",
                {"Retry-After": "60"},
            )

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
        """Let go of a replaced snapshot; its store is closed when no request can be using it."""
        self._has_retired = True
        if before.answers is not None and not before.answers.instant:
            delay = 2 * self.limits.seconds
            asyncio.get_running_loop().call_later(delay, self._close, before)

    def _close(self, before: Snapshot) -> None:
        before.close()
        self._has_retired = True

    async def _watch(self) -> None:
        """Load the changes of other workers and edited files; index names when idle."""
        looked = tidied = monotonic()
        while True:
            await asyncio.sleep(_POLL_SECONDS)
            if not self.loading.is_warm:
                continue
            if self._has_retired and monotonic() - tidied >= _TIDY_SECONDS:
                self._has_retired = False
                await asyncio.to_thread(release_memory)
                tidied = monotonic()
            if monotonic() - looked >= _EDITS_SECONDS:
                looked = monotonic()
                if self.catalogue.is_edited():
                    await self._reload_edited()
            try:
                if self.catalogue.is_behind:
                    before = await asyncio.to_thread(self.catalogue.follow)
                    if before is not None:
                        self.retire(before)
                elif not self.catalogue.is_indexed:
                    await asyncio.to_thread(self.catalogue.index)
            except (GrammaxError, OSError) as error:
                LOGGER.error("The catalogue's changes cannot be followed: %s", error)
                await asyncio.sleep(_RETRY_SECONDS)
            except Exception:  # an error of ours: what comes later is followed all the same
                LOGGER.exception("The catalogue's changes cannot be followed.")
                await asyncio.sleep(_RETRY_SECONDS)

    async def _reload_edited(self) -> None:
        """Use the domain's edited files; if they cannot be used, log why and stay as before."""
        try:
            await self.reload()
        except (GrammaxError, OSError) as error:
            why = " ".join(str(error).split())
            LOGGER.error("The edited files are not used, and all stays as before: %s", why)
        except Exception:  # an error of ours: later edits are followed all the same
            LOGGER.exception("The edited files are not used, and all stays as before.")
        else:
            LOGGER.info("The edited files are used now, version %s.", self.snapshot.version)

    async def reload(self) -> None:
        """Make the domain again from its files, in the background."""
        before = await asyncio.to_thread(self.catalogue.reload)
        if before is not None:
            self.retire(before)
