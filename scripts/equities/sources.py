"""Files inside the installed packages, and tables of our own; versions must be the pinned ones."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

FOLDER = Path(__file__).parent
REQUIREMENTS = FOLDER / "requirements.txt"


def check_versions() -> None:
    """SystemExit names all pinned packages that are missing or of another version."""
    lines = REQUIREMENTS.read_text().splitlines()
    pinned = [line.split("==") for line in lines if line and not line.startswith("#")]
    wrong = [
        f"{name}: {version} wanted, {found or 'none'} found"
        for name, version in pinned
        if (found := _installed(name)) != version
    ]
    if wrong:
        advice = f"The equities are made from these only; see {REQUIREMENTS}"
        raise SystemExit("\n".join([*wrong, advice]))


def package_file(package: str, path: str) -> Path:
    """A file that the package carries, found without importing the package."""
    return Path(str(distribution(package).locate_file(path)))


def table(name: str) -> Iterator[list[str]]:
    """The rows of one of our tables, split at tabs; lines that begin with # are notes."""
    for line in (FOLDER / "tables" / f"{name}.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def grouped(name: str) -> dict[str, str]:
    """Ticker -> group, from a table with one group and its tickers a row; no ticker twice."""
    groups: dict[str, str] = {}
    for group, tickers in table(name):
        for ticker in tickers.split():
            if ticker in groups:
                raise SystemExit(f"{name}.tsv has {ticker} twice: {groups[ticker]} and {group}")
            groups[ticker] = group
    return groups


def _installed(name: str) -> str:
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return ""
