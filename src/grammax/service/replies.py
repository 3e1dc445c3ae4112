"""Values as responses."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response

from grammax.service.shown import encoded

JSON: Final = "application/json"


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """JSON, made once."""
    return Response(encoded(value), status, headers, JSON)
