"""The JSON that endpoints return. The OpenAPI document is generated from these structs."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from grammax.language.capabilities import Role

REFERENCE: Final = "#/components/schemas/{name}"


class Response(Struct, frozen=True, gc=False):
    """The base class of responses."""


class ErrorDetail(Response, frozen=True):
    """What went wrong, and what to do next."""

    code: str
    message: str
    hint: str
    request_id: str


class Error(Response, frozen=True):
    """Every error has this shape."""

    error: ErrorDetail


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


_PARSE_OR_ERROR: Final = {
    "anyOf": [{"$ref": REFERENCE.format(name=name)} for name in ("Parse", "Error")]
}


class Batch(Response, frozen=True):
    """One result per query, in order: a parse, or an error where it cannot be parsed."""

    # msgspec permits one struct type per union, because it could not distinguish two when decoding.
    results: list[Annotated[Any, Meta(extra_json_schema=_PARSE_OR_ERROR)]]


class Column(Response, frozen=True):
    """A column of an answer."""

    field: str | None
    label: str
    type: str
    unit: str | None
    synthetic: bool


class Answer(Response, frozen=True):
    """The rows of an answer, and their columns."""

    columns: list[Column]
    rows: tuple[tuple[Any, ...], ...]
    total: int | None
    more: bool
    synthetic: bool
    seconds: float
    notes: tuple[str, ...]
    summary: bool


class Asked(Response, frozen=True):
    """A parse and its answer, or the reason why there is no answer."""

    parse: Parse
    answer: Answer | None
    answer_error: ErrorDetail | None


class Ran(Response, frozen=True):
    """A logical form and its answer."""

    lf: str
    paraphrase: str
    tokens: tuple[str, ...]
    chips: list[Chip]
    answer: Answer


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


class Completion(Response, frozen=True):
    """A completion of a query."""

    text: str
    added: str
    what: str
    token: str | None


class Completions(Response, frozen=True):
    """Completions of a query, the likeliest first."""

    completions: list[Completion]


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
    """A word that is remembered: what changed, and where it was written."""

    change: str
    file: str
    section: str
    line: int
    version: str


class Status(Response, frozen=True):
    """Whether the service works."""

    status: Literal["ok", "ready"]
    version: str
    worker: int


class DomainShown(Response, frozen=True):
    """The domain that is served, and the operations that are available."""

    name: str
    version: str
    tokens: int
    answers: Annotated[bool, Meta(description="Whether /ask and /run answer.")]
    changes: Annotated[bool, Meta(description="Whether values and fields can be changed.")]
    teaches: Annotated[bool, Meta(description="Whether POST /teach remembers words.")]
    samples: Annotated[tuple[str, ...], Meta(description="Sample queries, if any.")]
    noun: Annotated[str, Meta(description="The noun for a row of an answer, such as film.")]
    nouns: Annotated[str, Meta(description="The plural of noun.")]


def encode(value: Response) -> bytes:
    """A response as JSON in UTF-8; infinities and NaN become null."""
    return _ENCODER.encode(value)


def _plain(value: Any) -> Any:
    """NumPy's scalars and arrays, which own tables and functions may return, as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return str(value)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_plain)
