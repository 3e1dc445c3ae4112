"""SQL as bracketed forms, and back: `python benchmarks/sql.py [--quick]`.

On the gold SQL of ten databases of Spider's development set, joins and subqueries included
(`tables/spider_dev` below $GRAMMAX_DATA); nothing is trained. Of the different queries of a
database: the share that has a form, that is the same after form → SQL → form, and whose rows are
those of the gold SQL, in its order if that sorts. Then the queries are divided into folds by their
SQL: a folder is written of a database and of the other folds (`grammax new --sql`), and its grammar
gets the forms of the fold that is left out. A form is reachable if also what the query fills,
numbers and texts of LIKE, is in the question. Some gold SQL compares columns with texts that no row
has, such as 'france' for 'France'; a grammar of the database does not have these.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

from report import Claim, Options, Row, run

from grammax.errors import GrammaxError
from grammax.evaluation.benchmark import at_least, at_most
from grammax.folder.open import OpenFolder, read_folder
from grammax.folder.sql.folder import write_sql_folder
from grammax.folder.sql.reading.statement import read_sql
from grammax.folder.sql.reading.terms import VALUE
from grammax.folder.sql.schema import Schema
from grammax.folder.sql.schema_files import open_database, read_schema
from grammax.folder.sql.writing import write_sql
from grammax.language.domain import Tokens

FOLDS: Final = 5


@dataclass(frozen=True)
class Query:
    """A question and its gold SQL."""

    question: str
    sql: str


def queries() -> dict[Path, list[Query]]:
    """The queries by database."""
    folder = Path(os.environ["GRAMMAX_DATA"]).expanduser() / "tables" / "spider_dev"
    found: dict[Path, list[Query]] = {}
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        path = folder / "database" / f"{row['db']}.sqlite"
        found.setdefault(path, []).append(Query(row["question"], row["sql"]))
    return found


@dataclass
class Counts:
    """What was counted of one database."""

    sql: int = 0
    read: int = 0
    same: int = 0
    executed: int = 0  # those that have a form and whose gold SQL runs
    equal: int = 0
    held_out: int = 0
    accepted: int = 0
    reachable: int = 0
    stored: int = 0  # held-out forms whose texts are in the database or in other pairs
    accepted_stored: int = 0

    def row(self, name: str) -> Row:
        """The counts as shares."""
        return {
            "name": name,
            "queries": self.sql,
            "have a form %": _percent(self.read, self.sql),
            "round trip %": _percent(self.same, self.read),
            "equal rows %": _percent(self.equal, self.executed),
            "held-out": self.held_out,
            "accepted %": _percent(self.accepted, self.held_out),
            "reachable %": _percent(self.reachable, self.held_out),
            "texts known %": _percent(self.stored, self.held_out),
            "accepted of those %": _percent(self.accepted_stored, self.stored),
        }


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    """One row per database, and all together."""
    rows: list[Row] = []
    total, times = Counts(), dict[str, list[float]]({"read": [], "write": []})
    refused: list[str] = []
    for database, some in queries().items():
        schema = read_schema(database)
        counts = Counts()
        forms = dict(_forms(some, schema, times, refused))
        counts.sql = len({query.sql for query in some})
        counts.read = len(forms)
        _execute(forms, schema, database, counts, times)
        for fold in range(1 if options.quick else FOLDS):
            _hold_out(some, forms, database, fold, counts)
        rows.append(counts.row(database.stem))
        for name, value in vars(counts).items():
            setattr(total, name, getattr(total, name) + value)
    rows.append(total.row("all"))
    rows += [
        {"name": f"{name} a query, ms", "p50": 1000 * median(taken), "most": 1000 * max(taken)}
        for name, taken in times.items()
    ]
    rows += [{"name": "no form", "SQL": text} for text in refused]
    return rows, _claims(total, times)


def _claims(total: Counts, times: dict[str, list[float]]) -> list[Claim]:
    return [
        at_least("queries that have a form", _percent(total.read, total.sql), 99, "%"),
        at_least(
            "forms that are the same after writing", _percent(total.same, total.read), 100, "%"
        ),
        at_least("equal rows", _percent(total.equal, total.executed), 100, "%"),
        at_least(
            "held-out forms accepted, of those whose texts the database or a pair has",
            _percent(total.accepted_stored, total.stored),
            95,
            "%",
        ),
        at_most("writing a query as SQL, p50", 1000 * median(times["write"]), 1, "ms"),
    ]


def _forms(
    some: Sequence[Query], schema: Schema, times: dict[str, list[float]], refused: list[str]
) -> Iterator[tuple[str, Tokens]]:
    for sql in dict.fromkeys(query.sql for query in some):
        try:
            yield sql, _timed(times["read"], partial(read_sql, sql, schema))
        except GrammaxError:
            refused.append(sql)


def _timed(taken: list[float], work: Callable[[], Any]) -> Any:
    begun = perf_counter()
    try:
        return work()
    finally:
        taken.append(perf_counter() - begun)


def _execute(
    forms: dict[str, Tokens],
    schema: Schema,
    database: Path,
    counts: Counts,
    times: dict[str, list[float]],
) -> None:
    """Write the forms, read them again, and compare the rows of both."""
    with closing(open_database(database)) as connection:
        for sql, form in forms.items():
            written = _timed(times["write"], partial(write_sql, form, schema))
            counts.same += read_sql(written, schema) == form
            try:
                expected = connection.execute(sql).fetchall()
            except sqlite3.Error:
                continue
            counts.executed += 1
            found = connection.execute(written).fetchall()
            ordered = "order by" in sql.lower()
            counts.equal += found == expected or (
                not ordered and Counter(found) == Counter(expected)
            )


def _hold_out(
    some: Sequence[Query], forms: dict[str, Tokens], database: Path, fold: int, counts: Counts
) -> None:
    """Write a folder without a fold, and count the forms of the fold that its grammar has."""
    left_out = {*list(forms)[fold::FOLDS]}
    with TemporaryDirectory() as name:
        pairs = Path(name) / "pairs.jsonl"
        kept = (query for query in some if query.sql in forms and query.sql not in left_out)
        lines = (json.dumps({"question": each.question, "sql": each.sql}) for each in kept)
        pairs.write_text("\n".join(lines), encoding="utf-8")
        write_sql_folder(Path(name) / "folder", pairs, database=database)
        domain = read_folder(Path(name) / "folder")
        assert isinstance(domain, OpenFolder)
        for query in some:
            if query.sql in left_out:
                counts.held_out += 1
                form = forms[query.sql]
                accepted = domain.grammatical(form)
                stored = all(token in domain.vocabulary for token in form if VALUE in token)
                counts.accepted += accepted
                counts.stored += stored
                counts.accepted_stored += accepted and stored
                counts.reachable += _is_reachable(domain, query.question, form)


def _is_reachable(domain: OpenFolder, question: str, form: Tokens) -> bool:
    try:
        return bool(domain.filled(form, domain.mentions(question)))
    except GrammaxError:
        return False


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


if __name__ == "__main__":
    run("sql", __doc__, measure, packages=("sqlglot",))
