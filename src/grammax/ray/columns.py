"""The columns of a result, and the class that makes them of a table of Arrow in each process."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, final

import pyarrow as pa

from grammax.domains import load_domain, trained_model
from grammax.errors import GrammaxError
from grammax.parser import Parsed, load
from grammax.parser.each import parse_each
from grammax.reading.parse import QueryNotice

TOGETHER: Final = 1_024  # queries; those of similar length are parsed together
COLUMNS: Final = pa.schema(
    [
        pa.field("lf", pa.string()),
        pa.field("confidence", pa.float64()),
        pa.field("abstains", pa.bool_()),
        pa.field("why", pa.string()),
        pa.field("not_understood", pa.list_(pa.string())),
        pa.field("notices", pa.list_(pa.string())),
        pa.field("error", pa.string()),
    ]
)


class NoSuchInput(GrammaxError):
    """A column that the input does not have, or one that does not hold texts."""


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """What parses, as `grammax.load` takes it; paths must exist on every machine."""

    domain: str = "eqs"
    model: str | None = None
    catalogue: str | None = None
    table: str | None = None
    column: str = "query"  # of the input
    device: str | None = None  # that decodes, such as cuda; None stands for the CPU

    def version(self) -> dict[str, str]:
        """What a result depends on: the vocabulary, and a hash of the model and of the changes."""
        with closing(load_domain(self.domain, table=self.table)) as domain:
            model = trained_model(domain) if self.model is None else Path(self.model)
            digest = blake2b(model.read_bytes())
            if self.catalogue is not None:
                digest.update(Path(self.catalogue).read_bytes())
            return {"version": domain.version, "model": digest.hexdigest()[:12]}


@final
class BlockParser:
    """Parses tables; the model is loaded once, when it is made."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._parser = load(
            settings.domain, settings.model, catalogue=settings.catalogue, table=settings.table
        )

    def __call__(self, table: pa.Table) -> pa.Table:
        """The table with the columns of the result; those of the same names are replaced."""
        texts = texts_of(table, self._settings.column)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", QueryNotice)
            rows = [row for chunk in _chunks(texts) for row in self._parsed(chunk)]
        kept = table.drop_columns([name for name in COLUMNS.names if name in table.column_names])
        made = pa.Table.from_pylist(rows, COLUMNS)
        for field in COLUMNS:
            kept = kept.append_column(field, made[field.name])
        return kept

    def _parsed(self, texts: Sequence[str | None]) -> list[dict[str, Any]]:
        wanted = [text for text in texts if text is not None and text.strip()]
        found = iter(parse_each(self._parser, wanted, device=self._settings.device))
        empty: Parsed | str = "the query is empty"
        return [_row(next(found) if text and text.strip() else empty) for text in texts]


def texts_of(table: pa.Table, column: str) -> list[str | None]:
    """The texts of a column; `NoSuchInput` if there is none."""
    if column not in table.column_names:
        names = ", ".join(table.column_names)
        raise NoSuchInput(f"The input has no column {column!r}. Its columns are {names}.")
    type_ = table.schema.field(column).type
    if not (pa.types.is_string(type_) or pa.types.is_large_string(type_)):
        raise NoSuchInput(f"The column {column!r} holds {type_}, and queries are texts.")
    found: list[str | None] = table[column].to_pylist()
    return found


def _chunks(texts: Sequence[str | None]) -> list[Sequence[str | None]]:
    return [texts[at : at + TOGETHER] for at in range(0, len(texts), TOGETHER)]


def _row(found: Parsed | str) -> dict[str, Any]:
    if isinstance(found, str):
        return {"error": found}
    return {
        "lf": found.lf,
        "confidence": round(found.confidence, 4),
        "abstains": found.abstains,
        "why": found.why,
        "not_understood": list(found.typed(found.uncovered)),
        "notices": list(found.notices),
    }
