"""Somebody who gives up what a thread works on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import sleep

from grammax.language.interruption import INTERRUPTION, Interruption


@contextmanager
def interrupted_after(seconds: float) -> Iterator[Interruption]:
    """Somebody gives up the work of this thread after some time."""
    interruption = Interruption()
    token = INTERRUPTION.set(interruption)

    def give_up() -> None:
        sleep(seconds)
        interruption.interrupt()

    thread = Thread(target=give_up)
    thread.start()
    try:
        yield interruption
    finally:
        INTERRUPTION.reset(token)
        thread.join()
