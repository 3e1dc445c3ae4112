"""Requests → checked values: within the limits, JSON, and of the right types."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from grammax.reading.words import split
from grammax.service.note import noted
from grammax.service.refusals import Refusal
from grammax.service.settings import Limits

Model = TypeVar("Model", bound=BaseModel)
_CLOSE: Final = {"Connection": "close"}  # what is still to come is not read
_DRAINED: Final = 1_000_000  # bytes
_DRAIN_SECONDS: Final = 1.0
_SHOWN: Final = 3  # mistakes of a request


async def read(request: Request, model: type[Model], limits: Limits) -> Model:
    """The body of a request, as a model has it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(
            415,
            "not_json",
            f"The content type is {kind[:60]!r}; JSON is needed.",
            "Send the header Content-Type: application/json.",
            _CLOSE,
        )
    body = await _body(request, limits)
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise _refused(error, model) from None


def checked(given: dict[str, Any], model: type[Model]) -> Model:
    """What stands behind the question mark of an address, as a model has it."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise _refused(error, model) from None


def require_query(query: str, limits: Limits) -> int:
    """How many words a query has, if they are neither none nor too many."""
    if len(query) > limits.characters:
        raise _too_long(f"The query has {len(query):,} characters", limits)
    words = len(split(query))
    if words > limits.words:
        raise _too_long(f"The query has {words} words", limits)
    if not words:
        raise Refusal(
            422,
            "query_empty",
            "The query has no words.",
            'Ask for companies, such as "steel western europe not german".',
        )
    return words


def note_query(request: Request, query: str, limits: Limits) -> None:
    """Check a query, and note it for the log."""
    note = noted(request.scope)
    note.facts["query"] = query[: limits.characters]
    note.words = require_query(query, limits)


async def _body(request: Request, limits: Limits) -> bytes:
    """All of the body, or as much as tells that it is too long."""
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
        raise Refusal(
            408,
            "too_slow",
            f"The request was not complete after {limits.seconds:g} seconds.",
            "Send the body at once.",
            _CLOSE,
        ) from None
    return b"".join(parts)


async def _drain(request: Request) -> None:
    """Take in some of what is too much: a connection that is closed on it may lose the reply."""
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > _DRAINED:
                    return


def _too_large(given: str, limits: Limits) -> Refusal:
    return Refusal(
        413,
        "body_too_large",
        f"The body has {given}; {limits.body:,} are permitted.",
        "Send less at once.",
        _CLOSE,
    )


def _too_long(given: str, limits: Limits) -> Refusal:
    return Refusal(
        422,
        "query_too_long",
        f"{given}; {limits.words} words in {limits.characters:,} characters are permitted.",
        "Ask for less at once.",
    )


def _refused(error: ValidationError, model: type[BaseModel]) -> Refusal:
    mistakes = error.errors(include_url=False, include_input=False, include_context=False)
    if mistakes[0]["type"] == "json_invalid":
        return Refusal(
            400,
            "malformed_json",
            f"The body is not JSON: {mistakes[0]['msg'].removeprefix('Invalid JSON: ')}.",
            "Send a JSON object in UTF-8.",
        )
    told = [_mistake(mistake) for mistake in mistakes[:_SHOWN]]
    if len(mistakes) > _SHOWN:
        told.append(f"and {len(mistakes) - _SHOWN} more")
    fields = ", ".join(model.model_fields)
    return Refusal(
        422,
        "invalid_request",
        "; ".join(told) + ".",
        f"Permitted are {fields}; /openapi.json tells their types.",
    )


def _mistake(mistake: Any) -> str:
    place = ".".join(str(part)[:60] for part in mistake["loc"]) or "the body"
    return f"{place}: {mistake['msg']}"
