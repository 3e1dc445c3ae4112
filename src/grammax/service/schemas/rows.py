"""One row of the data, and the distribution of a column of an answer."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from grammax.service.schemas.answering import Column, Form
from grammax.service.schemas.base import Request, Response, Text, Token

ColumnGiven = Annotated[
    Annotated[int, Meta(ge=0, le=10_000)] | Token,
    Meta(description="The number of a column, from 0, or the field that it shows."),
]


class RowRequest(Request, frozen=True):
    """One row, by the text that identifies it."""

    key: Annotated[
        str, Meta(min_length=1, max_length=1_000, description="A cell of the column `key`.")
    ]
    limit: Annotated[int, Meta(ge=0, le=20, description="The maximum number of peers.")] = 6


class RowValue(Response, frozen=True):
    """A field of a row, and its value."""

    field: str | None
    label: str
    type: str
    unit: str | None
    synthetic: bool
    value: Any


class RowGroup(Response, frozen=True):
    """Fields of a row that belong together."""

    title: str
    values: list[RowValue]


class Peers(Response, frozen=True):
    """The rows that are most like a row, and the logical form that lists all of them."""

    columns: list[Column]
    rows: tuple[tuple[Any, ...], ...]
    tokens: tuple[str, ...]
    paraphrase: str
    total: int | None


class Row(Response, frozen=True):
    """One row: what it is called, its values, and its peers."""

    key: str
    name: str
    groups: list[RowGroup]
    synthetic: bool
    peers: Peers | None


class DistributionRequest(Request, frozen=True):
    """A column of the answer to a logical form, given as text or as tokens."""

    column: ColumnGiven
    lf: Text | None = None
    tokens: Form | None = None


class Part(Response, frozen=True):
    """How many numbers are at least `low` and below `high`; null: however low, or high."""

    low: float | None
    high: float | None
    count: int


class Distribution(Response, frozen=True):
    """The distribution of a column over all rows of an answer."""

    column: Column
    parts: list[Part]
    low: float | None
    high: float | None
    median: float | None
    known: int
    missing: int
    logarithmic: Annotated[bool, Meta(description="Whether parts grow by a factor.")]
