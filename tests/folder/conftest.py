"""The folder that `grammax new` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammax.folder import write_example


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    folder = tmp_path / "rooms"
    write_example(folder)
    return folder
