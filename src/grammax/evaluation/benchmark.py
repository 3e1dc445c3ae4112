"""The common parts of benchmark reports: rows, claims, and the machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import final

Row = Mapping[str, object]


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the project, the measured figure, and whether it holds."""

    claim: str
    target: str
    measured: str
    met: bool


def at_most(claim: str, measured: float, limit: float, unit: str) -> Claim:
    """A claim that a figure is not above a limit."""
    return Claim(claim, f"≤ {limit:g} {unit}", f"{measured:.3g} {unit}", measured <= limit)


def at_least(claim: str, measured: float, limit: float, unit: str) -> Claim:
    """A claim that a figure is not below a limit."""
    return Claim(claim, f"≥ {limit:g} {unit}", f"{measured:.3g} {unit}", measured >= limit)


def above(claim: str, measured: float, limit: float, unit: str) -> Claim:
    """A claim that a figure is above a limit."""
    return Claim(claim, f"> {limit:g} {unit}", f"{measured:.4g} {unit}", measured > limit)


def machine(*packages: str, threads: int = 1) -> dict[str, object]:
    """The machine and the versions of Python and of some packages."""
    from importlib.metadata import version

    cpu = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        lines = information.read_text().splitlines()
        cpu = next((line.split(":")[1].strip() for line in lines if "model name" in line), cpu)
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "threads": threads,
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", *packages, "grammax")},
    }


def machine_line(found: Mapping[str, object]) -> str:
    """The machine as one line of text."""
    return "  ".join(f"{key}: {value}" for key, value in found.items())


def benchmark_json(
    name: str, on: Mapping[str, object], rows: Sequence[Row], claims: Sequence[Claim]
) -> dict[str, object]:
    """The report as a JSON object."""
    return {
        "benchmark": name,
        "machine": dict(on),
        "rows": list(rows),
        "claims": [asdict(claim) for claim in claims],
    }
