"""`parse`: a dataset of Ray Data with the columns of a result."""

from __future__ import annotations

from typing import Any

from grammax.ray.columns import TOGETHER, BlockParser, Settings


def parse(
    dataset: Any,
    domain: str = "eqs",
    *,
    model: str | None = None,
    catalogue: str | None = None,
    table: str | None = None,
    column: str = "query",
    device: str | None = None,
    workers: int | tuple[int, int] = 1,
) -> Any:
    """A dataset of Ray Data with the logical form of each query, lazily.

    The columns `lf`, `confidence`, `abstains`, `why`, `not_understood`, `notices` and `error` are
    added to those of `dataset`, whose `column` has the queries. `workers` is a number of processes,
    or the fewest and the most; each takes one core, and one GPU if a `device` is given, and loads
    the model once. A process that is lost is replaced, and its batches are parsed again. Other
    arguments are those of `grammax.load`.
    """
    from ray.data import ActorPoolStrategy

    size = (workers, workers) if isinstance(workers, int) else workers
    return dataset.map_batches(
        BlockParser,
        fn_constructor_args=(Settings(domain, model, catalogue, table, column, device),),
        batch_format="pyarrow",
        batch_size=4 * TOGETHER,
        compute=ActorPoolStrategy(min_size=size[0], max_size=size[1]),
        num_cpus=1,
        num_gpus=0 if device is None else 1,
    )
