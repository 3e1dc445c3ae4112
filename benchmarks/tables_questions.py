"""The questions that people wrote, with their gold queries, from `data/tables`.

| set | questions | gold |
|---|---|---|
| `patients` | ParaphraseBench, 57 queries in 7 wordings | SQL |
| `spider` | Spider's questions on one table of ten databases | SQL |
| `spider-syn` | the same in Spider-Syn's wording | SQL |
| `spider-all`, `spider-syn-all` | also those that join, nest and combine | SQL |
| `nlv` | what people typed to get ten charts of cars | SQL |
| `restaurants`, `people`, `movies` | Schema2QA | JSON |
| `own-first`, `own-kept` | eight tables in `people/tables`, written for this measurement | SQL |

They are for measuring only. The table is given with each question, as if it had been opened.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from grammax.folder.settings import DATA_VARIABLE

_BIN: Final = "bins of numbers as groups of each number"
_OWN: Final = Path(__file__).parent / "people" / "tables"
_COUNTED: Final = "the number of values in a list as a column"


@dataclass(frozen=True)
class Question:
    """A question, the file that it is asked about, and the gold query."""

    set: str
    id: str
    text: str
    source: Path  # a file or a database; a folder of Schema2QA
    sql: str = ""
    gold: Mapping[str, Any] = field(default_factory=dict)  # of Schema2QA
    kind: str = ""  # the wording of a query, the chart that is wanted
    liberty: str = ""  # what the gold has, and is taken for something else
    table: str = ""  # that it is asked about, where the gold does not say so
    also: tuple[str, ...] = ()  # further SQL that a fair judge accepts
    answerable: bool = True  # if not, a parser should abstain

    @property
    def shown_gold(self) -> str:
        """The gold query as a text."""
        kept = {key: value for key, value in self.gold.items() if key not in ("id", "question")}
        return self.sql or json.dumps(kept)


def folder() -> Path:
    """The folder of the sets."""
    return Path(os.environ.get(DATA_VARIABLE, "data")) / "tables"


def patients() -> Iterator[Question]:
    """ParaphraseBench."""
    base = folder() / "patients"
    with (base / "questions.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            variant, number = row["variant"], row["n"]
            yield Question(
                "patients", f"{variant}-{number}", row["question"], base / "patients.csv",
                row["sql"].rstrip(";"), kind=variant,
            )  # fmt: skip


def spider(wording: str = "question", everything: bool = False) -> Iterator[Question]:
    """Spider's development set, in its own wording or in Spider-Syn's, which some do not have."""
    base = folder() / "spider_dev"
    name = ("spider" if wording == "question" else "spider-syn") + ("-all" if everything else "")
    with (base / "questions.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            if row[wording] and (everything or row["single_select_single_table"]):
                yield Question(
                    name, f"{row['db']}-{number}", row[wording],
                    base / "database" / f"{row['db']}.sqlite",
                    row["sql"].rstrip("; "), kind=row["db"],
                )  # fmt: skip


def nlv() -> Iterator[Question]:
    """NLV's utterances on cars.

    A sequence of utterances is joined. `BIN(x)` is read as `x`: the language has no bins, and rows
    grouped by each value have what the histogram is drawn from.
    """
    base = folder() / "nlv"
    golds = json.loads((base / "gold_sql.json").read_text(encoding="utf-8"))
    with (base / "utterances.csv").open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines)):
            chart = row["visId"]
            gold = golds[f"{row['dataset'].lower()}-{chart}"]
            text = " ".join(part.strip() for part in row["Utterance Set"].split("|"))
            yield Question(
                "nlv", f"{chart}-{number}", text, base / "cars.csv", gold.replace("BIN(", "("),
                kind=chart, liberty=_BIN if "BIN(" in gold else "",
            )  # fmt: skip


def schema2qa(domain: str) -> Iterator[Question]:
    """A domain of Schema2QA."""
    base = folder() / "schema2qa" / domain
    with (base / "gold.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            liberty = _COUNTED if '{"count":' in line else ""
            yield Question(domain, row["id"], row["question"], base, gold=row, liberty=liberty)


def own(part: str) -> Iterator[Question]:
    """Half of the questions that were written for this measurement; some cannot be answered."""
    with (_OWN / f"{part}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            table = row["table"]
            yield Question(
                f"own-{part}", row["id"], row["question"], _OWN / f"{table}.csv", row["sql"] or "",
                kind=table, table=table, also=tuple(row["also"]), answerable=row["answerable"],
            )  # fmt: skip


SETS: Final[Mapping[str, Callable[[], Iterator[Question]]]] = {
    "restaurants": lambda: schema2qa("restaurants"),
    "people": lambda: schema2qa("people"),
    "movies": lambda: schema2qa("movies"),
    "patients": patients,
    "spider": spider,
    "spider-syn": lambda: spider("spider_syn"),
    "spider-all": lambda: spider(everything=True),
    "spider-syn-all": lambda: spider("spider_syn", everything=True),
    "nlv": nlv,
    "own-first": lambda: own("first"),
    "own-kept": lambda: own("kept"),
}


def questions_of(name: str, most: int | None = None) -> list[Question]:
    """The questions of a set; of a limited number, some from everywhere."""
    every = list(SETS[name]())
    count = min(len(every), most or len(every))
    return [every[number * len(every) // count] for number in range(count)]
