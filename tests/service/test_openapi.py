"""The OpenAPI document describes the service: schemathesis sends what it permits, and what not."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

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

from grammax.service.addresses import ADDRESSES

pytestmark = pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
FEW = 8  # examples of each operation, and as many that are wrong; --slow tries more
MANY = 200


@pytest.fixture(scope="session")
def document(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def test_every_address_is_described_with_examples(document: dict[str, Any]) -> None:
    for address in ADDRESSES:
        operation = document["paths"][address.path][address.method.lower()]
        assert operation["summary"]
        if address.takes is not None:
            content = operation["requestBody"]["content"]["application/json"]
            address.takes.model_validate_json(json.dumps(content["example"]))
            name = content["schema"]["$ref"].rpartition("/")[2]
            assert document["components"]["schemas"][name]["additionalProperties"] is False


@pytest.mark.parametrize("address", [a for a in ADDRESSES if a.example and not a.needs_token])
def test_examples_are_answered_as_described(client: TestClient, address) -> None:
    response = client.post(address.path, json=address.example)
    assert response.status_code == address.status
    assert address.gives is not None
    address.gives.model_validate_json(response.content, extra="forbid")


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
    assert tried >= sum(bool(a.takes or a.query) for a in ADDRESSES)


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
