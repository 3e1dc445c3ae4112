"""CUDA graphs: work on the device that is recorded once and then repeated as one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

Work = Callable[[], None]


def recorded(work: Work, changed: Sequence[Tensor]) -> Work:
    """The same work, which is recorded when it is first done.

    It has to be a fixed sequence of operations on the same tensors. `changed` are those that it
    changes and reads, because it is done some times before it is recorded.
    """
    graph: torch.cuda.CUDAGraph | None = None

    def repeat() -> None:
        nonlocal graph
        if graph is None:
            graph = _record(work, changed)
        graph.replay()

    return repeat


def _record(work: Work, changed: Sequence[Tensor]) -> torch.cuda.CUDAGraph:
    """Record some work; the tensors `changed` stay as they were."""
    before = [tensor.clone() for tensor in changed]
    # Libraries allocate their workspaces at the first times, which cannot be recorded.
    side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(2):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    for tensor, saved in zip(changed, before, strict=True):
        tensor.copy_(saved)
    return graph
