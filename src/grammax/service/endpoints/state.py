"""Endpoints about the service itself, for people and for monitoring."""

from __future__ import annotations

import os

from grammax.service.endpoints.teaching import can_teach
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused
from grammax.service.schemas import state
from grammax.service.worker import Worker


async def health(worker: Worker, context: RequestContext) -> state.Status:
    """Report whether the worker is alive."""
    del context
    return state.Status("ok", worker.snapshot.version, os.getpid())


async def ready(worker: Worker, context: RequestContext) -> state.Status:
    """Report whether the worker is ready to answer, not only to parse."""
    if worker.audit is not None and worker.audit.failure is not None:
        await worker.audit_change(context, "a test whether the audit file can be written again")
    if worker.failure is not None:
        raise RequestRefused(503, "no_answers", worker.failure, headers={"Retry-After": "60"})
    return state.Status("ready", worker.warm_snapshot().version, os.getpid())


async def domain(worker: Worker, context: RequestContext) -> state.DomainShown:
    """Describe the domain: its name, sample queries, and whether it answers and can change."""
    del context
    snapshot = worker.snapshot
    noun, nouns = snapshot.domain.nouns
    return state.DomainShown(
        name=snapshot.domain.name,
        version=snapshot.version,
        tokens=len(snapshot.domain.vocabulary),
        answers=snapshot.has_store,
        changes=snapshot.changes is not None and worker.settings.token is not None,
        teaches=can_teach(worker),
        samples=snapshot.parser.samples,
        examples=[state.Examples(*each) for each in snapshot.examples],
        has_fields=snapshot.domain.has_fields,
        noun=noun,
        nouns=nouns,
    )


async def metrics(worker: Worker, context: RequestContext) -> bytes:
    """Return the metrics of all workers, in the text format of Prometheus."""
    del context
    return worker.metrics.text()
