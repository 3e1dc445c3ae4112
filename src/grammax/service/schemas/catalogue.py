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


class Changed(Response, frozen=True):
    """The catalogue after a change."""

    version: str
    added: list[Entry]
    removed: list[str]
