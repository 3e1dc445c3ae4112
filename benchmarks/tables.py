"""Questions that people wrote about tables: right, abstained, and wrong without a warning.

The sets are those of `data/tables` ($GRAMMAX_DATA), see `tables_questions`. A table is opened and
inspected as a user's would be, and asked with a model that has never seen it (or, with --model
FOLDER, with the model that was fine-tuned for it). `tables_match` has the rules of what is right
where there are rows, `tables_thingtalk` those of exact match on Schema2QA.

`right` is right without a warning; `abstained` is all that carries one, though some of it would
have been right; the rest is wrong without warning. `right at all` is the share whose first reading
is right, with or without a warning: the exact match of a parser that never abstains, as others
publish it. `reachable` is the share whose gold query can be
said in the language and then gives the gold's answer; --reachable lists the reasons for the rest.
`file to answer` is the median over tables in a process that has loaded its code. --control asks how
often the gold form of another question about the same table passes for right.

python benchmarks/tables.py [--set NAME ...] [--model PATH] [--tuned] [--limit N] [--show N]
    [--reachable] [--control] [--gold] [--quick] [--json]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import Any, Final

from report import Claim, Options, Row, at_most, progress, run
from tables_judges import Judge, judge_of
from tables_questions import SETS, Question, questions_of
from tables_reach import control, reachable
from tables_ways import GoldWay, Reading, Understand, Way, model_way
from tables_worlds import World

from grammax.errors import GrammaxError
from grammax.evaluation.benchmark import at_least
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.own.domain import BASE_MODEL

SCHEMA2QA: Final = ("restaurants", "people", "movies")
USUAL: Final = (*SCHEMA2QA, "patients", "spider", "spider-syn", "nlv")
PUBLISHED: Final = {
    "restaurants": "65.3 / 78.8 AutoQA",
    "people": "53.5 / 73.2 AutoQA",
    "movies": "64.2 / 81.6 AutoQA",
    "nlv": "64 NL4DV",
}
"""Right, in percent. AutoQA: BERT-LSTM and BART-large, trained on synthetic sentences."""
BARS: Final[Mapping[str, tuple[float, float]]] = {
    "Schema2QA": (0.55, 0.65),
    "patients": (0.70, 0.85),
    "spider": (0.55, 0.70),
    "nlv": (0.64, 0.75),
}
"""What the project aims at: with no training, and after fine-tuning."""
QUICK: Final = 20  # questions of a set


@dataclass(frozen=True)
class Outcome:
    """A question, its reading, and whether it is right."""

    question: Question
    world: World
    reading: Reading
    right: bool
    seconds: float

    @property
    def abstained(self) -> bool:
        """Whether there is no answer, or one with a warning."""
        return self.reading.abstained or self.reading.form is None


@dataclass(frozen=True)
class Measured:
    """The outcomes of a set, and for each table the seconds from its file to the first answer."""

    name: str
    outcomes: Sequence[Outcome]
    first: Sequence[float]


def main(switches: Options) -> tuple[list[Row], list[Claim]]:
    """A row per set, and the reasons for abstaining."""
    given = switches.given
    most = given.limit or (QUICK if switches.quick else None)
    if given.reachable or given.control:
        reach = reachable if given.reachable else control
        return reach(given.set or (*USUAL, "spider-all"), most, given.show), []
    way = GoldWay() if given.gold else model_way(_model(given.model))
    every: list[Measured] = []
    for name in given.set or USUAL:
        measured = measure(name, questions_of(name, most), way)
        every.append(measured)
        show(measured.outcomes, given.show)
    rows = [shares(measured) for measured in every]
    if given.gold:  # checks the benchmark, and says nothing of a parser
        return [{**row, "name": f"{row['name']}, gold read"} for row in rows], []
    return [*rows, *whys(every)], claims({str(row["name"]): row for row in rows}, given.tuned)


def measure(name: str, questions: Sequence[Question], way: Way | GoldWay) -> Measured:
    """Ask the questions of a set, those about one table after another."""
    outcomes: list[Outcome] = []
    first: list[float] = []
    with judge_of(questions[0]) as judge:
        with way(judge.world(questions[0])):
            pass  # imports and compiled code are loaded, once per process
        by_world: dict[str, list[Question]] = {}
        for question in questions:
            by_world.setdefault(judge.world(question).name, []).append(question)
        for number, (table, about) in enumerate(by_world.items(), 1):
            progress(f"{name}: table {number} of {len(by_world)}, {table}, {len(about)} questions")
            world, begin = judge.world(about[0]), perf_counter()
            with way(world) as understand:
                loaded = judge.seconds[table] + perf_counter() - begin
                found = []
                for question in about:
                    if isinstance(way, GoldWay):
                        way.tell(question.text, partial(judge.gold, question))
                    found.append(ask(question, world, understand, judge))
                first.append(loaded + found[0].seconds + answering(found[0]))
                if not isinstance(way, GoldWay):
                    found = [again(outcome, understand) for outcome in found]
            outcomes += found
    return Measured(name, outcomes, first)


def ask(question: Question, world: World, understand: Understand, judge: Judge) -> Outcome:
    """Ask one question."""
    begin = perf_counter()
    reading = understand(question.text)
    seconds = perf_counter() - begin
    right = reading.form is not None and judge.is_right(question, reading.form)
    return Outcome(question, world, reading, right, seconds)


def again(outcome: Outcome, understand: Understand) -> Outcome:
    """The outcome with the seconds that the question takes in a parser that is warm."""
    begin = perf_counter()
    understand(outcome.question.text)
    return replace(outcome, seconds=perf_counter() - begin)


def answering(outcome: Outcome) -> float:
    """The seconds that the answer takes, if there is one."""
    form, store, begin = outcome.reading.form, outcome.world.store, perf_counter()
    if form is not None and store is not None:
        with suppress(GrammaxError):
            store.answer(form)
    return perf_counter() - begin


def shares(measured: Measured) -> dict[str, Any]:
    """One row of the table."""
    found = measured.outcomes
    answered = [each for each in found if not each.abstained]
    return {
        "name": measured.name,
        "questions": len(found),
        "right": _share((each.right for each in answered), len(found)),
        "abstained": _share((each.abstained for each in found), len(found)),
        "wrong, no warning": _share((not each.right for each in answered), len(found)),
        "right at all": _share((each.right for each in found), len(found)),
        "p50 ms": 1000 * median(each.seconds for each in found),
        "file to answer s": median(measured.first),
        "published": PUBLISHED.get(measured.name, ""),
    }


def whys(every: Iterable[Measured]) -> Iterable[Row]:
    """How often a set was abstained from, by reason."""
    for measured in every:
        reasons = Counter(each.reading.why for each in measured.outcomes if each.abstained)
        for reason, count in reasons.most_common():
            yield {"set": measured.name, "abstained because of": reason, "count": count}


def claims(rows: Mapping[str, Row], tuned: bool) -> list[Claim]:
    """What the project aims at, for the sets that were asked."""
    right = {name: float(str(row["right at all"])) for name, row in rows.items()}
    if all(name in right for name in SCHEMA2QA):
        right["Schema2QA"] = fmean(right[name] for name in SCHEMA2QA)
    found = [
        at_least(f"{name}: right at all", right[name], bars[tuned], "of all")
        for name, bars in BARS.items()
        if name in right
    ]
    if tuned and "spider" in right and "spider-syn" in right:
        lost = right["spider"] - right["spider-syn"]
        found.append(at_most("lost in Spider-Syn's wording", lost, 0.10, "of all"))
    for name, row in rows.items():
        wrong = float(str(row["wrong, no warning"]))
        found.append(at_most(f"{name}: wrong without warning", wrong, 0.08, "of all"))
    slowest = max(float(str(row["p50 ms"])) for row in rows.values())
    return [*found, at_most("p50 of a query", slowest, 3, "ms")]


def show(found: Iterable[Outcome], count: int) -> None:
    """Print mistakes on stderr, those without a warning first."""
    wrong = [each for each in found if not each.right]
    for each in sorted(wrong, key=lambda one: one.abstained)[:count]:
        form, asked = each.reading.form, each.question
        said = "" if form is None else paraphrase(form, each.world.catalogue)
        why = f"abstained, {each.reading.why}" if each.abstained else "no warning"
        print(f"{asked.set} {asked.id}: {asked.text}   [{why}]", f"    ours  {form}",
              f"          {said}", f"    gold  {asked.shown_gold}", sep="\n",
              file=sys.stderr)  # fmt: skip


def _model(path: Path | None) -> Any:
    """The model of a world: the same file for all, or one of a folder, named as the world."""
    if path is not None and path.is_dir():
        return lambda world: path / f"{world.name}.safetensors"
    return lambda _: path


def _share(hits: Iterable[bool], of: int) -> float:
    return sum(hits) / max(1, of)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--set", action="append", choices=list(SETS), help="one of the sets")
    parser.add_argument(
        "--model",
        type=Path,
        default=BASE_MODEL,
        help="a model, or a folder with one for each table",
    )
    parser.add_argument("--tuned", action="store_true", help="the bars are those of fine-tuning")
    parser.add_argument("--limit", type=int, help="at most so many questions of each set")
    parser.add_argument("--show", type=int, default=0, help="list so many mistakes on stderr")
    parser.add_argument("--reachable", action="store_true", help="what the language can say")
    parser.add_argument("--control", action="store_true", help="how often others pass for right")
    parser.add_argument("--gold", action="store_true", help="read the gold instead of parsing")


if __name__ == "__main__":
    run("tables", __doc__ or "", main, ("numpy", "numba", "duckdb"), arguments=_arguments)
