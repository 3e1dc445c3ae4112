"""The JSON that goes out, described: what `shown` makes."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from grammax.language.capabilities import Role
from grammax.service.request_schemas import EXAMPLE_QUERY


class ErrorDetail(BaseModel):
    """What went wrong, and what to do next."""

    code: str = Field(examples=["query_too_long"])
    message: str
    hint: str
    request_id: str


class Error(BaseModel):
    """Every error has this shape."""

    error: ErrorDetail


class Chip(BaseModel):
    """A token as a person sees it."""

    place: int
    token: str
    label: str
    kind: str
    role: Role
    editable: bool
    depth: int


class Typo(BaseModel):
    """A word that was put right, as it was typed."""

    place: int
    typed: str


class Alternative(BaseModel):
    """One of the best logical forms."""

    lf: str
    paraphrase: str
    tokens: list[str]
    probability: float


class Seconds(BaseModel):
    """How long each stage took."""

    read: float
    encode: float
    decode: float


class Parse(BaseModel):
    """A query and its logical form."""

    query: str = Field(examples=[EXAMPLE_QUERY])
    lf: str
    paraphrase: str
    tokens: list[str]
    chips: list[Chip]
    confidence: float
    abstains: bool
    why: Literal["out of domain", "unsure", "cut"] | None
    words: list[str]
    typos: list[Typo]
    uncovered: list[int]
    sources: list[list[int]]
    permitted: list[int]
    scored: list[int]
    alternatives: list[Alternative]
    seconds: Seconds
    version: str


class Batch(BaseModel):
    """In the order of the queries; an error where one cannot be parsed."""

    results: list[Parse | Error]


class Column(BaseModel):
    """A column of an answer."""

    field: str | None
    label: str
    type: str = Field(examples=["money"])
    unit: str | None
    synthetic: bool


class Answer(BaseModel):
    """Rows, and what their columns are."""

    columns: list[Column]
    rows: list[list[Any]]
    total: int | None
    more: bool
    synthetic: bool
    seconds: float


class Asked(BaseModel):
    """A parse and its answer; without one, why there is none."""

    parse: Parse
    answer: Answer | None
    answer_error: ErrorDetail | None


class Ran(BaseModel):
    """A logical form and its answer."""

    lf: str
    paraphrase: str
    tokens: list[str]
    chips: list[Chip]
    answer: Answer


class Choice(BaseModel):
    """A token that may stand at a place."""

    token: str
    label: str
    kind: str


class Next(BaseModel):
    """What may stand at a place, and whether the logical form may end before it."""

    place: int
    permitted: int
    may_end: bool
    choices: list[Choice]


class Completion(BaseModel):
    """How a query may go on."""

    text: str
    added: str
    what: str
    token: str | None


class Completions(BaseModel):
    """The likeliest first."""

    completions: list[Completion]


class Step(BaseModel):
    """A token, and what it was chosen from."""

    token: str
    permitted: int
    of: int
    scored: int
    forced: bool
    kinds: list[str]
    seconds: float
    words: list[int]
    state: str


class Node(BaseModel):
    """A state that the automaton was in."""

    id: int
    label: str
    accepts: bool
    permitted: int


class Edge(BaseModel):
    """A token that led from one state to the next."""

    source: int
    target: int
    token: str
    label: str
    kind: str


class Path(BaseModel):
    """The automaton's way through a logical form."""

    nodes: list[Node]
    edges: list[Edge]


class Explained(BaseModel):
    """A parse, step by step."""

    parse: Parse
    steps: list[Step]
    path: Path


class Entry(BaseModel):
    """A value or a field as people know it."""

    token: str
    kind: str
    name: str
    aliases: list[str]


class Catalogue(BaseModel):
    """Values and fields."""

    version: str
    entries: list[Entry]


class Changed(BaseModel):
    """The catalogue after a change."""

    version: str
    added: list[Entry]
    removed: list[str]


class Stored(BaseModel):
    """A correction that is on the disk."""

    id: str


class Status(BaseModel):
    """Whether the service works."""

    status: Literal["ok", "ready"]
    version: str
    worker: int


class DomainShown(BaseModel):
    """The language of queries, and what can be done with it here."""

    name: str = Field(examples=["eqs"])
    version: str
    tokens: int
    answers: bool = Field(description="Whether /ask and /run answer.")
    changes: bool = Field(description="Whether values and fields may come and go.")
    samples: list[str] = Field(description="Queries to begin with, if it has some.")
