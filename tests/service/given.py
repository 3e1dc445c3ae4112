"""What the tests of the service send, and how they wait for it."""

from __future__ import annotations

from time import monotonic, sleep

from starlette.testclient import TestClient

TOKEN = "a token of twenty-five..."
GERMAN = ("(", "FLD_DOMICILE", "EQ", "COU_GERMANY", ")")
LF = "(FLD_DOMICILE EQ enumValue(COU_GERMANY))"


def wait_until_ready(client: TestClient, seconds: float = 120.0) -> None:
    """Return when the store is open; fail if it cannot be opened."""
    end = monotonic() + seconds
    while (response := client.get("/ready")).status_code != 200:
        assert response.json()["error"]["code"] == "not_ready", response.text
        assert monotonic() < end, response.text
        sleep(0.05)
