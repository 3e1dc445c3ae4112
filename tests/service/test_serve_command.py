"""`grammax serve`: options become settings, and what cannot be served is said in a line."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.service import run
from grammax.service.settings import TOKEN_VARIABLE, Settings


@pytest.fixture
def served(monkeypatch) -> dict[str, Any]:
    """What `serve` was called with; nothing is served."""
    found: dict[str, Any] = {}

    def serve(settings: Settings, host: str, port: int, workers: int, _: object) -> None:
        found.update(settings=settings, host=host, port=port, workers=workers)

    monkeypatch.setattr(run, "serve", serve)
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    return found


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["serve", *arguments])


def test_by_default_this_machine_alone_is_served_and_may_teach_words(served) -> None:
    done = invoke()
    assert (done.exit_code, done.stderr) == (0, "")
    assert (served["host"], served["port"], served["workers"]) == ("127.0.0.1", 8000, 1)
    assert served["settings"] == Settings(teach=True)


@pytest.mark.parametrize(
    ("options", "teach"),
    [
        ("--host 0.0.0.0", False),
        ("--host 0.0.0.0 --teach", True),
        ("--host ::1", True),
        ("--no-teach", False),
    ],
)
def test_other_machines_teach_words_only_if_it_is_asked_for(served, options, teach) -> None:
    assert invoke(*options.split()).exit_code == 0
    assert served["settings"].teach is teach


def test_options_become_settings(served, tmp_path: Path, monkeypatch) -> None:
    token = tmp_path / "token"
    token.write_text("0123456789abcdef\n")
    monkeypatch.chdir(tmp_path)
    options = "--max-words 9 --max-batch 8 --max-body 7 --timeout 6.5 --concurrency 5 --log-queries"
    done = invoke(*options.split(), "--audit", "audit.jsonl", "--token-file", str(token))
    assert done.exit_code == 0
    settings = served["settings"]
    limits = settings.limits
    assert (limits.words, limits.batch, limits.body) == (9, 8, 7)
    assert (limits.seconds, limits.concurrency) == (6.5, 5)
    assert settings.audit == str(tmp_path / "audit.jsonl")
    assert settings.token == "0123456789abcdef"
    assert settings.log_queries


def test_other_machines_are_served_with_a_warning(served) -> None:
    assert "can be reached from other machines" in invoke("--host", "0.0.0.0").stderr
    assert invoke("--host", "::1").stderr == ""


def test_a_short_token_is_refused(served, monkeypatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "secret")
    done = invoke()
    assert done.exit_code == 1
    assert "the token has 6 characters; give 16 or more" in done.stderr


def test_a_port_that_is_taken_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(run.CannotListen, match=f"Cannot listen on 127.0.0.1:{port}"):
            run._bound("127.0.0.1", port)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nope",), "unknown domain 'nope'"),
        (("tests",), "is not a domain: domain.toml is missing"),
        (("--model", "no-such-model"), "No such file or directory"),
        (("--catalogue", __file__), "not a change that grammax has stored"),
    ],
)
def test_what_no_worker_could_serve_is_said_before_any_starts(arguments, said) -> None:
    done = invoke(*arguments, "--port", "0")
    assert done.exit_code == 1
    assert said in done.stderr.replace("\n", " ")
