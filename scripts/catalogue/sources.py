"""Files inside the installed packages, and tables of our own; versions must be the pinned ones."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

FOLDER = Path(__file__).parent
TABLES = FOLDER / "tables"
REQUIREMENTS = FOLDER / "requirements.txt"


def check_versions() -> dict[str, str]:
    """The pinned packages with their versions; SystemExit names all that are missing or other."""
    pinned = {}
    for line in REQUIREMENTS.read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, version = line.partition("==")
            pinned[name] = version
    wrong = [
        f"{name}: {version} wanted, {found or 'none'} found"
        for name, version in pinned.items()
        if (found := _installed(name)) != version
    ]
    if wrong:
        advice = f"pip install --no-deps -r {REQUIREMENTS}"
        raise SystemExit("\n".join([*wrong, f"The catalogue is made from these only: {advice}"]))
    return pinned


def package_file(package: str, path: str) -> Path:
    """A file that the package carries, found without importing the package."""
    return Path(str(distribution(package).locate_file(path)))


def package_rows(package: str, path: str) -> list[dict[str, str]]:
    """The rows of a CSV file that the package carries."""
    with package_file(package, path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def table(name: str) -> Iterator[list[str]]:
    """The rows of one of our tables, split at tabs; lines that begin with # are notes."""
    for line in (TABLES / f"{name}.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def split(cell: str) -> list[str]:
    """The parts of a cell that lists several.

    >>> split("market cap; mcap")
    ['market cap', 'mcap']
    """
    return [part.strip() for part in cell.split(";") if part.strip()]


def _installed(name: str) -> str:
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return ""
