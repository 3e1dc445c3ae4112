"""The base classes of bodies, the types that they share, and errors."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

REFERENCE: Final = "#/components/schemas/{name}"
Text = Annotated[str, Meta(max_length=16_000)]
Query = Annotated[str, Meta(min_length=1, max_length=16_000, description="A query in English.")]
Name = Annotated[str, Meta(min_length=1, max_length=300)]
Token = Annotated[str, Meta(min_length=1, max_length=300)]
Best = Annotated[int, Meta(ge=1, le=10, description="The number of logical forms to return.")]
Rows = Annotated[int, Meta(ge=1, le=1_000, description="The maximum number of rows of the answer.")]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """The base class of requests; unknown fields and wrong types are refused."""


class Response(Struct, frozen=True, gc=False):
    """The base class of responses."""


class File(Struct, frozen=True, gc=False):
    """A response that is not JSON: its content, and the name under which it is saved, if any."""

    content: bytes
    media_type: str
    name: str = ""


class ErrorDetail(Response, frozen=True):
    """What went wrong, and what to do next."""

    code: str
    message: str
    hint: str
    request_id: str


class Error(Response, frozen=True):
    """Every error has this shape."""

    error: ErrorDetail


def encode(value: Response) -> bytes:
    """A response as JSON in UTF-8; infinities and NaN become null."""
    return _ENCODER.encode(value)


def _plain(value: Any) -> Any:
    """NumPy's scalars and arrays, which own tables and functions may return, as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return str(value)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_plain)
