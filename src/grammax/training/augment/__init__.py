"""Augmentation: other training pairs in every epoch, made from those that are there.

| module | what it does |
|---|---|
| `variations` | draws the pairs of an epoch |
| `recombination` | puts parts of one pair, with their words, into another |
| `numbers` | replaces numbers |
| `swaps` | replaces names by others of their kind |
"""
