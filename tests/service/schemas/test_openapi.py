"""The OpenAPI document describes the service: schemathesis sends what it permits, and what not."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient
from variants import THOROUGH

from grammax.service.endpoints.examples import request_examples
from grammax.service.endpoints.router import OPERATIONS
from grammax.service.schemas.base import encode

pytestmark = pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
FEW = 8  # examples of each operation, and as many that are wrong; --slow tries more
MANY = 200 if THOROUGH else 40


@pytest.fixture(scope="session")
def document(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def test_every_operation_is_described_with_examples(document: dict[str, Any]) -> None:
    for operation in OPERATIONS:
        described = document["paths"][operation.path][operation.method.lower()]
        assert described["summary"]
        if operation.body is not None:
            content = described["requestBody"]["content"]["application/json"]
            msgspec.json.decode(json.dumps(content["example"]), type=operation.body)
            name = content["schema"]["$ref"].rpartition("/")[2]
            assert document["components"]["schemas"][name]["additionalProperties"] is False


# /teach needs the folder of a table, see `test_teaching`.
@pytest.mark.parametrize(
    "operation",
    [o for o in OPERATIONS if o.body and not o.needs_token and o.path != "/teach"],
    ids=lambda o: o.name,
)
def test_examples_are_answered_as_described(client: TestClient, worker, operation) -> None:
    example = request_examples(worker.snapshot)[operation.body.__name__]
    response = client.post(operation.path, json=example)
    assert response.status_code == operation.status
    if operation.gives is None:  # a file
        kind = response.headers["content-type"].partition(";")[0]
        assert kind in operation.media_types
        return
    decoded = msgspec.json.decode(response.content, type=operation.gives)
    assert msgspec.json.decode(encode(decoded)) == response.json()  # and it has no other fields


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_whatever_is_sent_gets_an_answer_that_is_described(client, document, mode) -> None:
    try_all(client, document, mode, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_whatever_is_sent_many_times(client, document, mode) -> None:
    try_all(client, document, mode, MANY)


def try_all(client: TestClient, document: dict[str, Any], mode: GenerationMode, most: int) -> None:
    """So many requests to each operation, of data that fit its schema or do not."""
    limited = settings(
        max_examples=most,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    tried = 0
    for found in schemathesis.openapi.from_dict(document).get_all_operations():

        def send(case: Any) -> None:
            respond(client, case)

        with suppress(Unsatisfiable):  # nothing is wrong for an operation that takes nothing
            limited(given(found.ok().as_strategy(generation_mode=mode))(send))()
            tried += 1
    assert tried >= sum(bool(o.body or o.query) for o in OPERATIONS)


def respond(client: TestClient, case: Any) -> None:
    """Send one, and hold the answer against the document."""
    sent = case.as_transport_kwargs(base_url="http://testserver")
    body = {
        "content" if key == "data" else key: sent[key] for key in ("data", "json") if key in sent
    }
    headers = {name: str(value) for name, value in sent.get("headers", {}).items()}
    response = client.request(
        sent["method"], sent["url"], params=sent.get("params"), headers=headers, **body
    )
    case.validate_response(response, checks=CHECKS)
