"""Without PyTorch the doctests of what needs it are left out; nothing else is."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_PACKAGE = Path(__file__).parent / "grammax"
_WITHOUT_TORCH = {
    "head": {"__init__", "protocol", "rows"},
    "model": {"__init__", "config", "header"},
    "training": {"__init__", "calibration", "examples", "glove"},
    "evaluation/paper": {"__init__", "published"},
}

collect_ignore: list[str] = []
if find_spec("torch") is None:
    for folder, free in _WITHOUT_TORCH.items():
        files = (_PACKAGE / folder).glob("*.py")
        collect_ignore += [str(file) for file in files if file.stem not in free]
