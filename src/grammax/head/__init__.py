"""Heads: score the permitted tokens, given a hidden vector. One strategy per module.

| module | in the paper | rows multiplied | memory beyond the model |
|---|---|---|---|
| `every_row` | NSP | all | none |
| `masked_rows` | – (as in other engines) | all, then masked | none |
| `gathered_rows` | NSP-G | the permitted, copied at every step | temporary copies |
| `cached_rows` | NSP-GC | the permitted, copied once per set | the copies |
| `spans` | – (ours) | the permitted, in place | none |
| `hierarchical` | – (named there) | classes of large kinds, and the rows of a few | the classes |
| `selected` | – (named there) | of large kinds, those that the query selects | the selection |

The last two give other distributions than a softmax over the permitted rows, and are made from
training data; `row_classes` makes the classes.

`protocol` defines the interface that a search uses; `layer` has the output layer, `own_order` that
of a trained model whose rows are in another order, `row_scores` the scores and the training loss,
`rows` the arithmetic of spans, and `reduced` the code shared by `gathered_rows` and `cached_rows`.
`protocol`, `rows` and this file do not import PyTorch.
"""

from grammax.head.protocol import Candidate as Candidate
from grammax.head.protocol import Group as Group
from grammax.head.protocol import Head as Head
from grammax.head.protocol import HeadError as HeadError
from grammax.head.protocol import NoEndRow as NoEndRow
from grammax.head.protocol import Options as Options
from grammax.head.protocol import Scores as Scores
