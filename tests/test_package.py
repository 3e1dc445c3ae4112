"""The package: what its files say of it agrees, and the wheel works where nothing else is."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest

import grammax

ROOT: Final = Path(__file__).parents[1]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Extras that are not for users: development, comparisons, and an example's weights.
OWN: Final = {"dev", "docs", "package", "peers", "smollm2"}


@pytest.fixture(name="trials")
def _trials(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`scripts/try_package.py`, as a module."""
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import try_package

    return try_package


def test_all_files_name_one_version() -> None:
    assert PROJECT["version"] == grammax.__version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {grammax.__version__}\n" in citation
    latest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert latest is not None
    assert grammax.__version__.partition(".dev")[0] == latest[1]


def test_the_licences_of_what_is_included_are_named() -> None:
    licences = {str(path.relative_to(ROOT)) for name in PROJECT["license-files"]
                for path in ROOT.glob(name)}  # fmt: skip
    assert licences == {
        "LICENSE",
        "NOTICE",
        "src/grammax/domains/eqs/data/NOTICE",
        "src/grammax/domains/eqs/data/NOTICE-equities",
    }
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for file in ROOT.glob("src/grammax/**/*"):
        if file.suffix in (".gz", ".safetensors") and file.name != "bench.safetensors":
            assert file.name in notice or f"{file.parent.name}/*{file.suffix}" in notice


def test_every_extra_is_described_and_tried(trials: Any) -> None:
    extras = {*PROJECT["optional-dependencies"]} - OWN
    start = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert {*re.findall(r"^\| `(\w+)` \|", start, re.MULTILINE)} == extras
    assert {extra for names in trials.TRIALS for extra in names.split(",")} - {"core"} == extras


def test_a_wheel_that_lacks_a_file_or_is_too_large_is_refused(
    trials: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "grammax-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in trials.INCLUDED[1:]:
            archive.writestr(name, "")
    with pytest.raises(trials.Failure, match=r"has no grammax/py\.typed"):
        trials.check_wheel(wheel)
    monkeypatch.setattr(trials, "LARGEST", 10)
    with pytest.raises(trials.Failure, match="and 10 are permitted"):
        trials.check_wheel(wheel)


@pytest.mark.slow
def test_the_wheel_asks_parses_and_serves_without_the_repository(
    trials: Any, tmp_path: Path
) -> None:
    probe = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "rich"]
    if subprocess.run([*probe, "-d", str(tmp_path / "probe")], capture_output=True).returncode:
        pytest.skip("pip can fetch no packages here")
    wheel = trials.build_wheel(tmp_path)
    trials.check_wheel(wheel)
    trials.use_commands(trials.install(wheel, "cli,eqs,fast,service", tmp_path))
