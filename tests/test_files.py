"""The atomic writer, the lock, and the folders of the user."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from grammax.files import (
    CacheError,
    CacheNotice,
    cache_folder,
    data_folder,
    lock_descriptor,
    locked,
    replacing,
    write_atomic,
)


def test_the_cache_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here"
    monkeypatch.delenv("GRAMMAX_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "there"))
    assert cache_folder() == tmp_path / "there" / "grammax"


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path / "file" / "folder"))
    with pytest.raises(CacheError, match=r"given by \$GRAMMAX_CACHE, cannot be written to"):
        cache_folder()


def test_without_a_writable_home_a_temporary_folder_is_used_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.delenv("GRAMMAX_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.warns(CacheNotice, match="cannot be written to, so the cache is in"):
        folder = cache_folder()
    assert folder.parent == tmp_path
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    with pytest.raises(CacheError, match="Set \\$GRAMMAX_CACHE to a folder"):
        cache_folder()


def test_without_a_home_the_folders_are_temporary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless(path: str) -> str:
        raise RuntimeError(path)

    for name in ("GRAMMAX_CACHE", "GRAMMAX_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("platformdirs.unix._expand_user", homeless)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert cache_folder() == data_folder()
    assert cache_folder().parent == tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
@pytest.mark.parametrize("how", ["writable by others", "a link", "owned by another"])
def test_a_temporary_cache_that_others_can_write_to_is_not_used(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.delenv("GRAMMAX_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = tmp_path / f"grammax-{os.getuid()}"
    if how == "a link":
        (tmp_path / "elsewhere").mkdir()
        folder.symlink_to(tmp_path / "elsewhere")
    elif how == "writable by others":
        folder.mkdir()
        folder.chmod(0o777)
    else:
        folder.mkdir(mode=0o700)
        monkeypatch.setattr("grammax.files._user", lambda: str(folder.stat().st_uid))
        monkeypatch.setattr("os.getuid", lambda: folder.stat().st_uid + 1)
    with pytest.raises(CacheError, match="others can write to it"):
        cache_folder()


def test_the_users_data_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAMMAX_HOME", str(tmp_path / "mine"))
    assert data_folder() == tmp_path / "mine"
    assert not data_folder().exists()
    monkeypatch.delenv("GRAMMAX_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert data_folder() == tmp_path / "xdg" / "grammax"


# The atomic writer


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "model.safetensors"


def broken_write(error: BaseException) -> Callable[[int], None]:
    def fsync(file: int) -> None:
        raise error

    return fsync


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt(), SystemExit()])
def test_an_interrupted_write_leaves_the_old_file_alone(
    interrupt: BaseException, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_bytes(b"the old one")
    monkeypatch.setattr("os.fsync", broken_write(interrupt))
    with pytest.raises(type(interrupt)):
        write_atomic(file, b"the new one")
    assert file.read_bytes() == b"the old one"
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_folders_are_made_and_files_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "c"
    write_atomic(file, b"one")
    write_atomic(file, b"other")
    assert file.read_bytes() == b"other"
    assert list(file.parent.iterdir()) == [file]


def test_whoever_reads_the_old_file_reads_it_to_its_end(file: Path) -> None:
    """The new one takes its place, and is not written over it."""
    write_atomic(file, b"one")
    with file.open("rb") as old:
        write_atomic(file, b"other")
        assert old.read() == b"one"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError, match="could not be written"):
        write_atomic(tmp_path / "model", b"new")


def test_a_block_that_fails_leaves_no_scratch_files(file: Path) -> None:
    def build(scratch: Path) -> None:
        scratch.write_bytes(b"half of it")
        scratch.with_name(f"{scratch.name}.wal").write_bytes(b"a log beside it")
        raise ValueError

    file.write_bytes(b"the old one")
    with pytest.raises(ValueError), replacing(file) as scratch:  # noqa: PT011
        build(scratch)
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.read_bytes() == b"the old one"


def test_a_folder_replaces_an_empty_path(tmp_path: Path) -> None:
    folder = tmp_path / "arrays"
    with replacing(folder) as scratch:
        scratch.mkdir()
        (scratch / "one").touch()
    assert [path.name for path in tmp_path.iterdir()] == ["arrays"]
    assert (folder / "one").exists()


# The lock


def test_threads_wait_for_each_other(file: Path) -> None:
    write_atomic(file, b"0")

    def count() -> None:
        with locked(file):
            write_atomic(file, str(int(file.read_bytes()) + 1).encode())

    threads = [Thread(target=count) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert file.read_bytes() == b"12"


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is locked there")
def test_an_open_file_is_locked_until_it_is_closed(file: Path) -> None:
    with file.open("w") as mine:
        assert lock_descriptor(mine.fileno())
        with file.open() as other:
            assert not lock_descriptor(other.fileno(), wait=False)
    with file.open() as other:
        assert lock_descriptor(other.fileno(), wait=False)


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is locked there")
def test_a_lock_goes_with_the_process_that_held_it(file: Path) -> None:
    code = (
        "import os, sys, filelock; filelock.FileLock(sys.argv[1] + '.lock').acquire(); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(file)]).returncode == 9
    with locked(file):
        pass
