"""Training: pairs of queries and logical forms and a grammar give a trained, calibrated model.

| module | what it does |
|---|---|
| `examples` | pairs as steps under a grammar, grouped by length (no PyTorch) |
| `augment` | new training pairs: recombined, renumbered, renamed |
| `batch` | examples side by side as arrays, and as tensors on a device |
| `stream`, `workers` | the batches of all epochs, made ahead in other processes (no PyTorch) |
| `padding` | batches of few shapes, with the same losses (no PyTorch) |
| `loss` | the loss of a batch |
| `recorded` | steps that a GPU records for each shape, and repeats |
| `trainer` | epochs: batches, loss, optimizer |
| `teachers` | networks that are trained first, for one that learns what most of them read |
| `checkpoint` | saves and resumes a training |
| `fold` | the pairs that a second training does not see, for the calibration (no PyTorch) |
| `calibration` | learns how sure a parser may be, and when it abstains (no PyTorch) |
| `run` | a training in a folder, from its first epoch to the finished model |
"""
