"""The commands of the pages of `docs` that teach, run as they stand there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grammax.tables.own.domain import BASE_MODEL

DOCS = Path(__file__).parents[1] / "docs"


def run_page(page: str, folder: Path, **variables: str) -> str:
    """What the shell commands of a page print."""
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 3
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = "set -e\n" + "\n".join(blocks)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path, "GRAMMAX_HOME": str(folder / "home"), **variables},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_commands_for_a_language_of_ones_own_work(tmp_path: Path) -> None:
    out = run_page("your-own-language.md", tmp_path)
    assert "( find ( and ( room room:attic ) ( day friday ) ) )" in out
    assert "( find ( seats 75 ) )" in out


@pytest.mark.slow
def test_the_commands_for_sql_of_ones_own_work(tmp_path: Path) -> None:
    shutil.copytree(DOCS.parent / "examples" / "library", tmp_path / "examples" / "library")
    out = run_page("your-own-sql.md", tmp_path, COLUMNS="140", GRAMMAX_COMPILED="no")
    text = (DOCS / "your-own-sql.md").read_text(encoding="utf-8")
    shown = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    lines = {line.rstrip() for line in out.splitlines()}
    told = [line for block in shown for line in block.splitlines() if "warning" not in line]
    assert [line for line in told if line not in lines] == []
    assert len(told) == 9


@pytest.mark.slow
def test_the_commands_that_ask_work_and_print_what_the_page_shows(tmp_path: Path) -> None:
    out = run_page("ask.md", tmp_path, COLUMNS="140", GRAMMAX_COMPILED="no")
    shown = re.findall(
        r"```text\n(.*?)```", (DOCS / "ask.md").read_text(encoding="utf-8"), re.DOTALL
    )
    lines = {line.rstrip() for line in out.splitlines()}
    assert [
        line for block in shown for line in block.splitlines() if line not in lines | {"..."}
    ] == []
    assert "exit code 3" in lines


@pytest.mark.slow
def test_the_recipes_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run_page("how-to.md", tmp_path, GRAMMAX_COMPILED="no")
    assert "2 parsed.jsonl" in out
    assert "(FLD_DOMICILE EQ enumValue(COU_WAKANDA))" in out
    assert (tmp_path / "answer.csv").is_file()
    assert (tmp_path / "cache").is_dir()
    text = (DOCS / "how-to.md").read_text(encoding="utf-8")
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(code, "how-to.md", "exec"), {})
    assert "(FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE))" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(not BASE_MODEL.is_file(), reason="no model for tables is installed")
def test_the_commands_for_a_table_of_ones_own_work(tmp_path: Path) -> None:
    out = run_page("your-table.md", tmp_path)
    assert "(top 3 FLD_HEIGHT_M)" in out
    assert "height_m      number" in out
    assert "the mountain with the highest height" in out
    assert '"rows":[["Nepal",3.0],["Pakistan",3.0]' in out
    assert "the number of mountains by country" in out
    assert "(AND (FLD_HEIGHT_M GR 8000) (by FLD_COUNTRY))" in out
    assert "(AND (FLD_COUNTRY EQ enumValue(COU_USA)) (display FLD_DEATHS))" in out
    assert "eight-thousander  height > 8000" in out
