"""Whether a picture can be drawn, asked before minutes are spent on what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import typer

_SUFFIXES: Final = (".png", ".svg")


def require_drawable(path: Path, option: str, rule: str = "pictures are") -> None:
    """Refuse another suffix, a missing folder, and a machine without matplotlib."""
    require_folder(path)
    if path.suffix.lower() not in _SUFFIXES:
        found = path.suffix or "no suffix"
        message = f"{path} ends in {found!r}; {rule} {' or '.join(_SUFFIXES)}"
        raise typer.BadParameter(message, param_hint=option)
    import matplotlib.figure  # noqa: F401 - it may be missing


def require_folder(path: Path) -> None:
    """Refuse a file whose folder is not there."""
    if not path.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(path.parent))
