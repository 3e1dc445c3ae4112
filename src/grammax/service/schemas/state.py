"""The state of the service, and the domain that it serves."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from grammax.service.schemas.base import Response


class Status(Response, frozen=True):
    """Whether the service works, and how far its start is."""

    status: Literal["ok", "ready"]
    version: Annotated[str, Meta(description="Of the vocabulary; empty until it is loaded.")]
    worker: Annotated[int, Meta(description="The process that responds.")]
    answers: Annotated[bool, Meta(description="Whether queries can be sent already.")]
    progress: Annotated[float, Meta(ge=0, le=1, description="The share of the start that is done.")]
    doing: Annotated[str, Meta(description="What is being loaded; empty when all is.")]


class Examples(Response, frozen=True):
    """Queries that show one thing that can be asked, such as ranks."""

    category: str
    queries: tuple[str, ...]


class DomainShown(Response, frozen=True):
    """The domain that is served, and the operations that are available."""

    name: str
    version: str
    tokens: int
    answers: Annotated[bool, Meta(description="Whether /ask and /run answer.")]
    changes: Annotated[bool, Meta(description="Whether values and fields can be changed.")]
    teaches: Annotated[bool, Meta(description="Whether POST /teach remembers words.")]
    samples: Annotated[tuple[str, ...], Meta(description="Sample queries, if any.")]
    examples: Annotated[list[Examples], Meta(description="Example queries, once they are made.")]
    has_fields: Annotated[bool, Meta(description="Whether GET /fields lists any.")]
    noun: Annotated[str, Meta(description="The noun for a row of an answer, such as film.")]
    nouns: Annotated[str, Meta(description="The plural of noun.")]
