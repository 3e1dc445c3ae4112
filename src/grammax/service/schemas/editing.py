"""What may stand at a position of a logical form."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from grammax.service.schemas.base import Request, Response, Token


class NextRequest(Request, frozen=True):
    """The beginning of a logical form, or a whole one and a position in it."""

    tokens: Annotated[list[Token], Meta(max_length=1_000)]
    place: Annotated[int, Meta(ge=0, description="By default, after the last token.")] | None = None
    search: Annotated[str, Meta(max_length=200, description="Part of a name.")] = ""
    limit: Annotated[int, Meta(ge=1, le=500)] = 50


class Choice(Response, frozen=True):
    """A token that the grammar permits at a position."""

    token: str
    label: str
    kind: str


class Next(Response, frozen=True):
    """The tokens permitted at a position, and whether the logical form may end before it."""

    place: int
    permitted: int
    may_end: bool
    choices: list[Choice]
