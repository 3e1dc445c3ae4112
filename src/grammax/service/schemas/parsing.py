"""Queries and their parses, with explanations and completions."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from grammax.language.capabilities import Role
from grammax.service.schemas.base import REFERENCE, Best, Query, Request, Response, Text

Typing = Annotated[bool, Meta(description="Whether the last word may go on.")]


class ParseRequest(Request, frozen=True):
    """A query to parse."""

    query: Query
    best: Best = 1
    typing: Typing = False


class BatchRequest(Request, frozen=True):
    """Several queries to parse."""

    queries: Annotated[list[Text], Meta(max_length=1_000)]


class ExplainRequest(Request, frozen=True):
    """A query to parse and explain."""

    query: Query


class CompleteRequest(Request, frozen=True):
    """A query that is being typed."""

    text: Text
    limit: Annotated[int, Meta(ge=1, le=50)] = 8


class Chip(Response, frozen=True):
    """A token of a logical form, for display."""

    place: int
    token: str
    label: str
    kind: str
    role: Role
    editable: bool
    depth: int


class Typo(Response, frozen=True):
    """A corrected word: its position, and what was typed."""

    place: int
    typed: str


class Alternative(Response, frozen=True):
    """One of the best logical forms; its probability is the network's own."""

    lf: str
    paraphrase: str
    tokens: tuple[str, ...]
    probability: float


class Seconds(Response, frozen=True):
    """The time of each stage of parsing."""

    read: float
    encode: float
    decode: float


class Parse(Response, frozen=True):
    """A query and its logical form."""

    query: str
    lf: str
    paraphrase: str
    tokens: tuple[str, ...]
    chips: list[Chip]
    confidence: float
    abstains: bool
    why: Literal["out of domain", "inexpressible", "unsure", "cut"] | None
    words: tuple[str, ...]
    typos: list[Typo]
    uncovered: tuple[int, ...]
    notices: tuple[str, ...]
    sources: tuple[tuple[int, ...], ...]
    permitted: tuple[int, ...]
    scored: tuple[int, ...]
    alternatives: list[Alternative]
    seconds: Seconds
    version: str
    unfinished: Annotated[
        Literal["likely", "possible"] | None,
        Meta(description="Of a query that is being typed: whether its last word begins a name."),
    ] = None


_PARSE_OR_ERROR: Final = {
    "anyOf": [{"$ref": REFERENCE.format(name=name)} for name in ("Parse", "Error")]
}


class Batch(Response, frozen=True):
    """One result per query, in order: a parse, or an error where it cannot be parsed."""

    # msgspec permits one struct type per union, because it could not distinguish two when decoding.
    results: list[Annotated[Any, Meta(extra_json_schema=_PARSE_OR_ERROR)]]


class Step(Response, frozen=True):
    """A token, and the tokens that it was chosen from."""

    token: str
    permitted: int
    of: int
    scored: int
    forced: bool
    kinds: list[str]
    seconds: float
    words: tuple[int, ...]
    state: str


class Node(Response, frozen=True):
    """A state of the automaton."""

    id: int
    label: str
    accepts: bool
    permitted: int


class Edge(Response, frozen=True):
    """A token that led from one state to the next."""

    source: int
    target: int
    token: str
    label: str
    kind: str


class Path(Response, frozen=True):
    """The automaton's path through a logical form."""

    nodes: list[Node]
    edges: list[Edge]


class Explained(Response, frozen=True):
    """A parse, step by step."""

    parse: Parse
    steps: list[Step]
    path: Path


class Completion(Response, frozen=True):
    """A completion of a query."""

    text: str
    added: str
    what: str
    token: str | None
    likely: Annotated[bool, Meta(description="Likelier than that the last word is complete.")]


class Completions(Response, frozen=True):
    """Completions of a query, the likeliest first."""

    completions: list[Completion]
