"""Corrections, and words that users teach."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from grammax.service.schemas.base import Name, Query, Request, Response


class CorrectionRequest(Request, frozen=True):
    """A query and its correct logical form."""

    query: Query
    lf: Annotated[str, Meta(min_length=1, max_length=16_000)]


class TeachRequest(Request, frozen=True):
    """A word, and what it means: a column, a value of a column, or a row."""

    word: Name
    token: Annotated[str, Meta(max_length=300, description="Empty if it means a row.")] = ""
    field: Annotated[str, Meta(max_length=300, description="Of a value: its column.")] = ""


class Offer(Response, frozen=True):
    """A word that POST /teach can remember: it names a token, or a row if the token is empty."""

    word: str
    token: str
    field: Annotated[str, Meta(description="Of a value: the column that has it.")]
    meaning: str


class Stored(Response, frozen=True):
    """A correction that has been written to disk, and what could be remembered at once."""

    id: str
    offers: list[Offer]
    note: Annotated[str, Meta(description="When the correction itself is used.")]


class Learnt(Response, frozen=True):
    """A word that is remembered: what changed, and where it was written.

    The line is 0 for a name of a catalogue, which is kept in the file of its changes.
    """

    change: str
    file: str
    section: str
    line: int
    version: str
