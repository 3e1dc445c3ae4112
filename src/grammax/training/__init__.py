"""Pairs and a grammar → a trained, calibrated model.

| module | what it does |
|---|---|
| `examples` | pairs as steps under a grammar, in batches (no PyTorch) |
| `augment` | more pairs from those that are there: recombined, renumbered, renamed |
| `glove` | word vectors to start from (no PyTorch) |
| `trainer` | epochs: batches, loss, optimizer |
| `checkpoint` | a training in a file |
| `calibration` | when a trained parser is right, and when it should abstain (no PyTorch) |
| `run` | a training in a folder, from its first epoch to the finished model |
"""
