"""Hidden vector + permitted → scores: the rows of the paper's table, one strategy per module.

| module | in the paper | rows multiplied | memory beyond the model |
|---|---|---|---|
| `every_row` | NSP | all | none |
| `masked_rows` | – (what other engines do) | all, then a mask | none |
| `gathered_rows` | NSP-G | the permitted, copied at every step | none that stays |
| `cached_rows` | NSP-GC | the permitted, copied once per set | the copies |
| `spans` | – (ours) | the permitted, in place | none |

`protocol` is what a search asks of a head; `layer` has the output layer, `row_scores` the scores
and the loss of training, `rows` the arithmetic of spans, `reduced` what two strategies share.
`protocol`, `rows` and this file import no PyTorch.
"""

from grammax.head.protocol import Candidate as Candidate
from grammax.head.protocol import Group as Group
from grammax.head.protocol import Head as Head
from grammax.head.protocol import HeadError as HeadError
from grammax.head.protocol import NoEndRow as NoEndRow
from grammax.head.protocol import Options as Options
from grammax.head.protocol import Scores as Scores
