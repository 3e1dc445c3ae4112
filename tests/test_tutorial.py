"""The commands of `docs/your-own-language.md`, run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "your-own-language.md"


@pytest.mark.slow
def test_the_commands_of_the_page_work(tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 3
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = "set -e\n" + "\n".join(blocks)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "( find ( and ( room room:attic ) ( day friday ) ) )" in done.stdout
