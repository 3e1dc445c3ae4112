"""Answers: to a query, or to a logical form."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from grammax.service.schemas.base import (
    Best,
    ErrorDetail,
    Query,
    Request,
    Response,
    Rows,
    Text,
    Token,
)
from grammax.service.schemas.parsing import Chip, Parse, Typing

Offset = Annotated[
    int, Meta(ge=0, le=10_000_000, description="The number of rows to leave out at the beginning.")
]
Defaults = Annotated[
    bool,
    Meta(description="Whether an answer that would show no number has the default columns."),
]
Form = Annotated[list[Token], Meta(max_length=1_000)]


class Sort(Request, frozen=True):
    """An order of all rows of an answer by one column; missing values come last."""

    column: Annotated[
        Annotated[int, Meta(ge=0, le=10_000)] | Token,
        Meta(description="The number of a column, from 0, or the field that it shows."),
    ]
    descending: bool = False


class AskRequest(Request, frozen=True):
    """A query to parse and answer."""

    query: Query
    best: Best = 1
    rows: Rows = 20
    force: Annotated[bool, Meta(description="Answer even if the parser abstains.")] = field(
        default=False, name="anyway"
    )
    offset: Offset = 0
    sort: Sort | None = None
    defaults: Defaults = True
    typing: Typing = False


class RunRequest(Request, frozen=True):
    """A logical form to answer, either as text or as tokens."""

    lf: Text | None = None
    tokens: Form | None = None
    rows: Rows = 20
    offset: Offset = 0
    sort: Sort | None = None
    defaults: Defaults = True


class ExportRequest(Request, frozen=True):
    """A logical form whose whole answer, or whose query as SQL, is given as a file."""

    lf: Text | None = None
    tokens: Form | None = None
    format: Literal["csv", "parquet", "sql"] = "csv"
    sort: Sort | None = None
    defaults: Defaults = True
    name: Annotated[str, Meta(max_length=300, description="What the file is named after.")] = ""


class Column(Response, frozen=True):
    """A column of an answer."""

    field: str | None
    label: str
    type: str
    unit: str | None
    synthetic: bool
    default: bool


class Without(Response, frozen=True):
    """A condition of an empty answer: how many rows remain without it.

    `tokens` are the logical form without it; `has_data` is false if no row has a value for it.
    Where no single condition can be left out, `alone` rows satisfy this one without the others, and
    `alone_tokens` are the logical form with it alone; else they are null and empty.
    """

    condition: str
    tokens: tuple[str, ...]
    remaining: int
    has_data: bool
    alone: int | None
    alone_tokens: tuple[str, ...]


class Answer(Response, frozen=True):
    """The rows of an answer, and their columns."""

    columns: list[Column]
    rows: tuple[tuple[Any, ...], ...]
    total: int | None
    offset: int
    more: bool
    synthetic: bool
    seconds: float
    notes: tuple[str, ...]
    summary: bool
    diagnosis: list[Without]
    key: Annotated[
        int | None,
        Meta(description="The number of the column whose texts POST /row takes; null: none."),
    ]


class Asked(Response, frozen=True):
    """A parse and its answer, or the reason why there is no answer."""

    parse: Parse
    answer: Answer | None
    answer_error: ErrorDetail | None


class Ran(Response, frozen=True):
    """A logical form and its answer."""

    lf: str
    paraphrase: str
    tokens: tuple[str, ...]
    chips: list[Chip]
    answer: Answer
