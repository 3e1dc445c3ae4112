"""What may stand at a position of a logical form, and forms that follow-ups edit."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from grammax.service.schemas.base import Request, Response, Token
from grammax.service.schemas.parsing import Chip


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


Place = Annotated[int, Meta(ge=0, lt=1_000, description="The position of a token.")]
Typed = Annotated[str, Meta(min_length=1, max_length=300)]


class Condition(Request, frozen=True):
    """A condition on a field: the token of a value, or a number, a date or a text as typed."""

    field: Token
    op: Literal["EQ", "NEQ", "LS", "LE", "GR", "GE", "CONTAINS"]
    value: Annotated[
        Typed,
        Meta(
            description=(
                'The token of a value for categories; else what a person types: "2bn", "5%", '
                '"june 2020", "star".'
            )
        ),
    ]


class NumberInstead(Request, frozen=True):
    """A number or time of a form, by the position of one of its tokens, and another one instead."""

    place: Place
    text: Annotated[Typed, Meta(description='As a person types it: "2bn".')]


class Part(Request, frozen=True):
    """A condition or a column of a form, by the position of one of its tokens."""

    place: Place


class EditRequest(Request, frozen=True):
    """A logical form and exactly one change of it: what was said next, or one of the others."""

    tokens: Annotated[list[Token], Meta(min_length=1, max_length=1_000)]
    text: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=16_000,
                description='The follow-up: "now french", "sort by price", "remove the country".',
            ),
        ]
        | None
    ) = None
    add_column: Annotated[Token, Meta(description="The token of a field to show.")] | None = None
    add_condition: Condition | None = None
    set_number: NumberInstead | None = None
    remove: Part | None = None


class Edited(Response, frozen=True):
    """The logical form with the change in it; unchanged if it was not understood."""

    understood: bool
    why: Annotated[str, Meta(description="Why it was not understood, and what is permitted.")]
    tokens: tuple[str, ...]
    lf: str
    paraphrase: str
    chips: list[Chip]
    added: Annotated[tuple[str, ...], Meta(description="New constraints, in words.")]
    removed: Annotated[tuple[str, ...], Meta(description="Constraints that gave way, in words.")]
