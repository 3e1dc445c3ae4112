"""Corrections by users: queries with their correct logical forms.

    found = read(Path("films-corrections.jsonl"))
    for correction in found.corrections: ...

`grammax serve` appends them, and `grammax train --corrections` trains on them.
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
    """A query and its logical form, which was checked when it was stored."""

    id: str
    time: str
    query: str
    lf: str
    tokens: Tokens
    version: str  # of the vocabulary that it was checked with

    def record(self) -> dict[str, object]:
        """The correction as a line of the file."""
        return asdict(self)


class Corrections(NamedTuple):
    """The corrections of a file, and the problems of its other lines."""

    corrections: tuple[Correction, ...]
    problems: tuple[str, ...]


def read(path: Path | str) -> Corrections:
    """The corrections of a file; incomplete or foreign lines are listed as problems."""
    path = Path(path)
    found: list[Correction] = []
    problems: list[str] = []
    for number, record in read_lines(path):
        try:
            if record is None:
                raise ValueError("it is not a JSON object; a power cut may have torn it")
            texts = {key: record[key] for key in ("id", "time", "query", "lf", "version")}
            tokens = tuple(record["tokens"])
            if not all(isinstance(text, str) for text in (*texts.values(), *tokens)):
                raise TypeError("its fields must be texts")
            found.append(Correction(tokens=tokens, **texts))
        except (ValueError, KeyError, TypeError) as error:
            problems.append(f"{path}, line {number}: skipped, as it is not a correction ({error}).")
    return Corrections(tuple(found), tuple(problems))
