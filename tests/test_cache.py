"""Where grammax keeps what it made, and what it says where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammax.files import CacheError, CacheNotice, cache_folder


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
    with pytest.warns(CacheNotice, match="cannot be written to, so what is made is kept in"):
        folder = cache_folder()
    assert folder.parent == tmp_path
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    with pytest.raises(CacheError, match="Set \\$GRAMMAX_CACHE to a folder"):
        cache_folder()
