"""Answers: to a query, or to a logical form."""

from __future__ import annotations

from typing import Annotated, Any

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
from grammax.service.schemas.parsing import Chip, Parse


class AskRequest(Request, frozen=True):
    """A query to parse and answer."""

    query: Query
    best: Best = 1
    rows: Rows = 20
    force: Annotated[bool, Meta(description="Answer even if the parser abstains.")] = field(
        default=False, name="anyway"
    )


class RunRequest(Request, frozen=True):
    """A logical form to answer, either as text or as tokens."""

    lf: Text | None = None
    tokens: Annotated[list[Token], Meta(max_length=1_000)] | None = None
    rows: Rows = 20


class Column(Response, frozen=True):
    """A column of an answer."""

    field: str | None
    label: str
    type: str
    unit: str | None
    synthetic: bool


class Answer(Response, frozen=True):
    """The rows of an answer, and their columns."""

    columns: list[Column]
    rows: tuple[tuple[Any, ...], ...]
    total: int | None
    more: bool
    synthetic: bool
    seconds: float
    notes: tuple[str, ...]
    summary: bool


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
