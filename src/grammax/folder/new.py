"""`grammax new`: writes an example folder (rooms to book), or settings for existing files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Final

from grammax.errors import GrammaxError
from grammax.folder.data import likely_notation, read_pairs
from grammax.folder.settings import SETTINGS, read_settings
from grammax.language.pair_files import other_files, pair_files, token_tables

_HEADER: Final = "# The settings of a domain. Lines with # show defaults and examples."
_COMMENTS: Final = {
    "notation": 'of tokens; "brackets": ( ) separate them too; "calls": ( ) and , do',
    "data": 'where the pairs are; "$GRAMMAX_DATA/..." is a folder of the user\'s',
    "tables": "tokens of kinds that the grammar only declares, with their aliases",
    "any_order": "heads whose children may come in any order; training recombines these",
    "nested_any_order": "beginnings of groups that may be nested in any order",
    "joined_by": "separator of conditions that are in the order of the query: a , b",
    "must_be_named": "kinds whose tokens queries always name; only those compete",
    "out_of_domain": "texts to abstain on, one per line, half of them for testing",
    "answers": "what answers: an installed entry point of the group grammax.answers",
}
_EXAMPLES: Final = {
    "grammar": '"grammar.lark"',
    "notation": '"spaces"',
    "data": '"."',
    "tables": '["rooms.tsv"]',
    "any_order": '["and"]',
    "nested_any_order": '["call filter"]',
    "joined_by": '","',
    "must_be_named": '["ROOM"]',
    "out_of_domain": '"other.txt"',
    "answers": '"rooms"',
}
_FILLED: Final = (
    "# [filled]                  # kinds whose tokens are taken from the query",
    '# SEATS = "integer"         # or "number", "date", "quoted", "word", "text", "name"',
)
_TRAINING: Final = (
    "[training]",
    "epochs = 30                 # enough for this example; larger sets need the default, 100",
    "",
)
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
    """Write the example; a folder with files but without settings gets settings for its files.

    Returns the names of the files written. Nothing is ever overwritten.
    """
    if folder.exists() and not folder.is_dir():
        raise GrammaxError(f"{folder} is a file. Choose the name of a folder.")
    if (folder / SETTINGS).exists():
        raise GrammaxError(
            f"{folder} is not empty: it has a {SETTINGS} already, and nothing was written. "
            f"`grammax check {folder}` checks it."
        )
    files = _own_settings(folder) if _has_files(folder) else _example(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in files]


def next_step(folder: Path) -> str:
    """The next step for a folder that has settings, as text."""
    settings = read_settings(folder)
    train = settings.path("train")
    if not train.exists():
        others = other_files(folder)
        name = f" (or name {others[0]} in [splits], if it has them)" if others else ""
        return (
            f"write pairs into {train}, an utterance, a tab and its logical form on each "
            f"line{name}, and run grammax check {folder}"
        )
    if not settings.grammar.exists():
        return (
            f"grammax grammar induce {folder}, which makes a grammar from the training pairs, then "
            f"grammax check {folder}"
        )
    return (
        f"grammax check {folder}, then grammax train {folder} and grammax parse --domain {folder}; "
        f"all of it is yours to edit"
    )


def _has_files(folder: Path) -> bool:
    """Whether a folder exists and has files, hidden ones aside."""
    return folder.is_dir() and any(not path.name.startswith(".") for path in folder.iterdir())


def _example(folder: Path) -> Mapping[str, str]:
    train, test = _pairs()
    rooms = [f"{token}\tROOM\t{aliases}" for token, aliases in _ROOMS.items()]
    splits = {"train": "train.tsv", "test": "test.tsv"}
    given = {"tables": ["rooms.tsv"], "any_order": ["and"]}
    return {
        SETTINGS: _settings(folder, given, splits, _TRAINING),
        "grammar.lark": _GRAMMAR,
        "rooms.tsv": "\n".join(["token\tkind\taliases", *rooms, ""]),
        "train.tsv": "\n".join(["query\tlf", *train, ""]),
        "test.tsv": "\n".join(["query\tlf", *test, ""]),
    }


def _own_settings(folder: Path) -> Mapping[str, str]:
    """Settings that name the pairs found in a folder."""
    found = pair_files(folder)
    notation = (
        likely_notation(read_pairs(folder / found["train"], "spaces")[0])
        if "train" in found
        else "spaces"
    )
    grammars = sorted(path.name for path in folder.glob("*.lark"))
    given: dict[str, object] = {"notation": notation} if notation != "spaces" else {}
    if len(grammars) == 1 and grammars != ["grammar.lark"]:
        given["grammar"] = grammars[0]
    if tables := token_tables(folder):
        given["tables"] = tables
    return {SETTINGS: _settings(folder, given, {"train": "train.tsv", **found})}


def _settings(
    folder: Path,
    given: Mapping[str, object],
    splits: Mapping[str, str],
    training: Sequence[str] = (),
) -> str:
    """`domain.toml` with the settings in `given`; the others are commented out."""
    values = {key: json.dumps(value, ensure_ascii=False) for key, value in given.items()}
    lines = [_HEADER, f'name = "{folder_name(folder)}"']
    for key, value in (_EXAMPLES | values).items():
        setting = f"{'' if key in given else '# '}{key} = {value}"
        comment = f"# {_COMMENTS[key]}" if key in _COMMENTS else ""
        lines.append(f"{setting:28} {comment}".rstrip())
    files = (f'{split} = "{file}"' for split, file in splits.items())
    return "\n".join([*lines, "", "[splits]", *files, "", *training, *_FILLED, ""])


def folder_name(folder: Path) -> str:
    """The name of a domain, made of that of its folder."""
    name = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in folder.name)
    return name.lower().strip("-_").lstrip("0123456789-_") or "mine"


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
