"""A small folder that works, to begin with: bookings of rooms."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Final

from grammax.errors import GrammaxError
from grammax.folder.settings import SETTINGS

_SETTINGS: Final = """\
# A domain of your own. What stands behind a # may be left out.
name = "{name}"
# grammar = "grammar.lark"
# notation = "spaces"        # between tokens; "brackets": ( ) part them too; "calls": ( ) and ,
# data = "."                 # where the pairs are; "$GRAMMAX_DATA/..." is the user's folder of data
tables = ["rooms.tsv"]       # tokens of kinds that the grammar only declares, with their aliases
any_order = ["and"]          # heads whose children may come in any order, when forms are compared
# answers = "rooms"          # what answers: an installed entry point of the group grammax.answers

[splits]
train = "train.tsv"
test = "test.tsv"
"""
_GRAMMAR: Final = """\
// Logical forms, in lark's notation. Kinds are in capitals; %declare those that a table fills.
query: "(" "find" condition ")"
condition: room | day | "(" "and" condition condition ")" | "(" "not" condition ")"
room: "(" "room" ROOM ")"
day: "(" "day" DAY ")"
DAY: "monday" | "tuesday" | "wednesday" | "thursday" | "friday"
%declare ROOM
"""
_ROOMS: Final = {
    "room:amber": "amber|the amber room",
    "room:birch": "birch|the birch room",
    "room:cedar": "cedar|the cedar room",
    "room:library": "library|the library|reading room",
    "room:attic": "attic|the attic|top floor",
}
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday")


def write_example(folder: Path) -> list[Path]:
    """Write the folder; one that is there and not empty is left alone."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise GrammaxError(f"{folder} is there already, and not empty. Choose another folder.")
    train, test = _pairs()
    rooms = [f"{token}\tROOM\t{aliases}" for token, aliases in _ROOMS.items()]
    files = {
        SETTINGS: _SETTINGS.format(name=_name(folder)),
        "grammar.lark": _GRAMMAR,
        "rooms.tsv": "\n".join(["token\tkind\taliases", *rooms, ""]),
        "train.tsv": "\n".join(["query\tlf", *train, ""]),
        "test.tsv": "\n".join(["query\tlf", *test, ""]),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in files]


def _name(folder: Path) -> str:
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in folder.name)
    return kept.lower().strip("-_").lstrip("0123456789") or "mine"


def _pairs() -> tuple[list[str], list[str]]:
    """All rooms and days in some wordings; every fifth pair is for testing."""
    found = []
    for (token, aliases), day in product(_ROOMS.items(), _DAYS):
        said = aliases.split("|")
        room, when = f"( room {token} )", f"( day {day} )"
        found += [
            f"is {said[-1]} free on {day}\t( find ( and {room} {when} ) )",
            f"{said[0]} {day}\t( find ( and {room} {when} ) )",
            f"{day} but not {said[0]}\t( find ( and {when} ( not {room} ) ) )",
            f"book {said[-1]} any day except {day}\t( find ( and {room} ( not {when} ) ) )",
        ]
    found += [f"show {a.split('|')[-1]}\t( find ( room {t} ) )" for t, a in _ROOMS.items()]
    found += [f"what is free on {day}\t( find ( day {day} ) )" for day in _DAYS]
    return [p for n, p in enumerate(found) if n % 5], found[::5]
