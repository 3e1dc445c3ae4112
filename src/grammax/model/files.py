"""Files that are there whole or not at all: written beside their place, then renamed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        kept = " The one that was there is kept." if path.exists() else ""
        raise OSError(
            error.errno, f"{error.strerror}; the checkpoint could not be written.{kept}", str(path)
        ) from error
    finally:
        with suppress(OSError):
            beside.unlink()
