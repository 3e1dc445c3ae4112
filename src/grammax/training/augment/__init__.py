"""Augmentation: other training pairs in every epoch, made from those that are there. No PyTorch.

| module | what it does |
|---|---|
| `variations` | draws the pairs of an epoch |
| `alignment` | which words of a query express which part of its logical form |
| `recombination` | puts parts of one pair, with their words, into another |
| `numbers` | replaces numbers |
| `swaps` | replaces names by others of their kind |
"""
