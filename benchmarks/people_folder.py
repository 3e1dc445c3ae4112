"""A small language of one's own, made by somebody who had not seen the code, over several seeds.

`benchmarks/people/kitchen` was made with the documents alone: 97 pairs about timers, and 40 queries
that were written apart from them: 24 that the language can express, 10 that name something which no
table lists or write numbers oddly, and 6 that it cannot express. Each seed trains a model, which
takes some minutes, and parses the queries.

python benchmarks/people_folder.py [--quick] [--json] [--errors]
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from report import Claim, Options, Row, at_most, progress, run

import grammax
from grammax.folder import read_folder
from grammax.parser import Parsed
from grammax.training.run import train, training_config

FOLDER = Path(__file__).parent / "people" / "kitchen"
QUERIES = "queries.jsonl"


class Outcome(NamedTuple):
    """A query, its reading, and whether that is one that a fair judge accepts."""

    asked: dict[str, Any]
    parsed: Parsed
    right: bool

    @property
    def wrong_without_warning(self) -> bool:
        """An answer to another question, as if it were sure."""
        return not self.right and not self.parsed.abstains


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """One row for each seed, and their mean."""
    rows: list[Row] = []
    for seed in range(1 if options.quick else options.given.seeds):
        progress(f"training with seed {seed}")
        found = outcomes(seed)
        rows.append(shares(f"seed {seed}", found))
        if options.given.errors:
            show(found)
    progress("")
    names = [name for name in rows[0] if name != "name"]
    mean = {name: sum(float(str(row[name])) for row in rows) / len(rows) for name in names}
    rows.append({"name": "mean", **mean})
    return rows, [at_most("wrong without warning, of all", mean["wrong, no warning"], 0.08, "")]


def outcomes(seed: int) -> list[Outcome]:
    """The readings of all queries by a model that is trained with a seed."""
    asked = [json.loads(line) for line in (FOLDER / QUERIES).read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(scratch) / FOLDER.name
        shutil.copytree(FOLDER, folder)
        domain = read_folder(folder)
        train(domain, folder / "run", config=replace(training_config(domain), seed=seed))
        found = []
        with grammax.load(str(folder)) as parser:
            for each in asked:
                parsed = parser.parse(each["query"], offer=False)
                right = any(domain.same(parsed.tokens, domain.read(f)) for f in each["forms"])
                found.append(Outcome(each, parsed, right))
    return found


def shares(name: str, found: Sequence[Outcome]) -> dict[str, Any]:
    """One row of the table."""
    can = [each for each in found if each.asked["kind"] == "answerable"]
    others = [each for each in found if each.asked["kind"] != "answerable"]
    return {
        "name": name,
        "right": _share([each.right for each in can]),
        "right, not abstained": _share([each.right and not each.parsed.abstains for each in can]),
        "abstained or right where it should": _share(
            [each.right or each.parsed.abstains for each in others]
        ),
        "wrong, no warning": _share([each.wrong_without_warning for each in found]),
    }


def show(found: Sequence[Outcome]) -> None:
    """Print the wrong readings on stderr."""
    for each in found:
        if each.wrong_without_warning:
            parsed = each.parsed
            print(f"{parsed.text}\n    {parsed.lf}   [{parsed.confidence:.2f}]", file=sys.stderr)


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / max(1, len(hits))


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seeds", type=int, default=3, help="how many models [3]")
    parser.add_argument("--errors", action="store_true", help="print the wrong readings on stderr")


if __name__ == "__main__":
    run("people-folder", __doc__ or "", main, ("numpy", "torch"), arguments=_arguments)
