"""Fine-tunes the base model for the tables of `benchmarks/tables.py`, as `grammax train` does.

The questions that are learnt are generated from the schema of each table; those that people wrote
are not read. Then measure with `python benchmarks/tables.py --model FOLDER --tuned`.

python benchmarks/tables_tune.py FOLDER [--set NAME ...]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from tables import USUAL
from tables_judges import judge_of
from tables_questions import SETS, questions_of
from tables_worlds import World

from grammax.training.run import train


def main() -> None:
    """Fine-tune for each table of some sets; tables that have their model are passed over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path, help="where the models are written")
    parser.add_argument("--set", action="append", choices=list(SETS), help="one of the sets")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.set or USUAL:
        questions = questions_of(name)
        with judge_of(questions[0]) as judge:
            worlds = {world.name: world for world in map(judge.world, questions)}
            for world in worlds.values():
                tune(world, given.folder / f"{world.name}.safetensors")


def tune(world: World, output: Path) -> None:
    """The model of one table."""
    if output.exists():
        return
    begin = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        made = train(world.domain, Path(folder) / "run")
        shutil.copy(made, output)
    print(f"{world.name}: {perf_counter() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
