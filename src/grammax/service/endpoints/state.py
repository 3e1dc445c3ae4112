"""Endpoints about the service itself, for people and for monitoring."""

from __future__ import annotations

import os
from typing import Literal

from grammax.service.endpoints.teaching import can_teach
from grammax.service.http.context import RequestContext
from grammax.service.schemas import state
from grammax.service.worker import Worker


async def health(worker: Worker, context: RequestContext) -> state.Status:
    """Report whether the worker is alive, and how far its start is."""
    del context
    return _status(worker, "ok")


async def ready(worker: Worker, context: RequestContext) -> state.Status:
    """Report whether the worker is ready to answer and to complete queries."""
    if worker.audit is not None and worker.audit.failure is not None:
        await worker.audit_change(context, "a test whether the audit file can be written again")
    worker.require_store()
    worker.warm_snapshot()
    return _status(worker, "ready")


def _status(worker: Worker, status: Literal["ok", "ready"]) -> state.Status:
    loading = worker.loading
    snapshot = None if loading.catalogue is None else loading.catalogue.snapshot
    return state.Status(
        status,
        version="" if snapshot is None else snapshot.version,
        worker=os.getpid(),
        answers=snapshot is not None and (snapshot.answers is not None or loading.is_warm),
        progress=loading.step.progress,
        doing=loading.step.doing,
    )


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
