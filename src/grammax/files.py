"""Files and folders: one atomic writer, one lock, and the user's folders.

| function | what it does |
|---|---|
| `write_atomic` | writes a file; readers see either the old content or the new |
| `replacing` | the same for files that other libraries write, through a scratch path |
| `locked` | admits one process and one thread at a time, by a lock file beside the path |
| `lock_descriptor` | the same for an open file, without a lock file |
| `cache_folder` | the folder of files that can be rebuilt: `$GRAMMAX_CACHE` |
| `data_folder` | the folder of the user's own files: `$GRAMMAX_HOME` |
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from itertools import count
from pathlib import Path
from typing import Final, Literal

from grammax.errors import GrammaxError

CACHE_VARIABLE: Final = "GRAMMAX_CACHE"
HOME_VARIABLE: Final = "GRAMMAX_HOME"
SCRATCH_SUFFIX: Final = ".building"

_POLL_SECONDS: Final = 0.01
_NO_LOCKS: Final = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
_scratch_numbers = count()


class CacheError(GrammaxError):
    """No folder is writable, so nothing can be cached."""


class CacheNotice(UserWarning):
    """The cache is in another folder than usual, or is not used."""


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file completely or not at all; on return it is on the disk.

    The data goes to a scratch file in the same folder, which then replaces `path`. Missing folders
    are created. A process that has the old file open continues to read the old content.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as scratch, scratch.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        stays = " The previous file is unchanged." if path.exists() else ""
        raise OSError(
            error.errno, f"{error.strerror}; the file could not be written.{stays}", str(path)
        ) from error
    sync_folder(path.parent)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A scratch path beside `path`, which it replaces if the block succeeds.

    The block creates a file or a folder there. If the block fails, everything whose name begins
    with that of the scratch path is removed.
    """
    name = f"{path.name}.{os.getpid()}-{next(_scratch_numbers)}{SCRATCH_SUFFIX}"
    scratch = path.with_name(name)
    try:
        yield scratch
        scratch.replace(path)
    finally:
        for leftover in path.parent.glob(f"{escape(name)}*"):
            if leftover.is_dir():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                with suppress(OSError):
                    leftover.unlink()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file `path.lock`; it is released at the latest when the process ends."""
    from filelock import FileLock  # 20 ms; few processes lock

    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name(f"{path.name}.lock"), poll_interval=_POLL_SECONDS):
        yield


def lock_descriptor(descriptor: int, *, wait: bool = True) -> bool:
    """Lock an open file until it is closed; False if another process has it and `wait` is not set.

    Nothing is locked on Windows, where a lock would keep readers out, nor on a file system that
    does not support locks.
    """
    if sys.platform == "win32":
        return True
    from filelock import lock_descriptor as lock

    try:
        return lock(descriptor, blocking=wait, poll_interval=_POLL_SECONDS)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        return True


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk, where the system supports it."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def data_folder() -> Path:
    """`$GRAMMAX_HOME`, else the user's data folder. It need not exist yet."""
    given = os.environ.get(HOME_VARIABLE)
    return Path(given).expanduser() if given else _user_folder("data")


def cache_folder() -> Path:
    """`$GRAMMAX_CACHE`, else the user's cache folder; a temporary one where neither is writable."""
    given = os.environ.get(CACHE_VARIABLE)
    if given:
        folder = Path(given).expanduser()
        if not _is_writable(folder):
            raise CacheError(
                f"The folder {folder}, given by ${CACHE_VARIABLE}, cannot be written to.\n"
                "Make it writable, or set the variable to a folder that is."
            )
        return folder
    folder, fallback = _user_folder("cache"), _temporary_folder()
    if folder != fallback and _is_writable(folder):
        return folder
    if not _is_own(fallback):
        raise CacheError(
            f"There is no folder for the cache: {folder} cannot be written to, and {fallback} "
            f"cannot either, or others can write to it.\n"
            f"Set ${CACHE_VARIABLE} to a folder that is writable."
        )
    if folder == fallback:
        return folder
    warnings.warn(
        f"{folder} cannot be written to, so the cache is in {fallback}. "
        f"Set ${CACHE_VARIABLE} to another folder.",
        CacheNotice,
        stacklevel=2,
    )
    return fallback


def _user_folder(what: Literal["cache", "data"]) -> Path:
    """The same folders on macOS as on Linux: ~/.cache/grammax and ~/.local/share/grammax."""
    try:
        if sys.platform == "win32":
            from platformdirs.windows import Windows

            folders = Windows("grammax", appauthor=False, opinion=False)
            return folders.user_cache_path if what == "cache" else folders.user_data_path
        from platformdirs.unix import Unix

        unix = Unix("grammax")
        return unix.user_cache_path if what == "cache" else unix.user_data_path
    except RuntimeError:  # a user without a home directory
        return _temporary_folder()


def _temporary_folder() -> Path:
    return Path(tempfile.gettempdir()) / f"grammax-{_user()}"


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _is_own(folder: Path) -> bool:
    """Whether a folder of the temporary files is writable, for this user alone.

    Compiled code is loaded from the cache, and anyone could make a folder of that name before.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
        return False
    return stat.S_ISDIR(found.st_mode) and _is_writable(folder)


def _is_writable(folder: Path) -> bool:
    """Whether a file can be created there. Trying is the only test that works on every system."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
