"""The JSON that clients send; unknown fields and wrong types are refused."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

Text = Annotated[str, Meta(max_length=16_000)]
Query = Annotated[str, Meta(min_length=1, max_length=16_000, description="A query in English.")]
Name = Annotated[str, Meta(min_length=1, max_length=300)]
Token = Annotated[str, Meta(min_length=1, max_length=300)]
Best = Annotated[int, Meta(ge=1, le=10, description="The number of logical forms to return.")]
Rows = Annotated[int, Meta(ge=1, le=1_000, description="The maximum number of rows of the answer.")]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """The base class of requests."""


class ParseRequest(Request, frozen=True):
    """A query to parse."""

    query: Query
    best: Best = 1


class BatchRequest(Request, frozen=True):
    """Several queries to parse."""

    queries: Annotated[list[Text], Meta(max_length=1_000)]


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


class NextRequest(Request, frozen=True):
    """The beginning of a logical form, or a whole one and a position in it."""

    tokens: Annotated[list[Token], Meta(max_length=1_000)]
    place: Annotated[int, Meta(ge=0, description="By default, after the last token.")] | None = None
    search: Annotated[str, Meta(max_length=200, description="Part of a name.")] = ""
    limit: Annotated[int, Meta(ge=1, le=500)] = 50


class CompleteRequest(Request, frozen=True):
    """A query that is being typed."""

    text: Text
    limit: Annotated[int, Meta(ge=1, le=50)] = 8


class ExplainRequest(Request, frozen=True):
    """A query to parse and explain."""

    query: Query


class AddedValue(Request, frozen=True):
    """A value or a field to add."""

    name: Name
    kind: Annotated[str, Meta(min_length=1, max_length=300, description="A kind, or its name.")]
    aliases: Annotated[tuple[Name, ...], Meta(max_length=50)] = ()
    token: Annotated[str, Meta(max_length=300, description="By default, built from the name.")] = ""


class AddRequest(Request, frozen=True):
    """Values and fields to add: all of them are added, or none."""

    values: Annotated[list[AddedValue], Meta(min_length=1, max_length=1_000)]


class CorrectionRequest(Request, frozen=True):
    """A query and its correct logical form."""

    query: Query
    lf: Annotated[str, Meta(min_length=1, max_length=16_000)]


class TeachRequest(Request, frozen=True):
    """A word, and what it means: a column, a value of a column, or a row."""

    word: Name
    token: Annotated[str, Meta(max_length=300, description="Empty if it means a row.")] = ""
    field: Annotated[str, Meta(max_length=300, description="Of a value: its column.")] = ""


class CatalogueQuery(Request, frozen=True):
    """The parameters of GET /catalogue."""

    search: Annotated[str, Meta(max_length=200, description="A name, or part of one.")] = ""
    kind: Annotated[str, Meta(max_length=100, description="A kind of tokens, or its name.")] = ""
    limit: Annotated[int, Meta(ge=1, le=500)] = 20
