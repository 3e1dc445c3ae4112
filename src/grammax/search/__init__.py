"""A decoder, a head and an automaton → sentences: greedy or beam, for any of the three.

Every result is a complete sentence of the grammar within the budget, and not the empty one. A
sentence ends where nothing may follow; where it may end or go on, the head's end row decides (see
`grammax.head.protocol`). Nothing here imports PyTorch.
"""

from grammax.search.beam import beam as beam
from grammax.search.beam import beam_many as beam_many
from grammax.search.errors import BudgetTooShort as BudgetTooShort
from grammax.search.errors import NoScore as NoScore
from grammax.search.errors import SearchError as SearchError
from grammax.search.greedy import greedy as greedy
from grammax.search.greedy import greedy_many as greedy_many
from grammax.search.protocol import BatchDecoder as BatchDecoder
from grammax.search.protocol import Decoder as Decoder
from grammax.search.protocol import OneByOne as OneByOne
from grammax.search.result import Decoded as Decoded
from grammax.search.unconstrained import Unconstrained as Unconstrained
