"""`Loading`: what a worker serves, loaded in a thread while the worker already listens.

Queries can be answered once the model is loaded and the store is open; completions follow when the
names are indexed, and compiled code last of all.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread
from typing import Final, final

from grammax.errors import GrammaxError
from grammax.language.domain import Domain
from grammax.reading.parse import QueryNotice
from grammax.runtime import background
from grammax.service.log import LOGGER
from grammax.service.memory import keep_large_arrays_apart, release_memory
from grammax.service.settings import Settings
from grammax.service.snapshot.live_catalogue import LiveCatalogue

_COLLECTED: Final = (700, 10, 4)  # 28,000 new objects until a complete collection
STORE_FAILED: Final = "The store that answers cannot be opened."


@final
@dataclass(frozen=True, slots=True)
class Step:
    """How far the start is: what is being loaded, empty at the end, and a share from 0 to 1."""

    doing: str
    progress: float


@final
class Loading:
    """The live catalogue of a worker, once it is loaded."""

    def __init__(self, settings: Settings, base: Domain | None = None) -> None:
        self._settings = settings
        self._base = base
        self._thread: Thread | None = None
        self.step = Step("The domain", 0.0)
        self.catalogue: LiveCatalogue | None = None
        self.error: Exception | None = None  # why there is nothing to serve
        self.failure: str | None = None  # that the store could not be opened
        self.is_warm = False

    def start(self, ended: Callable[[], object]) -> None:
        """Load in a thread, unless that has begun; `ended` is called there at the end."""

        def work() -> None:
            try:
                self.load()
            except Exception as error:
                self.error = error
            ended()
            if self.error is None:
                self._finish()

        if self._thread is None and not self.is_warm:
            self._thread = background.start(work, "load")

    def load(self) -> None:
        """Load everything that requests need; returns when that is done."""
        keep_large_arrays_apart()
        gc.disable()  # nearly all that is made stays
        try:
            self._load()
        finally:
            gc.enable()
        # Objects that exist now stay alive; freezing them makes a collection 100 ms faster. As few
        # are left, complete collections may be frequent: each of them is a pause of all requests.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_COLLECTED)

    def _load(self) -> None:
        warnings.simplefilter("ignore", QueryNotice)  # responses report cut and unknown words
        self.step = Step("The model", 0.1)
        catalogue = LiveCatalogue(self._settings, self._base)
        catalogue.snapshot.parser.parse("the first query loads what later ones find in memory", 2)
        self.catalogue = catalogue
        self.step = Step("The store that answers", 0.6)
        try:
            catalogue.open_store()
        except (GrammaxError, OSError, ImportError) as error:
            if self._settings.tables is not None:
                raise
            self.failure = STORE_FAILED
            LOGGER.error("%s %s", STORE_FAILED, " ".join(str(error).split()))
        self.step = Step("The index of names", 0.8)
        catalogue.index()
        self.is_warm = True
        self.step = Step("", 1.0)

    def _finish(self) -> None:
        """Check the large files of the cache, and compile searches, which may take a minute."""
        assert self.catalogue is not None
        try:
            self.catalogue.require_intact()
            self.catalogue.compile()
        except Exception:  # queries are answered without them, three times as slowly
            LOGGER.exception("Searches are not compiled.")
        release_memory()
