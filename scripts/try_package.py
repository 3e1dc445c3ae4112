"""Build the wheel, install it into clean environments, and use it there: `make package` runs this.

    python scripts/try_package.py [--wheel FILE] [--python PATH]... [--only NAME]...

Every combination of extras in `TRIALS` gets an environment of its own, which knows neither the
repository nor the packages of the interpreter, and its commands run in an empty folder. What goes
wrong ends the script with what was printed. `--python` names the interpreters, by default the one
that runs this; `--only` names trials.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 15_000_000  # bytes of the wheel
SECONDS = 60.0  # for a command, and for the service to be ready
INCLUDED = (  # what a wheel must have beside the code
    "grammax/py.typed",
    "grammax/domains/eqs/model.safetensors",
    "grammax/tables/own/model.safetensors",
    "grammax/service/page/index.html",
    ".dist-info/licenses/LICENSE",
    ".dist-info/licenses/NOTICE",
    "data/NOTICE",
    "data/NOTICE-equities",
)
FILMS = """\
title,genre,year,minutes
Metropolis,science fiction,1927,153
Modern Times,comedy,1936,87
Rashomon,drama,1950,88
Playtime,comedy,1967,124
"""
GRAMMAR = 'film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'


class Failure(Exception):
    """A package that does not do what it should."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=Path, metavar="FILE", help="by default it is built")
    parser.add_argument("--python", action="append", metavar="PATH")
    parser.add_argument("--only", action="append", choices=list(TRIALS))
    given = parser.parse_args()
    with TemporaryDirectory(prefix="grammax-") as folder:
        wheel = given.wheel or build_wheel(Path(folder))
        check_wheel(wheel)
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        for interpreter in given.python or [sys.executable]:
            for name in given.only or TRIALS:
                begun = monotonic()
                with TemporaryDirectory(prefix="grammax-") as place:
                    installed = install(wheel, name, Path(place), interpreter)
                    TRIALS[name].use(installed)
                    print(f"{installed.version}, {name}: works ({monotonic() - begun:.0f} s)")


def build_wheel(folder: Path) -> Path:
    """The wheel of the repository, built into a folder."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder)]
    _finished([*command, str(ROOT)], folder, os.environ)
    (wheel,) = folder.glob("grammax-*.whl")
    return wheel


def check_wheel(wheel: Path) -> None:
    """Raise `Failure` for a wheel that is too large, or lacks a file."""
    if wheel.stat().st_size > LARGEST:
        raise Failure(
            f"{wheel.name} has {wheel.stat().st_size:,} bytes, and {LARGEST:,} are permitted"
        )
    names = zipfile.ZipFile(wheel).namelist()
    for needed in INCLUDED:
        if not any(name.endswith(needed) for name in names):
            raise Failure(f"{wheel.name} has no {needed}")


@dataclass(frozen=True)
class Installed:
    """An environment with the package, and an empty folder to work in."""

    folder: Path
    binaries: Path

    @property
    def version(self) -> str:
        return self.python("import platform; print('Python', platform.python_version())").strip()

    def run(self, *command: str, code: int = 0) -> str:
        """What a command of the environment prints."""
        return _finished(
            [str(self.binaries / command[0]), *command[1:]], self.folder, self.variables, code
        )

    def python(self, program: str) -> str:
        """What a program prints; warnings are errors."""
        return self.run("python", "-I", "-W", "error", "-c", program)

    @property
    def variables(self) -> Mapping[str, str]:
        own = {name: str(self.folder.parent / name.lower()) for name in ("HOME", "GRAMMAX_HOME")}
        cache = {"GRAMMAX_CACHE": str(self.folder.parent / "cache"), "GRAMMAX_COMPILED": "no"}
        return {"PATH": f"{self.binaries}:/usr/bin:/bin", "NO_COLOR": "1", **own, **cache}


def install(wheel: Path, extras: str, folder: Path, interpreter: str = sys.executable) -> Installed:
    """A new environment with the wheel and some extras, separated by commas, or `core`."""
    _finished([interpreter, "-m", "venv", str(folder / "venv")], folder, os.environ)
    wanted = str(wheel.resolve()) + ("" if extras == "core" else f"[{extras}]")
    pip = [
        str(folder / "venv" / "bin" / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-compile",
    ]
    limits = ["--disable-pip-version-check", "--constraint", str(ROOT / "constraints.txt")]
    _finished([*pip, *limits, wanted], folder, os.environ)
    empty = folder / "empty"
    empty.mkdir()
    return Installed(empty, folder / "venv" / "bin")


def _finished(command: list[str], folder: Path, given: Mapping[str, str], code: int = 0) -> str:
    """What a command prints; `Failure` if it ends with another code."""
    variables = {name: value for name, value in given.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, timeout=600
    )
    if done.returncode != code:
        raise Failure(
            f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def _expect(found: str, wanted: str) -> None:
    if wanted not in found:
        raise Failure(f"expected {wanted!r}, found:\n{found}")


def use_core(here: Installed) -> None:
    """Grammars and parses, in a program; the command says what it needs."""
    where = here.python("import grammax; print(grammax.__file__)")
    _expect(where, str(here.binaries.parent))
    permitted = (
        f"a = grammax.exact(grammax.Grammar.read('{GRAMMAR}')); print(a.next_tokens(a.start))"
    )
    _expect(here.python(f"import grammax; {permitted}"), "Permitted(1 tokens")
    parsed = here.python("import grammax; print(grammax.load('eqs').parse('steel japan').lf)")
    _expect(parsed, "SEC_GICS_STEEL")
    here.run("grammax", "--version", code=2)


def use_commands(here: Installed) -> None:
    """Ask, parse and serve, from an empty folder."""
    _expect(here.run("grammax", "--version"), "grammax ")
    steel = "steel western europe not german"
    _expect(here.run("grammax", "parse", steel), "(FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE))")
    _expect(here.run("grammax", "ask", steel), "6 rows")
    (here.folder / "films.csv").write_text(FILMS)
    _expect(here.run("grammax", "ask", "films.csv", "how many films per genre"), "comedy")
    _expect(here.run("grammax", "grammar", "--help"), "Usage")
    served = ["grammax", "serve", "films.csv", "--port", "0"]
    log = here.folder / "log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [str(here.binaries / served[0]), *served[1:]],
            cwd=here.folder,
            env=dict(here.variables),
            stderr=errors,
        )
    try:
        _use_service(process, log)
    finally:
        process.terminate()
        process.wait(60)


def _use_service(process: subprocess.Popen[bytes], log: Path) -> None:
    end = monotonic() + SECONDS
    while not (found := re.search(r"http://127\.0\.0\.1:\d+/", log.read_text())):
        if process.poll() is not None or monotonic() > end:
            raise Failure(f"grammax serve did not start:\n{log.read_text()}")
        sleep(0.1)
    with urllib.request.urlopen(found[0]) as page:
        _expect(page.read().decode(), "<title>")
    while not _is_ready(found[0]):
        if monotonic() > end:
            raise Failure(f"grammax serve was not ready:\n{log.read_text()}")
        sleep(0.1)
    body = json.dumps({"query": "how many films per genre"}).encode()
    asked = urllib.request.Request(
        f"{found[0]}ask", body, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked) as answer:
        _expect(answer.read().decode(), "comedy")


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}ready") as answer:
            return bool(answer.status == 200)
    except urllib.error.HTTPError:
        return False


def _imports(program: str, printed: str = "") -> Callable[[Installed], None]:
    """A trial by a program, and what it prints."""
    return lambda here: _expect(here.python(program), printed)


@dataclass(frozen=True)
class Trial:
    """What is done in an environment with some extras."""

    use: Callable[[Installed], None]


_ASK = "import grammax; print(len(grammax.load('eqs').ask('steel japan').answer.rows))"
_DECODE = f"""
import grammax, torch
automaton = grammax.lr(grammax.Grammar.read('{GRAMMAR}'))
layer = grammax.OutputLayer.from_linear(torch.nn.Linear(4, 4, bias=False), tokens=4)
class Model:
    head = grammax.Spans(layer)
    def start(self, source): return torch.ones(4)
    def scores(self, state, options): return self.head.scores(state, options)
    def advance(self, state, token): return state
print(grammax.decode(Model(), automaton, None)[0])
"""
TRIALS = {
    "core": Trial(use_core),
    "cli,eqs,fast,service": Trial(use_commands),
    "cli": Trial(lambda here: _expect(here.run("grammax", "parse", "steel japan"), "STEEL")),
    "eqs": Trial(_imports(_ASK, "3")),
    "fast": Trial(_imports("import grammax.runtime.compiled.search")),
    "service": Trial(use_commands),
    "plot": Trial(_imports("import grammax.cli.charts, matplotlib")),
    "sklearn": Trial(_imports("import grammax.sklearn; print(grammax.sklearn.fit)", "fit")),
    "ray": Trial(_imports("import grammax.ray; print(grammax.ray.parse_files)", "parse_files")),
    "clickhouse": Trial(_imports("import clickhouse_connect, grammax.tables.sql.run")),
    "spark": Trial(_imports("import pyspark.sql, grammax.tables.sql.run")),
    "sql": Trial(_imports("import grammax.folder, sqlglot")),
    "model": Trial(_imports(_DECODE, "genre is")),
    "transformers": Trial(_imports("import grammax.transformers, grammax.subwords")),
}


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(str(failure))
