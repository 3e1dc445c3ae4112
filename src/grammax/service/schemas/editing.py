"""What may stand at a position of a logical form, and forms that follow-ups edit."""

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


class EditRequest(Request, frozen=True):
    """A logical form, and what was said next: "now french", "sort by price"."""

    tokens: Annotated[list[Token], Meta(min_length=1, max_length=1_000)]
    text: Annotated[str, Meta(min_length=1, max_length=16_000, description="The follow-up.")]


class Edited(Response, frozen=True):
    """The logical form with the follow-up in it; unchanged if it was not understood as one."""

    understood: bool
    why: Annotated[str, Meta(description="Why it was not understood as a follow-up.")]
    tokens: tuple[str, ...]
    lf: str
    paraphrase: str
    added: Annotated[tuple[str, ...], Meta(description="New constraints, in words.")]
    removed: Annotated[tuple[str, ...], Meta(description="Constraints that gave way, in words.")]
