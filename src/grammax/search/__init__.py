"""Greedy and beam search with a decoder, a head and an automaton.

Every result is a complete, non-empty sentence of the grammar within the budget. A sentence ends
where nothing may follow; where it may end or continue, the head's row for the end decides (see
`grammax.head.protocol`). This package does not import PyTorch.

| module | contents |
|---|---|
| `protocol` | `Decoder`, `BatchDecoder`: the interfaces of a model |
| `state` | `DecodingState`: a state of the grammar and the budget left |
| `greedy`, `beam` | the searches, for one query or a batch |
| `decode` | `decode`: either search, for a model of one's own |
| `result` | `Decoded`, and the errors of a search |
| `unconstrained` | `Unconstrained`: an automaton that permits every token |
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
from grammax.search.result import QueriesFailed as QueriesFailed
from grammax.search.result import SearchError as SearchError
from grammax.search.unconstrained import Unconstrained as Unconstrained
