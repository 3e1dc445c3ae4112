"""Hidden vector + permitted → scores: the rows of the paper's table, one strategy a file.

| file | in the paper | rows multiplied | memory beyond the model |
|---|---|---|---|
| `every_row` | NSP | all | none |
| `masked_rows` | – (what other engines do) | all, then a mask | none |
| `gathered_rows` | NSP-G | the permitted, copied at each step | none that stays |
| `cached_rows` | NSP-GC | the permitted, copied once a set | the copies |
| `spans` | – (ours) | the permitted, where they lie | none |

`protocol` and `rows` import no PyTorch, nor does this file; the strategies do.
"""

from grammax.head.protocol import Candidate as Candidate
from grammax.head.protocol import Group as Group
from grammax.head.protocol import Head as Head
from grammax.head.protocol import HeadError as HeadError
from grammax.head.protocol import NoEndRow as NoEndRow
from grammax.head.protocol import Options as Options
from grammax.head.protocol import Scores as Scores
