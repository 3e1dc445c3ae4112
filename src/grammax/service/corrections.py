"""Corrections that people made: queries with the logical forms that they should have had.

    found = read(Path("eqs-corrections.jsonl"))
    for correction in found.corrections: ...

`grammax serve` appends them, `grammax train --corrections` learns from them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple, final

from grammax.language.domain import Tokens
from grammax.service.appended import read_lines


@final
@dataclass(frozen=True, slots=True)
class Correction:
    """A query and its logical form, which was checked when it was given."""

    id: str
    time: str
    query: str
    lf: str
    tokens: Tokens
    version: str  # of the vocabulary that it was checked with

    def record(self) -> dict[str, object]:
        """As the file keeps it."""
        return asdict(self)


class Corrections(NamedTuple):
    """What a file holds, and what is wrong with the lines that hold nothing."""

    corrections: tuple[Correction, ...]
    problems: tuple[str, ...]


def read(path: Path | str) -> Corrections:
    """The corrections of a file; lines that were torn, or are none, are told as problems."""
    path = Path(path)
    found: list[Correction] = []
    problems: list[str] = []
    for number, record in read_lines(path):
        try:
            if record is None:
                raise ValueError("this is no JSON object; a power cut may have torn it")
            texts = {key: record[key] for key in ("id", "time", "query", "lf", "version")}
            tokens = tuple(record["tokens"])
            if not all(isinstance(text, str) for text in (*texts.values(), *tokens)):
                raise TypeError("its parts are texts")
            found.append(Correction(tokens=tokens, **texts))
        except (ValueError, KeyError, TypeError) as error:
            problems.append(f"{path}, line {number}: skipped, for it is no correction ({error}).")
    return Corrections(tuple(found), tuple(problems))
