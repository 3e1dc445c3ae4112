"""The files of deploy/ name extras, options and metrics that exist; systemd reads its unit."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.service import run
from grammax.service.server import drain_seconds
from grammax.service.settings import Settings

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
UNIT = DEPLOY / "grammax@.service"
ADDED_BY_PROMETHEUS = {"job", "instance"}
_SELECTOR = re.compile(r"\b((?:grammax_|up\b)\w*)(?:\{([^}]*)\})?")
_LABEL = re.compile(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"")


def expressions() -> Iterator[str]:
    """All of PromQL in the dashboard and the alerts."""
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))
    yield from (target["expr"] for panel in board["panels"] for target in panel["targets"])
    groups = yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    yield from (rule["expr"] for group in groups for rule in group["rules"])


def unexported(expression: str, exported: dict[str, set[str]]) -> set[str]:
    """What an expression names that the service does not export: metrics, and their labels."""
    missing: set[str] = set()
    labels = set(ADDED_BY_PROMETHEUS)
    for name, selected in _SELECTOR.findall(expression):
        if name != "up" and name not in exported:
            missing.add(name)
        known = exported.get(name, set()) | ADDED_BY_PROMETHEUS
        labels |= known
        missing |= {f"{name}.{label}" for label in _LABEL.findall(selected)} - {
            f"{name}.{label}" for label in known
        }
    for group in re.findall(r"\bby \(([^)]*)\)", expression):
        missing |= {label.strip() for label in group.split(",")} - labels
    return missing


@pytest.fixture(scope="module")
def exported(client: TestClient) -> dict[str, set[str]]:
    """The labels of each metric that a service exports once it has answered and abstained."""
    for query in ("german steel", "the quick brown fox jumps over a lazy dog"):
        client.post("/ask", json={"query": query})
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def test_every_metric_of_the_dashboard_and_the_alerts_is_exported(exported) -> None:
    found = [*expressions()]
    assert len(found) > 15
    missing = {each: names for each in found if (names := unexported(each, exported))}
    assert missing == {}


def test_a_metric_or_a_label_that_is_not_exported_is_noticed(exported) -> None:
    assert unexported("sum(rate(grammax_queries_total[5m]))", exported) == {"grammax_queries_total"}
    wrong = 'sum by (route) (grammax_requests_total{code="200"})'
    assert unexported(wrong, exported) == {"grammax_requests_total.code", "route"}


def test_every_metric_has_a_panel(exported) -> None:
    shown = {name for each in expressions() for name, _ in _SELECTOR.findall(each)}
    kept = {name for name in exported if not name.endswith("_created")}
    families = {re.sub("_(sum|count|bucket)$", "", name) for name in kept}
    assert {re.sub("_bucket$", "", name) for name in shown} - {"up"} == families


def test_the_container_installs_extras_that_exist_and_copies_what_is_there() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (extras,) = re.findall(r'\.whl\)\[([\w,]+)\]"', text)
    assert {*extras.split(",")} <= {*project["optional-dependencies"]}
    copied = [line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY ")]
    here = [name for names in copied for name in names if not name.startswith(("--", "/"))]
    built = {project["readme"], *(name for name in project["license-files"] if "/" not in name)}
    assert {"pyproject.toml", "src", "constraints.txt", *built} <= {*here}
    assert [name for name in here if not (ROOT / name).exists()] == []


@pytest.fixture
def served(monkeypatch) -> dict[str, Any]:
    """What `serve` was called with; nothing is served."""
    found: dict[str, Any] = {}

    def serve(settings: Settings, host: str, port: int, workers: int, _: object) -> None:
        found.update(settings=settings, host=host, port=port, workers=workers)

    monkeypatch.setattr(run, "serve", serve)
    return found


def test_the_container_serves_to_others_and_they_teach_nothing(served) -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    entry, options = (
        json.loads(re.search(rf"^{name} (.*)$", text, re.MULTILINE)[1])
        for name in ("ENTRYPOINT", "CMD")
    )
    assert CliRunner().invoke(app, [*entry, *options][1:]).exit_code == 0
    assert (served["host"], served["settings"].teach) == ("0.0.0.0", False)
    assert f"EXPOSE {served['port']}" in text


def command_of_unit(folder: Path) -> list[str]:
    text = UNIT.read_text(encoding="utf-8").replace("\\\n", " ")
    found = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)
    assert found is not None
    return shlex.split(found[1].replace("%i", "8001").replace("%d", str(folder)))


def test_the_unit_starts_a_replica_whose_end_it_waits_for(served, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("0123456789abcdef\n")
    program, *options = command_of_unit(tmp_path)
    assert Path(program).name == "grammax"
    done = CliRunner().invoke(app, options)
    assert done.exit_code == 0, done.stderr
    assert (served["port"], served["settings"].root_path) == (8001, "/search")
    assert served["settings"].token == "0123456789abcdef"
    stop = re.search(r"^TimeoutStopSec=(\d+)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    assert stop is not None
    assert int(stop[1]) > drain_seconds(served["settings"]) + 2


def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("no systemd-analyze")
    text = UNIT.read_text(encoding="utf-8").replace("/opt/grammax/bin/grammax", sys.executable)
    for name, content in (("good", text), ("bad", text.replace("Restart=", "Restrat="))):
        unit = tmp_path / f"{name}@8001.service"
        unit.write_text(content, encoding="utf-8")
        done = subprocess.run([program, "verify", unit], capture_output=True, text=True, timeout=60)
        if "Failed to initialize manager" in done.stderr:
            pytest.skip("systemd-analyze does not work here")
        mine = [line for line in done.stderr.splitlines() if unit.name in line]
        assert bool(mine) == (name == "bad"), done.stderr
