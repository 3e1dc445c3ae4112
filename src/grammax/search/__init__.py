"""A decoder, a head and an automaton → sentences, by greedy or beam search.

Every result is a complete, non-empty sentence of the grammar within the budget. A sentence ends
where nothing may follow; where it may end or go on, the head's row for the end decides (see
`grammax.head.protocol`). Nothing here imports PyTorch.

| module | what it has |
|---|---|
| `protocol` | `Decoder`, `BatchDecoder`: what a search asks of a model |
| `state` | `DecodingState`: a state of the grammar and the budget left |
| `greedy`, `beam` | the searches, for one query or a batch |
| `decode` | `decode`: either search, for a model of one's own |
| `result` | `Decoded`, and the errors of a search |
| `unconstrained` | `Unconstrained`: the automaton of no grammar |
"""

from grammax.search.beam import beam as beam
from grammax.search.beam import beam_batch as beam_batch
from grammax.search.decode import decode as decode
from grammax.search.greedy import greedy as greedy
from grammax.search.greedy import greedy_batch as greedy_batch
from grammax.search.protocol import BatchDecoder as BatchDecoder
from grammax.search.protocol import Decoder as Decoder
from grammax.search.protocol import OneByOne as OneByOne
from grammax.search.result import BudgetTooShort as BudgetTooShort
from grammax.search.result import Decoded as Decoded
from grammax.search.result import NoScore as NoScore
from grammax.search.result import SearchError as SearchError
from grammax.search.unconstrained import Unconstrained as Unconstrained
