"""The examples of the start page: each is understood and has an answer."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from grammax.domains.eqs.domain import EXAMPLES, SAMPLES


def test_every_example_has_an_answer(client: TestClient, post: Any) -> None:
    found = client.get("/domain").json()["examples"]
    assert [each["category"] for each in found] == [each.category for each in EXAMPLES]
    queries = [query for each in found for query in each["queries"]]
    assert queries == [query for each in EXAMPLES for query in each.queries]
    for query in queries:
        asked = post("/ask", {"query": query})
        assert asked["answer"]["rows"], query
        assert not asked["parse"]["uncovered"], query


def test_the_samples_are_among_the_examples() -> None:
    assert {*SAMPLES} <= {query for each in EXAMPLES for query in each.queries}
