"""The folder in which grammax keeps what takes long to make: a market, a trained network."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Final

from grammax.errors import GrammaxError

CACHE_VARIABLE: Final = "GRAMMAX_CACHE"


class CacheError(GrammaxError):
    """There is no folder to keep anything in."""


class CacheNotice(UserWarning):
    """Things are kept in another folder than usual."""


def cache_folder() -> Path:
    """`$GRAMMAX_CACHE`, else the user's cache folder; a temporary one where neither is writable."""
    given = os.environ.get(CACHE_VARIABLE)
    if given:
        folder = Path(given).expanduser()
        if not _writable(folder):
            raise CacheError(
                f"The folder {folder}, given by ${CACHE_VARIABLE}, cannot be written to.\n"
                "Make it writable, or set the variable to a folder that is."
            )
        return folder
    folder = _user_cache() / "grammax"
    if _writable(folder):
        return folder
    fallback = Path(tempfile.gettempdir()) / f"grammax-{_user()}"
    if not _writable(fallback):
        raise CacheError(
            f"Neither {folder} nor {fallback} can be written to, and what is made once has to be "
            f"kept.\nSet ${CACHE_VARIABLE} to a folder that is writable."
        )
    warnings.warn(
        f"{folder} cannot be written to, so what is made is kept in {fallback}. "
        f"Set ${CACHE_VARIABLE} to keep it elsewhere.",
        CacheNotice,
        stacklevel=2,
    )
    return fallback


def _user_cache() -> Path:
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local")).expanduser()
    try:
        return Path.home() / ".cache"
    except RuntimeError:  # a user without a home directory
        return Path(tempfile.gettempdir())


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _writable(folder: Path) -> bool:
    """Whether a file can be made there: only trying tells, on any system."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
