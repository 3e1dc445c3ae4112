"""Decode and check requests: size limits, valid JSON, and types."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request

from grammax.reading.words import split
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused
from grammax.service.settings import Limits
from grammax.vocabulary import Vocabulary

S = TypeVar("S", bound=msgspec.Struct)
_CLOSE: Final = {"Connection": "close"}  # the rest of the body is not read
_FIELD: Final = "_FIELD"  # in the names of kinds of tables
_DRAINED: Final = 1_000_000  # bytes
_DRAIN_SECONDS: Final = 1.0


async def read_body(request: Request, type_: type[S], limits: Limits) -> S:
    """The JSON body of a request, decoded and checked."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestRefused(
            415,
            "not_json",
            f"The content type is {kind[:60]!r}; it must be application/json.",
            "Send the header Content-Type: application/json.",
            _CLOSE,
        )
    body = await _body(request, limits)
    try:
        decoded: S = _decoder(type_).decode(body)
        return decoded
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _undecodable(body, error, type_) from None


def read_query_string(request: Request, type_: type[S]) -> S:
    """The parameters after the question mark of an address, converted and checked."""
    try:
        return msgspec.convert(dict(request.query_params), type_, strict=False)
    except msgspec.ValidationError as error:
        raise _invalid(error, type_) from None


def check_query(query: str, limits: Limits) -> int:
    """The number of words of a query; `RequestRefused` if it is 0 or above the limit."""
    if len(query) > limits.characters:
        raise _too_long(f"The query has {len(query):,} characters", limits)
    words = len(split(query))
    if words > limits.words:
        raise _too_long(f"The query has {words} words", limits)
    if not words:
        raise RequestRefused(
            422,
            "query_empty",
            "The query has no words.",
            "Write what you are looking for; GET /domain lists sample queries.",
        )
    return words


def record_query(context: RequestContext, query: str, limits: Limits) -> None:
    """Check a query, and record it for the log and the audit file."""
    context.details["query"] = query[: limits.characters]
    context.words = check_query(query, limits)


def check_form_length(tokens: int, limits: Limits) -> None:
    """`RequestRefused` for a logical form with too many tokens."""
    if tokens > limits.tokens:
        raise RequestRefused(
            422,
            "form_too_long",
            f"The logical form has {tokens:,} tokens; at most {limits.tokens} are permitted.",
            "Ask for less at once.",
        )


def check_fields(tokens: Sequence[str], vocabulary: Vocabulary, limits: Limits) -> None:
    """`RequestRefused` for a logical form that names too many fields to be answered."""
    kinds = (vocabulary.kind_of(token) for token in tokens)
    found = sum(kind is not None and _FIELD in vocabulary.kinds[kind] for kind in kinds)
    if found > limits.fields:
        raise RequestRefused(
            422,
            "too_many_fields",
            f"The logical form names {found} fields; at most {limits.fields} are permitted.",
            "Ask for fewer columns and conditions at once.",
        )


@cache
def _decoder(type_: type[S]) -> msgspec.json.Decoder[S]:
    return msgspec.json.Decoder(type_)


async def _body(request: Request, limits: Limits) -> bytes:
    """The body, or an error as soon as it is known to be too large or too slow."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > limits.body:
        await _drain(request)
        raise _too_large(f"{int(declared):,} bytes", limits)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.seconds):
            async for part in request.stream():
                size += len(part)
                if size > limits.body:
                    raise _too_large(f"more than {limits.body:,} bytes", limits)
                parts.append(part)
    except TimeoutError:
        raise RequestRefused(
            408,
            "too_slow",
            f"The body was not complete after {limits.seconds:g} seconds.",
            "Send the body at once.",
            _CLOSE,
        ) from None
    return b"".join(parts)


async def _drain(request: Request) -> None:
    """Read some of a body that is too large: a connection closed at once may lose the response."""
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > _DRAINED:
                    return


def _too_large(given: str, limits: Limits) -> RequestRefused:
    return RequestRefused(
        413,
        "body_too_large",
        f"The body has {given}; at most {limits.body:,} are permitted.",
        "Send less at once.",
        _CLOSE,
    )


def _too_long(given: str, limits: Limits) -> RequestRefused:
    return RequestRefused(
        422,
        "query_too_long",
        f"{given}; at most {limits.words} words in {limits.characters:,} characters are permitted.",
        "Ask for less at once.",
    )


def _undecodable(body: bytes, error: Exception, type_: type[msgspec.Struct]) -> RequestRefused:
    """The error for a body that cannot be decoded: malformed JSON takes precedence over types."""
    if isinstance(error, msgspec.ValidationError):
        try:
            msgspec.json.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as malformed:
            error = malformed
        else:
            return _invalid(error, type_)
    return RequestRefused(
        400,
        "malformed_json",
        f"The body is not valid JSON: {str(error)[:200]}.",
        "Send a JSON object in UTF-8.",
    )


def _invalid(error: Exception, type_: type[msgspec.Struct]) -> RequestRefused:
    fields: tuple[Any, ...] = msgspec.structs.fields(type_)
    names = ", ".join(each.encode_name for each in fields)
    return RequestRefused(
        422,
        "invalid_request",
        f"{str(error)[:300]}.",
        f"The fields are {names}; GET /openapi.json describes them.",
    )
