"""The OpenAPI document, written from the table of operations and the structs of their bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, Protocol

import msgspec

from grammax import __version__
from grammax.service.schemas.base import REFERENCE, Error
from grammax.service.schemas.parsing import Parse

_ABOUT: Final = (
    "Queries in English, parsed under a grammar and answered. Every error is "
    '{"error": {"code", "message", "hint", "request_id"}}, and every response has X-Request-ID.'
)
_PHRASES: Final = {408: "The body came too slowly", 413: "The body is too large"}
_EVERYWHERE: Final = (414, 421, 431, 503)  # long URLs, wrong hosts, large headers, no room
_JSON: Final = "application/json"
Example = Mapping[str, Any]


class Documented(Protocol):
    """The parts of an operation that are documented."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def method(self) -> str: ...

    @property
    def path(self) -> str: ...

    @property
    def body(self) -> type[msgspec.Struct] | None: ...

    @property
    def query(self) -> type[msgspec.Struct] | None: ...

    @property
    def parameter(self) -> str | None: ...

    @property
    def gives(self) -> type[msgspec.Struct] | None: ...

    @property
    def media_types(self) -> tuple[str, ...]: ...

    @property
    def status(self) -> int: ...

    @property
    def refuses(self) -> tuple[int, ...]: ...

    @property
    def needs_token(self) -> bool: ...


def document(
    operations: Sequence[Documented], examples: Mapping[str, Example], root: str = ""
) -> bytes:
    """The document as JSON; `examples` has bodies by the name of the request's struct.

    `root` is the path at which a proxy has the service.
    """
    bodies = [each.body for each in operations if each.body is not None]
    given = [each.gives for each in operations if each.gives is not None]
    types = list(dict.fromkeys((*bodies, *given, Parse, Error)))
    _, schemas = msgspec.json.schema_components(types, ref_template=REFERENCE)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        found = paths.setdefault(operation.path, {})
        found[operation.method.lower()] = _operation(operation, examples)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "grammax", "version": __version__, "description": _ABOUT},
            "servers": [{"url": root or "/"}],
            "paths": paths,
            "components": {
                "schemas": schemas,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
        }
    )


def _operation(operation: Documented, examples: Mapping[str, Example]) -> dict[str, Any]:
    found: dict[str, Any] = {"operationId": operation.name, "summary": operation.summary}
    parameters = list(_parameters(operation))
    if parameters:
        found["parameters"] = parameters
    if operation.body is not None:
        content: dict[str, Any] = {"schema": _reference(operation.body)}
        if operation.body.__name__ in examples:
            content["example"] = examples[operation.body.__name__]
        found["requestBody"] = {"required": True, "content": {_JSON: content}}
    found["responses"] = _responses(operation)
    if operation.needs_token:
        found["security"] = [{"token": []}]
    return found


def _parameters(operation: Documented) -> Sequence[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if operation.parameter is not None:
        schema = {"type": "string", "minLength": 1}
        found.append(
            {"name": operation.parameter, "in": "path", "required": True, "schema": schema}
        )
    if operation.query is not None:
        described = msgspec.json.schema(operation.query)["$defs"][operation.query.__name__]
        found += [
            {"name": name, "in": "query", "required": False, "schema": schema}
            for name, schema in described["properties"].items()
        ]
    return found


def _responses(operation: Documented) -> dict[str, Any]:
    if operation.gives is None:
        content = {each: {"schema": {"type": "string"}} for each in operation.media_types}
        done: dict[str, Any] = {"description": "A file", "content": content}
    else:
        about = (operation.gives.__doc__ or "").strip()
        done = {"description": about, "content": {_JSON: {"schema": _reference(operation.gives)}}}
    found = {str(operation.status): done}
    changes = () if operation.method == "GET" else (HTTPStatus.FORBIDDEN,)  # of another site
    for status in sorted({*operation.refuses, *_EVERYWHERE, *changes}):
        phrase = _PHRASES.get(status) or HTTPStatus(status).phrase
        error = {_JSON: {"schema": _reference(Error)}}
        found[str(status)] = {"description": phrase, "content": error}
    return found


def _reference(type_: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": REFERENCE.format(name=type_.__name__)}
