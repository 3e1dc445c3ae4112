"""CUDA graphs: work on the device that is recorded once and then repeated as one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

import torch
from torch import Tensor

Work = Callable[[], None]


@final
class Pool:
    """Memory that recordings share which are repeated one after the other.

    What one of them leaves there, the next one may overwrite.
    """

    def __init__(self) -> None:
        self._handle: Any = None

    @property
    def handle(self) -> Any:
        """PyTorch's name of it, once it is needed."""
        if self._handle is None:
            self._handle = torch.cuda.graph_pool_handle()
        return self._handle


def recorded(work: Work, changed: Sequence[Tensor], pool: Pool | None = None) -> Work:
    """The same work, which is recorded when it is first done.

    It has to be a fixed sequence of operations on the same tensors. `changed` are those that it
    changes and reads, because it is done some times before it is recorded.
    """
    graph: torch.cuda.CUDAGraph | None = None

    def repeat() -> None:
        nonlocal graph
        if graph is None:
            graph = _record(work, changed, pool)
        graph.replay()

    return repeat


def _record(work: Work, changed: Sequence[Tensor], pool: Pool | None) -> torch.cuda.CUDAGraph:
    """Record some work; the tensors `changed` stay as they were."""
    before = [tensor.detach().clone() for tensor in changed]
    # Libraries allocate their workspaces at the first times, which cannot be recorded.
    side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(2):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool and pool.handle):
        work()
    with torch.no_grad():
        for tensor, saved in zip(changed, before, strict=True):
            tensor.copy_(saved)
    return graph
