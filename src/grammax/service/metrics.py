"""Metrics for Prometheus: seconds per stage, tokens permitted by the grammar, abstentions.

Several workers write their metrics to a shared folder, and the worker that serves a request for
them adds them up. This is the multiprocess mode of `prometheus_client`, which the variable
PROMETHEUS_MULTIPROC_DIR enables.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, final

from grammax.parser import Parsed

FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
STAGES: Final = ("read", "encode", "decode", "answer")
_SECONDS: Final = (
    *(0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25),
    *(0.5, 1.0, 2.5, 5.0, 10.0),
)
_TOKENS: Final = (1, 2, 3, 5, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


@final
class Metrics:
    """Counts the work of one worker; `text` has the metrics of all workers."""

    def __init__(self) -> None:
        # Imported here because prometheus_client reads the environment when it is imported.
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = CollectorRegistry()
        in_registry: dict[str, Any] = {"registry": self._registry}
        stage = Histogram(
            "grammax_stage_seconds",
            "Seconds per stage.",
            ["stage"],
            buckets=_SECONDS,
            **in_registry,
        )
        self._stages = {name: stage.labels(name) for name in STAGES}
        self._permitted = Histogram(
            "grammax_permitted_tokens",
            "Tokens that the grammar permits at a step with a choice.",
            buckets=_TOKENS,
            **in_registry,
        )
        self._steps = Counter("grammax_steps", "Tokens of logical forms.", ["how"], **in_registry)
        self._chosen, self._forced = self._steps.labels("chosen"), self._steps.labels("forced")
        self._abstentions = Counter(
            "grammax_abstentions", "Parses on which the parser abstained.", ["why"], **in_registry
        )
        self._parses = Counter("grammax_parses", "Queries that were parsed.", **in_registry)
        self._requests = Counter("grammax_requests", "Requests.", ["path", "status"], **in_registry)
        self._request_seconds = Histogram(
            "grammax_request_seconds",
            "Seconds per request.",
            ["path"],
            buckets=_SECONDS,
            **in_registry,
        )
        self._known: dict[tuple[str, int], tuple[Any, Any]] = {}
        self.audit_failing = Gauge(
            "grammax_audit_failing",
            "1 while the audit file cannot be written.",
            multiprocess_mode="livemax",
            **in_registry,
        )
        self.store_down = Gauge(
            "grammax_store_down",
            "1 while the store that answers cannot be reached.",
            multiprocess_mode="livemax",
            **in_registry,
        )
        self.in_flight = Gauge(
            "grammax_requests_in_flight",
            "Requests that are being handled.",
            multiprocess_mode="livesum",
            **in_registry,
        )

    def parsed(self, parsed: Parsed) -> None:
        """Count a parse."""
        for name, seconds in zip(STAGES, parsed.seconds, strict=False):
            self._stages[name].observe(seconds)
        choices = [size for size in parsed.permitted if size > 1]
        for size in choices:
            self._permitted.observe(size)
        self._chosen.inc(len(choices))
        self._forced.inc(len(parsed.permitted) - len(choices))
        self._parses.inc()
        if parsed.why is not None:
            self._abstentions.labels(parsed.why).inc()

    def answered(self, seconds: float) -> None:
        """Count an answer."""
        self._stages["answer"].observe(seconds)

    def requested(self, path: str, status: int, seconds: float) -> None:
        """Count a finished request; `path` is that of a route, not of the request."""
        known = self._known.get((path, status))
        if known is None:
            known = self._known[path, status] = (
                self._requests.labels(path, str(status)),
                self._request_seconds.labels(path),
            )
        known[0].inc()
        known[1].observe(seconds)

    def text(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        if FOLDER_VARIABLE not in os.environ:
            return generate_latest(self._registry)
        _remove_dead_workers(Path(os.environ[FOLDER_VARIABLE]))
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def _remove_dead_workers(folder: Path) -> None:
    """Remove the gauges of workers that were killed."""
    from prometheus_client.multiprocess import mark_process_dead

    for number in _workers(folder):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            mark_process_dead(number, str(folder))  # type: ignore[no-untyped-call]
        except OSError:
            pass


def _workers(folder: Path) -> Iterable[int]:
    found: set[int] = set()
    for path in folder.glob("gauge_live*.db"):
        with suppress(ValueError):
            found.add(int(path.stem.rpartition("_")[2]))
    return found
