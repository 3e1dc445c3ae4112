"""Values and fields: search and changes."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from grammax.service.schemas.base import Name, Request, Response


class CatalogueQuery(Request, frozen=True):
    """The parameters of GET /catalogue."""

    search: Annotated[str, Meta(max_length=200, description="A name, or part of one.")] = ""
    kind: Annotated[str, Meta(max_length=100, description="A kind of tokens, or its name.")] = ""
    limit: Annotated[int, Meta(ge=1, le=500)] = 20


class FieldsQuery(Request, frozen=True):
    """The parameters of GET /fields."""

    search: Annotated[str, Meta(max_length=200, description="A name, or part of one.")] = ""
    limit: Annotated[int, Meta(ge=1, le=500)] = 100
    token: Annotated[str, Meta(max_length=300, description="One field alone.")] = ""


class AddedValue(Request, frozen=True):
    """A value or a field to add."""

    name: Name
    kind: Annotated[str, Meta(min_length=1, max_length=300, description="A kind, or its name.")]
    aliases: Annotated[tuple[Name, ...], Meta(max_length=50)] = ()
    token: Annotated[str, Meta(max_length=300, description="By default, built from the name.")] = ""


class AddRequest(Request, frozen=True):
    """Values and fields to add: all of them are added, or none."""

    values: Annotated[list[AddedValue], Meta(min_length=1, max_length=1_000)]


class Entry(Response, frozen=True):
    """A value or a field of the catalogue, with its names."""

    token: str
    kind: str
    name: str
    aliases: tuple[str, ...]


class Catalogue(Response, frozen=True):
    """Values and fields of the catalogue."""

    version: str
    entries: list[Entry]


class FieldValue(Response, frozen=True):
    """A value of a field, with its name."""

    token: str
    label: str


class Field(Response, frozen=True):
    """A field: what it is called, its unit, and its usual values.

    `low`, `middle` and `high` are the percentiles 5, 50 and 95 of the stored numbers, if known.
    """

    token: str
    label: str
    type: Annotated[str, Meta(description="As of the columns of answers, or enum.")]
    unit: str | None
    names: Annotated[tuple[str, ...], Meta(description="Other names that people use.")]
    description: str
    low: float | None
    high: float | None
    middle: float | None
    values: Annotated[list[FieldValue], Meta(description="The likeliest values of an enum.")]
    default: Annotated[bool, Meta(description="Whether answers show it unasked.")]


class Fields(Response, frozen=True):
    """Fields, the likeliest first, and the number of all that were found."""

    fields: list[Field]
    total: int


class Changed(Response, frozen=True):
    """The catalogue after a change."""

    version: str
    added: list[Entry]
    removed: list[str]
