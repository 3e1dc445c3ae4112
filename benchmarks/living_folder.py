"""A folder whose names come and go: one small training, then tables of many names.

The model is trained with the five rooms of the example that `grammax new` writes. The names of the
longer tables are made up, and the queries that are counted name one of them each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from report import Row, progress

import grammax
from grammax import NewValue, Parser
from grammax.domains import load_domain
from grammax.folder import write_example

SIZES = (1_000, 50_000)
SYLLABLES = ("ba", "co", "di", "fu", "ge", "hi", "jo", "ka", "lu", "me", "no", "pe", "ro", "vi")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")
QUERIES = (
    ("is the {} room free on {}", "( find ( and ( room {} ) ( day {} ) ) )"),
    ("{} {}", "( find ( and ( room {} ) ( day {} ) ) )"),
)
_EPOCHS = 30
_ADDED = 1_000


def folder_rows(repeats: int) -> tuple[list[Row], float, float]:
    """The rows; the slowest change of one name, in ms, and the lowest exact match."""
    rows: list[Row] = []
    with _trained() as folder:
        table = (folder / "rooms.tsv").read_text(encoding="utf-8")
        for size in SIZES:
            progress(f"a folder with {size:,} names")
            words = list(islice(map("".join, product(SYLLABLES, repeat=5)), size + _ADDED))
            lines = (f"room:{word}\tROOM\t{word}|the {word} room\n" for word in words[:size])
            (folder / "rooms.tsv").write_text(table + "".join(lines), encoding="utf-8")
            rows += _rows_of(folder, words, size, repeats)
    ones = [row for row in rows if str(row["name"]).startswith(("add one", "remove one"))]
    shares = [float(str(row["exact match"])) for row in rows if "exact match" in row]
    return rows, max(float(str(row["ms"])) for row in ones), min(shares)


def _rows_of(folder: Path, words: list[str], size: int, repeats: int) -> Iterator[Row]:
    where = f"in a folder with {size:,} names"

    def timed(what: str, work, count: int = 1) -> Row:  # type: ignore[no-untyped-def]
        taken = []
        for _ in range(count):
            started = perf_counter()
            work()
            taken.append(1e3 * (perf_counter() - started))
        middle = sorted(taken)[count // 2]
        return {"name": f"{what} {where}", "ms": middle, "slowest, ms": max(taken)}

    def load() -> Parser:
        return grammax.load(str(folder), compiled=False)

    yield timed("load, for the first time with this table,", load)
    yield timed("load again", load)
    parser = load()
    new = [NewValue(word.title(), "room", (f"hall {word}",)) for word in words[size:]]
    yield timed("add the first", lambda: parser.with_values(new[:1]))
    yield timed("add one", lambda: parser.with_values(new[:1]), repeats)
    yield timed("remove one", lambda: parser.without_values([f"room:{words[7]}"]), repeats)
    yield timed(f"add {_ADDED:,}", lambda: parser.with_values(new))
    step = max(1, size // 200)
    yield _exact(f"queries with a name of the table, {where}", parser, words[:size:step][:200])
    wider = parser.with_values(new)
    yield _exact(f"queries with a name that was added, {where}", wider, words[size : size + 200])


def _exact(name: str, parser: Parser, rooms: list[str]) -> Row:
    pairs = [
        (query.format(room, day), form.format(f"room:{room}", day))
        for room, day, (query, form) in zip(rooms, cycle(DAYS), cycle(QUERIES), strict=False)
    ]
    found = parser.parse_batch([query for query, _ in pairs])
    right = sum(each.lf == form for each, (_, form) in zip(found, pairs, strict=True))
    return {"name": name, "pairs": len(pairs), "exact match": right / len(pairs)}


@contextmanager
def _trained() -> Iterator[Path]:
    """The example folder with a model, and a cache of its own."""
    from grammax.training.run import train, training_config

    before = os.environ.get("GRAMMAX_CACHE")
    with TemporaryDirectory() as place:
        os.environ["GRAMMAX_CACHE"] = f"{place}/cache"
        try:
            folder = Path(place) / "rooms"
            write_example(folder)
            progress(f"training a folder, {_EPOCHS} epochs")
            domain = load_domain(str(folder))
            train(domain, folder / "run", config=training_config(domain, epochs=_EPOCHS))
            yield folder
        finally:
            os.environ.pop("GRAMMAX_CACHE")
            if before is not None:
                os.environ["GRAMMAX_CACHE"] = before
