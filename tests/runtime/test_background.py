"""Threads that end when the program does."""

from __future__ import annotations

import subprocess
import sys
import threading
from threading import Event

import pytest

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


CALLBACK = """
import ctypes, threading
from grammax.runtime.background import start
begun = threading.Event()
@ctypes.CFUNCTYPE(None)
def callback():
    begun.set()
    while True:
        pass
def work():
    callback()
    raise RuntimeError("no compiled object yet")
start(work, "compile")
begun.wait()
"""


def test_a_library_whose_callback_is_interrupted_says_nothing() -> None:
    ended = subprocess.run([sys.executable, "-c", CALLBACK], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_error_of_the_work_itself_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: reported.append(args.exc_type))
    start(lambda: 1 / 0, "wrong").join(10)
    assert reported == [ZeroDivisionError]
