"""Decoding with kernels of our own, which Triton compiles: six calls a round in place of 110.

Nothing imports this package unless Triton is installed, see `grammax.runtime.device.search`.

| module | contents |
|---|---|
| `kernels` | the kernels: one program per sentence |
| `weights` | the weights as the products between them need them |
| `batch` | `FusedGreedy`: one batch, from its words to its sentences |
"""

from grammax.runtime.device.fused.batch import fused as fused
