"""Columns that schemas are drawn from: their names, semantic classes, and values.

Two sources: the concepts that inspection knows (`inspect/concepts.tsv`), which have no values, and
the headers of WikiSQL's tables with the values that occur under them. No question is read.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from grammax.tables.inspect import concepts
from grammax.tables.semantics import ENUMERATED, NUMBERS, SemanticClass

_C = SemanticClass
_NUMBER: Final = re.compile(r"-?[\d,]*\.?\d+ ?%?")
_DATE: Final = re.compile(
    r"(?i)(\w+ )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(, ?\d{4})?"
    r"|\d{1,2} (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*( \d{4})?|\d{4}-\d\d-\d\d"
)
_LONGEST: Final = 40  # characters of a value
_NAMES: Final = frozenset(("name", "title", "player", "episode", "model", "song", "film", "school"))
_ALIKE: Final = 0.8  # the share of values that tells what a column holds


@final
@dataclass(frozen=True, slots=True)
class Header:
    """A column that tables may have; `values` are empty unless it is a column of values.

    The values of one that is `searched` are too many to list.
    """

    label: str
    semantic: SemanticClass
    names: tuple[str, ...] = ()
    verb: str = ""
    unit: str = ""
    values: tuple[str, ...] = ()
    searched: bool = False


@final
@dataclass(frozen=True, slots=True)
class Headers:
    """Columns to draw from, by semantic class, and values for columns that have none."""

    by_class: Mapping[SemanticClass, Sequence[Header]]
    values: Mapping[SemanticClass, Sequence[str]]

    @classmethod
    def load(cls, wikisql: Path) -> Headers:
        """The concepts, and the columns of WikiSQL's training tables."""
        found = [*_concepts(), *_wikisql(wikisql)]
        by_class: dict[SemanticClass, list[Header]] = defaultdict(list)
        values: dict[SemanticClass, dict[str, None]] = defaultdict(dict)
        for header in found:
            by_class[header.semantic].append(header)
            values[header.semantic].update(dict.fromkeys(header.values))
        return cls(by_class, {of: tuple(texts) for of, texts in values.items()})


def _concepts() -> Iterable[Header]:
    for concept in concepts.concepts():
        yield Header(concept.name, concept.semantic, concept.names, concept.verb, concept.unit)


def _wikisql(folder: Path) -> Iterable[Header]:
    """The columns of WikiSQL with at least three values, or with numbers."""
    columns: dict[str, Counter[str]] = defaultdict(Counter)
    with gzip.open(folder / "train.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            form = json.loads(line)["lf"]
            for place, token in enumerate(form):
                if token.startswith("VAL:"):
                    columns[form[place - 2][4:]][token[4:]] += 1
                elif token.startswith("COL:"):
                    columns.setdefault(token[4:], Counter())  # also those without values
    for column, values in columns.items():
        made = _header(column, list(values))
        if made is not None:
            yield made


def _header(column: str, values: Sequence[str]) -> Header | None:
    """A column by its name and values; None if it is not clear what it holds."""
    words, unit = concepts.measured_in(column.lower().replace("_", " "))
    label = " ".join(words)
    texts = [v for v in values if 1 < len(v) <= _LONGEST and v.isprintable()]
    if not re.fullmatch(r"[a-z][a-z0-9 '.-]*", label) or len(words) > 4:
        return None
    numeric = sum(_NUMBER.fullmatch(v) is not None for v in values) >= _ALIKE * len(values)
    dated = sum(_DATE.fullmatch(v) is not None for v in values) >= _ALIKE * len(values)
    if values and dated:
        return Header(label, _C.DATE)
    if values and numeric:
        match = concepts.find(words, NUMBERS)
        semantic = match.concept.semantic if match else _C.NUMBER
        return Header(label, semantic, unit=unit)
    if len(texts) < 3:
        return None
    match = concepts.find(words, ENUMERATED - {_C.BOOLEAN})
    semantic = match.concept.semantic if match else _C.CATEGORY
    if words[-1] in _NAMES:
        semantic = _C.NAME
    return Header(label, semantic, values=tuple(dict.fromkeys(texts)))
