"""`open_table`: a file or a database → a domain that understands questions and answers them.

>>> import tempfile
>>> from pathlib import Path
>>> from grammax.tables.form.text import read
>>> with tempfile.TemporaryDirectory() as folder:
...     file = Path(folder) / "cars.csv"
...     _ = file.write_text("model,weight_kg,fuel\\nA 1,1100,petrol\\nB 2,1500,diesel\\n")
...     with open_table(file) as cars:
...         answer = cars.store().answer(read("(average FLD_WEIGHT_KG)"))
>>> answer.rows
((1300.0,),)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.data_files import SCHEMA, is_url, short_name
from grammax.tables.domain import DomainParts, TableDomain
from grammax.tables.inspect.description import ColumnDescription, InspectError, TableDescription
from grammax.tables.inspect.inspection import inspect_data
from grammax.tables.inspect.links import wide_view
from grammax.tables.inspect.source import DataSource, open_data
from grammax.tables.own.catalogue import (
    catalogue_of,
    has_values,
    texts_of,
    type_of,
    value_tokens,
)
from grammax.tables.own.samples import Sample, examples, samples
from grammax.tables.phrases.conditions import BadCondition
from grammax.tables.query.spellings import Stored
from grammax.tables.query.store import Store
from grammax.tables.semantics import SemanticClass
from grammax.tables.sql.view import ViewSource
from grammax.tables.wording.values import YES

if TYPE_CHECKING:
    from grammax.tables.corpus.style import CorpusStyle

_TOLD: Final = 5  # columns
QUESTIONS: Final = 2_500
"""The generated questions that a model is trained on for one table."""
TRAINING: Final = {"epochs": 6, "learning_rate": 0.001, "batch": 32, "p_recombine": 0.0,
                   "p_renumber": 0.0, "p_swap": 0.0, "p_unknown": 0.15}  # fmt: skip
BASE_MODEL: Final = Path(__file__).parent / "model.safetensors"
"""The model that understands questions about any table, see `grammax.base_model`."""


@final
@dataclass(frozen=True)
class OwnTable:
    """An opened table with its description; as a context manager it closes the data.

    `folder` is that of its `schema.toml`, if it has one, and `model` the model that reads it.
    `gone` are the columns of the schema that the data has no more. `kept` is what that file says,
    `inspected` the description without it. `reload` describes the same data again after one of
    `files` was edited.
    """

    data: DataSource
    description: TableDescription
    folder: Path | None = None
    model: Path = BASE_MODEL
    gone: tuple[str, ...] = ()
    inspected: TableDescription | None = None
    kept: TableDescription | None = None
    files: tuple[Path, ...] = ()
    reload: Callable[[OwnTable], OwnTable] | None = None

    @cached_property
    def catalogue(self) -> Catalogue:
        """The fields and values, with their names."""
        return catalogue_of(self.description, short_name(self.description.table))

    @cached_property
    def samples(self) -> tuple[Sample, ...]:
        """Queries that have answers."""
        return samples(self.description, self.catalogue, self.store())

    @property
    def about(self) -> str:
        """What was opened, in a line: "films.csv: 6 films, 9 columns"."""
        found, entity = self.description, self.description.entity
        source = found.source if is_url(found.source) else Path(found.source).name
        table = f", table {found.table}" if len(found.tables) > 1 else ""
        rows = f"{found.rows:,} {entity.singular if found.rows == 1 else entity.plural}"
        columns = f"{len(found.used):,} column{'' if len(found.used) == 1 else 's'}"
        sampled = f", values from a sample of {found.sampled:,}" if found.sampled else ""
        return f"{source}{table}: {rows}, {columns}{sampled}"

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person should know before they trust an answer."""
        found = self.description
        notices = list(self.data.notes)
        if found.sampled:
            notices.append(
                f"{found.table} has {found.rows:,} rows; rare values may be unknown, because a "
                f"sample of about {found.sampled:,} was looked through."
            )
        if self.gone:
            some = ", ".join(self.gone[:_TOLD]) + (" and others" if len(self.gone) > _TOLD else "")
            notices.append(
                f"{found.source} has these columns no more, although the schema has them: {some}."
            )
        return tuple(notices)

    def domain(self) -> TableDomain:
        """The domain that understands questions about the table; closing it closes the data."""
        if not self.catalogue.fields:
            found = self.description
            why = "has no rows" if not found.rows else "has no column with values"
            raise InspectError(
                f"{found.source}: the table {found.table} {why}, so there is nothing to ask about."
            )
        reload = self.reload
        parts = DomainParts(
            samples=lambda: tuple(sample.query for sample in self.samples),
            examples=lambda: examples(self.samples, self.description, self.catalogue, self.store()),
            about=self.about,
            model=self.model,
            start=BASE_MODEL if BASE_MODEL.is_file() else None,
            training=TRAINING,
            sizes={"train": QUESTIONS, "test": 0, "hard": 0},
            style=self._style,
            folder=self.folder,
            synonyms=(*self.description.entity.names, *self.description.taught.rows),
            phrases=self.description.taught.phrases,
            store=lambda _: self._opened(),
            close=self.close,
            files=self.files,
            reload=None if reload is None else lambda: reload(self).domain(),
        )
        domain = TableDomain(self.catalogue, parts)
        try:
            _ = domain.phrases  # those of a schema.toml that was edited may be wrong
        except BadCondition as error:
            raise InspectError(
                f"{(self.folder or Path()) / SCHEMA}, section [taught.phrases]: {error}"
            ) from error
        return domain

    def _style(self) -> CorpusStyle:
        """The usual style; what questions search for is drawn from the table's own texts."""
        from grammax.tables.corpus.default import default_style  # answering does not need it

        return replace(default_style(self.catalogue), texts=texts_of(self.description))

    def store(self) -> Store:
        """What answers logical forms from the table."""
        source = ViewSource(
            self.catalogue,
            wide_view(self.data, self.description),
            {column.token: column.name for column in self.description.used},
            values=self._stored_values(),
        )
        return Store(source, self.data.runner, self.catalogue, dialect=self.data.connection.name)

    def _stored_values(self) -> Mapping[str, Mapping[str, tuple[Stored, ...]]]:
        """By field, what the table holds for the token of a value."""
        columns = [column for column in self.description.used if has_values(column)]
        tokens = value_tokens(columns)
        return {
            column.token: {
                token: (_as_stored(column, text),)
                for text, token in tokens[type_of(column)].items()
            }
            for column in columns
        }

    @contextmanager
    def _opened(self) -> Iterator[Store]:
        """The store of the domain; the data stay open."""
        yield self.store()

    def close(self) -> None:
        self.data.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_table(source: str | Path, table: str | None = None) -> OwnTable:
    """Open a file, a folder or a database, and find out what it holds."""
    data = open_data(source)
    try:
        return OwnTable(data, inspect_data(data, table))
    except BaseException:
        data.close()
        raise


def _as_stored(column: ColumnDescription, text: str) -> Stored:
    """A value in the type in which the view has it."""
    if column.semantic is SemanticClass.BOOLEAN:
        return text.casefold() in YES
    kind = column.facts.type
    if kind.is_number:
        number = float(text)
        return int(number) if number.is_integer() else number
    return text
