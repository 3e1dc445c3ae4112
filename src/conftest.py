"""Without PyTorch the doctests of what needs it are left out; nothing else is."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_HEADS = Path(__file__).parent / "grammax" / "head"
_WITHOUT_TORCH = {"__init__.py", "protocol.py", "rows.py"}

collect_ignore: list[str] = []
if find_spec("torch") is None:
    collect_ignore += [str(f) for f in _HEADS.glob("*.py") if f.name not in _WITHOUT_TORCH]
