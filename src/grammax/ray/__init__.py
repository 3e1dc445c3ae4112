"""Batches on Ray: many queries, parsed by several processes of one machine or of a cluster.

>>> import grammax.ray, ray.data                                  # doctest: +SKIP
>>> queries = ray.data.read_parquet("queries/")                   # doctest: +SKIP
>>> grammax.ray.parse(queries, "eqs").write_parquet("parsed/")    # doctest: +SKIP

`parse` adds columns to a dataset of Ray Data. `parse_files`, which is `grammax parse --ray`, writes
one file for each block of the input, each exactly once, and continues after an interruption. Each
process loads the model once. Ray is an extra: `pip install 'grammax[ray]'`.

| module | contents |
|---|---|
| `columns` | the columns of a result; `BlockParser`, which parses a table of Arrow |
| `dataset` | `parse`, for Ray Data |
| `blocks` | the blocks of files of queries, and the files that are written for them |
| `files` | `parse_files`: blocks to processes, those of lost ones again |
"""

from grammax.ray.columns import Settings as Settings
from grammax.ray.dataset import parse as parse
from grammax.ray.files import Progress as Progress
from grammax.ray.files import parse_files as parse_files
