"""Without PyTorch the shared test code that needs it is not collected for doctests."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["small.py"]
