"""Augmentation: every epoch trains on new variations of the training pairs. No PyTorch.

| module | what it does |
|---|---|
| `variations` | draws the pairs of an epoch |
| `alignment` | aligns the words of a query with the parts of its logical form |
| `nesting` | puts a whole pair in the place of a name of another |
| `agreed` | variations with the forms that most of several networks read |
| `recombination` | puts parts of one pair, with their words, into another |
| `numbers` | replaces numbers |
| `texts` | replaces texts that queries fill by those of other pairs |
| `unlisted` | replaces names by ones that no table lists, for calibration |
| `swaps` | replaces names by others of their kind |
"""
