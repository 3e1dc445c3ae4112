"""The JSON that comes in, checked: of the right types, and nothing else."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

EXAMPLE_QUERY = "steel western europe not german"
EXAMPLE_LF = "(FLD_DOMICILE EQ enumValue(COU_GERMANY))"
EXAMPLE_TOKENS = ["(", "FLD_DOMICILE", "EQ", "COU_GERMANY", ")"]

Text = Annotated[str, Field(max_length=16_000)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Token = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Best = Annotated[int, Field(ge=1, le=10)]
Rows = Annotated[int, Field(ge=1, le=1_000)]
Count = Annotated[int, Field(ge=0)]


class Request(BaseModel):
    """What a client sends: of the right types, and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ParseRequest(Request):
    """A query."""

    query: Annotated[Text, Field(min_length=1, examples=[EXAMPLE_QUERY])]
    best: Best = 1


class BatchRequest(Request):
    """Some queries."""

    queries: Annotated[
        list[Text], Field(max_length=1_000, examples=[[EXAMPLE_QUERY, "top 5 banks"]])
    ]


class AskRequest(Request):
    """A query that is to be answered."""

    query: Annotated[Text, Field(min_length=1, examples=[EXAMPLE_QUERY])]
    best: Best = 1
    rows: Rows = 20
    anyway: Annotated[bool, Field(description="Answer even where the parser abstains.")] = False


class RunRequest(Request):
    """A logical form, as text or as tokens."""

    lf: Annotated[Text | None, Field(examples=[EXAMPLE_LF])] = None
    tokens: Annotated[list[Token] | None, Field(max_length=1_000)] = None
    rows: Rows = 20


class NextRequest(Request):
    """The beginning of a logical form, or a whole one and a place in it."""

    tokens: Annotated[list[Token], Field(max_length=1_000, examples=[EXAMPLE_TOKENS[:3]])]
    place: Count | None = None
    search: Annotated[str, Field(max_length=200)] = ""
    limit: Annotated[int, Field(ge=1, le=500)] = 50


class CompleteRequest(Request):
    """A query that is being typed."""

    text: Annotated[Text, Field(examples=["steel companies in ger"])]
    limit: Annotated[int, Field(ge=1, le=50)] = 8


class ExplainRequest(Request):
    """A query."""

    query: Annotated[Text, Field(min_length=1, examples=[EXAMPLE_QUERY])]


class AddedValue(Request):
    """A value or a field to be added."""

    name: Annotated[Name, Field(examples=["Wakanda"])]
    kind: Annotated[Name, Field(examples=["country"])]
    aliases: Annotated[list[Name], Field(max_length=50, examples=[["wakandan"]])] = []
    token: Annotated[str, Field(max_length=300)] = ""


class AddRequest(Request):
    """Values and fields to be added, all or none."""

    values: Annotated[list[AddedValue], Field(min_length=1, max_length=1_000)]


class CorrectionRequest(Request):
    """A query, and the logical form that it should have had."""

    query: Annotated[Text, Field(min_length=1, examples=["german companies"])]
    lf: Annotated[Text, Field(min_length=1, examples=[EXAMPLE_LF])]


class CatalogueQuery(BaseModel):
    """What stands behind the question mark of /catalogue."""

    model_config = ConfigDict(extra="forbid")

    search: Annotated[str, Field(max_length=200, description="What people call it.")] = ""
    kind: Annotated[str, Field(max_length=100, description="Such as country.")] = ""
    limit: Annotated[int, Field(ge=1, le=500)] = 20
