"""Threads that end when the program does."""

from __future__ import annotations

import subprocess
import sys
from threading import Event

from grammax.runtime.background import end, start


def test_a_busy_thread_ends_at_once() -> None:
    begun = Event()

    def work() -> None:
        begun.set()
        while True:
            pass

    thread = start(work, "busy")
    assert begun.wait(10)
    end(thread, 30)
    assert not thread.is_alive()


def test_a_thread_that_catches_the_first_request_ends_too() -> None:
    begun = Event()

    def work() -> None:
        for _ in range(3):
            begun.set()
            try:
                while True:
                    pass
            except SystemExit:
                continue

    thread = start(work, "stubborn")
    assert begun.wait(10)
    end(thread, 30)
    assert not thread.is_alive()


PROGRAM = """
import duckdb
from grammax.runtime.background import start
connection = duckdb.connect()
connection.execute("SELECT 1")
def work():
    while True:
        pass
start(work, "busy")
"""


def test_a_program_that_ends_meanwhile_leaks_nothing() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
