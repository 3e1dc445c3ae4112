"""All addresses of the service: what each takes, what it gives, and how it can refuse."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, final

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from grammax.service import endpoints_catalogue as catalogue
from grammax.service import endpoints_forms as forms
from grammax.service import endpoints_queries as queries
from grammax.service import endpoints_state as state
from grammax.service import request_schemas as requests
from grammax.service import response_schemas as responses
from grammax.service.worker import Worker

Handler = Callable[[Worker, Request], Awaitable[Response]]

_BODY: Final = (400, 408, 413, 415, 422, 429, 503)


@final
@dataclass(frozen=True, slots=True)
class Address:
    """A path and a method."""

    method: str
    path: str
    handler: Handler
    gives: type[BaseModel] | None
    takes: type[BaseModel] | None = None
    example: dict[str, Any] = field(default_factory=dict)
    status: int = 200
    refuses: tuple[int, ...] = ()
    query: type[BaseModel] | None = None
    parameters: tuple[str, ...] = ()
    needs_token: bool = False

    @property
    def summary(self) -> str:
        """The first line of what the handler says of itself."""
        return (self.handler.__doc__ or "").partition("\n")[0]


_TYPED: Final = {"text": "steel companies in ger", "limit": 8}
_NEW: Final = {"values": [{"name": "Wakanda", "kind": "country", "aliases": ["wakandan"]}]}
_CORRECTED: Final = {"query": "german companies", "lf": requests.EXAMPLE_LF}
_BEGUN: Final = {"tokens": requests.EXAMPLE_TOKENS[:3], "search": "ger"}
_ASKED: Final = {"query": requests.EXAMPLE_QUERY}
_QUERIES: Final = {"queries": [requests.EXAMPLE_QUERY, "top 5 banks by market cap"]}

ADDRESSES: Final = (
    Address(
        "POST", "/parse", queries.parse, responses.Parse, requests.ParseRequest, _ASKED,
        refuses=_BODY,
    ),
    Address(
        "POST", "/parse/batch", queries.parse_batch, responses.Batch, requests.BatchRequest,
        _QUERIES, refuses=_BODY,
    ),
    Address(
        "POST", "/ask", queries.ask, responses.Asked, requests.AskRequest, {**_ASKED, "rows": 5},
        refuses=(404, *_BODY),
    ),
    Address(
        "POST", "/run", forms.run, responses.Ran, requests.RunRequest,
        {"lf": requests.EXAMPLE_LF, "rows": 5}, refuses=(404, *_BODY),
    ),
    Address(
        "POST", "/next", forms.next_tokens, responses.Next, requests.NextRequest, _BEGUN,
        refuses=_BODY,
    ),
    Address(
        "POST", "/complete", queries.complete, responses.Completions, requests.CompleteRequest,
        _TYPED, refuses=_BODY,
    ),
    Address(
        "POST", "/explain", queries.explain, responses.Explained, requests.ExplainRequest, _ASKED,
        refuses=_BODY,
    ),
    Address(
        "GET", "/catalogue", catalogue.search_catalogue, responses.Catalogue,
        query=requests.CatalogueQuery, refuses=(422, 429, 503),
    ),
    Address(
        "POST", "/catalogue", catalogue.add_to_catalogue, responses.Changed, requests.AddRequest,
        _NEW, refuses=(401, 403, 409, *_BODY), needs_token=True,
    ),
    Address(
        "DELETE", "/catalogue/{token}", catalogue.remove_from_catalogue, responses.Changed,
        refuses=(401, 403, 404, 409, 422, 429, 503), parameters=("token",), needs_token=True,
    ),
    Address(
        "POST", "/corrections", forms.correct, responses.Stored, requests.CorrectionRequest,
        _CORRECTED, status=201, refuses=_BODY,
    ),
    Address("GET", "/domain", state.domain, responses.DomainShown),
    Address("GET", "/health", state.health, responses.Status),
    Address("GET", "/ready", state.ready, responses.Status, refuses=(503,)),
    Address("GET", "/metrics", state.metrics, None),
)  # fmt: skip
