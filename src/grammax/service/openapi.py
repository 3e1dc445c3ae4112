"""The OpenAPI document: FastAPI writes it, from what addresses and schemas say."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from grammax import __version__
from grammax.service.addresses import ADDRESSES, Address
from grammax.service.response_schemas import Error

_REFERENCE: Final = "#/components/schemas/{model}"
_ABOUT: Final = (
    "Equity queries in English, parsed under a grammar. Every error is "
    '{"error": {"code", "message", "hint", "request_id"}}, and every response has X-Request-ID.'
)
_ERRORS: Final = {408: "The body came too slowly", 413: "The body is too large"}


def described(app: FastAPI) -> bytes:
    """The document of an application with all its addresses."""
    document = get_openapi(
        title="grammax", version=__version__, description=_ABOUT, routes=app.routes
    )
    components = document.setdefault("components", {})
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    components["schemas"] = components.get("schemas", {}) | _request_schemas()
    return json.dumps(document).encode()


def responses_of(address: Address) -> dict[int | str, dict[str, Any]]:
    """What an address may answer."""
    found: dict[int | str, dict[str, Any]] = {}
    if address.gives is None:
        text = {"text/plain": {"schema": {"type": "string"}}}
        found[address.status] = {"description": "Numbers", "content": text}
    else:
        about = (address.gives.__doc__ or "").strip()
        found[address.status] = {"model": address.gives, "description": about}
    for status in address.refuses:
        phrase = _ERRORS.get(status) or HTTPStatus(status).phrase
        found[status] = {"model": Error, "description": phrase}
    return found


def extra_of(address: Address) -> dict[str, Any]:
    """What FastAPI cannot see, since requests are read without it: bodies, parameters, tokens."""
    extra: dict[str, Any] = {}
    if address.takes is not None:
        schema = {"$ref": _REFERENCE.format(model=address.takes.__name__)}
        content = {"application/json": {"schema": schema, "example": address.example}}
        extra["requestBody"] = {"required": True, "content": content}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": _TOKEN_SCHEMA}
        for name in address.parameters
    ]
    if address.query is not None:
        properties = address.query.model_json_schema()["properties"]
        parameters += [
            {"name": name, "in": "query", "required": False, "schema": schema}
            for name, schema in properties.items()
        ]
    if parameters:
        extra["parameters"] = parameters
    if address.needs_token:
        extra["security"] = [{"token": []}]
    return extra


_TOKEN_SCHEMA: Final = {"type": "string", "minLength": 1, "example": "COU_WAKANDA"}


def _request_schemas() -> dict[str, Any]:
    models: list[tuple[type[BaseModel], Any]] = [
        (address.takes, "validation") for address in ADDRESSES if address.takes is not None
    ]
    _, found = models_json_schema(models, ref_template=_REFERENCE)
    schemas: dict[str, Any] = found["$defs"]
    return schemas
