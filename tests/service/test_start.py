"""The start of `grammax serve`, as a process: it listens at once, ends at once, or says why not."""

from __future__ import annotations

import signal
from pathlib import Path
from time import monotonic, sleep

import pytest
from service.processes import SECONDS, ask, port_of, starting

pytestmark = pytest.mark.slow
NUMBERS = [1, 2]


@pytest.mark.parametrize("workers", NUMBERS)
def test_requests_are_answered_while_the_model_is_loaded(tmp_path: Path, workers: int) -> None:
    with starting(tmp_path, "--workers", str(workers)) as (process, log):
        port = port_of(process, log)
        status, page, _ = ask(port, "GET", "/")
        assert (status, b"<title>grammax" in page) == (200, True)
        status, found, _ = ask(port, "GET", "/health")
        assert status == 200
        assert not found["answers"]
        assert found["progress"] < 1
        for method, path, body in (
            ("GET", "/ready", None),
            ("GET", "/domain", None),
            ("GET", "/openapi.json", None),
            ("GET", "/catalogue", None),
            ("POST", "/parse", {"query": "german steel"}),
            ("POST", "/ask", {"query": "german steel"}),
            ("POST", "/run", {"lf": "(top 3 FLD_PRICE)"}),
            ("POST", "/complete", {"text": "ger"}),
            ("POST", "/corrections", {"query": "x", "lf": "(top 3 FLD_PRICE)"}),
        ):
            status, found, headers = ask(port, method, path, body)
            assert (status, found["error"]["code"]) == (503, "not_ready"), path
            assert headers["Retry-After"] == "1"
        end = monotonic() + SECONDS
        while (answered := ask(port, "POST", "/ask", {"query": "german steel"}))[0] != 200:
            assert answered[1]["error"]["code"] == "not_ready"
            assert monotonic() < end
            sleep(0.05)
        assert answered[1]["answer"]["total"] > 0


@pytest.mark.parametrize("workers", NUMBERS)
@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_heard_while_the_model_is_loaded(
    tmp_path: Path, workers: int, name: signal.Signals
) -> None:
    with starting(tmp_path, "--workers", str(workers)) as (process, log):
        port = port_of(process, log)
        assert not ask(port, "GET", "/health")[1]["answers"]
        process.send_signal(name)
        process.wait(20)
        with pytest.raises(ConnectionRefusedError):
            ask(port, "GET", "/health")
        assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("workers", NUMBERS)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "no-such-model"], "no-such-model: No such file or directory"),
        (["--model", __file__], "is not a checkpoint"),
        (["--corrections", "/proc/none/corrections"], "/proc/none: No such file or directory"),
        (["--audit", "/proc/audit"], "/proc/audit: "),
        (["no-such.csv"], "no-such.csv"),
    ],
)
def test_what_cannot_be_served_ends_the_command_with_one_line(
    tmp_path: Path, workers: int, arguments: list[str], said: str
) -> None:
    with starting(tmp_path, *arguments, "--workers", str(workers)) as (process, log):
        assert process.wait(SECONDS) == 1
        lines = log.read_text().splitlines()
        if arguments[0].startswith("--"):
            assert len(lines) == 1, lines
        told = [line for line in lines if not line.startswith(("{", "http", "Opening"))]
        assert said in told[0]
        assert len(told) == 1, told
