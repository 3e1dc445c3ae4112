"""Greedy search, beam search and sampling, by any model that predicts token by token.

Every result is a complete, non-empty sentence of the grammar within the budget. A sentence ends
where nothing may follow; where it may end or continue, the head's row for the end decides (see
`grammax.head.protocol`). This package does not import PyTorch.

| module | contents |
|---|---|
| `decode` | `decode`, `decode_batch`: all searches, for a model of one's own |
| `scorer` | `Scorer`: the interface of such a model; `WithHead`: a decoder and a head as one |
| `scores` | `ListedScores`: scores given as an array |
| `sampling` | `Sampling`: temperature, top-p, the number of samples |
| `training` | `training_steps`: the choices of a target, for a loss under a grammar |
| `protocol` | `Decoder`, `BatchDecoder`: the interfaces of a model that has its head apart |
| `state`, `constrained` | a state of a grammar and the budget left: over words, over sub-words |
| `greedy`, `beam` | the searches, for one query or a batch |
| `result` | `Decoded`, and the errors of a search |
| `unconstrained` | `Unconstrained`: an automaton that permits every token |
"""

from grammax.search.beam import beam as beam
from grammax.search.beam import beam_batch as beam_batch
from grammax.search.decode import decode as decode
from grammax.search.decode import decode_batch as decode_batch
from grammax.search.greedy import greedy as greedy
from grammax.search.greedy import greedy_batch as greedy_batch
from grammax.search.protocol import BatchDecoder as BatchDecoder
from grammax.search.protocol import Decoder as Decoder
from grammax.search.protocol import OneByOne as OneByOne
from grammax.search.result import BudgetTooShort as BudgetTooShort
from grammax.search.result import Decoded as Decoded
from grammax.search.result import NoScore as NoScore
from grammax.search.result import NotCompiled as NotCompiled
from grammax.search.result import QueriesFailed as QueriesFailed
from grammax.search.result import SearchError as SearchError
from grammax.search.sampling import Sampling as Sampling
from grammax.search.scorer import Scorer as Scorer
from grammax.search.scorer import WithHead as WithHead
from grammax.search.scores import ListedScores as ListedScores
from grammax.search.training import TrainingStep as TrainingStep
from grammax.search.training import UngrammaticalTarget as UngrammaticalTarget
from grammax.search.training import training_steps as training_steps
from grammax.search.unconstrained import Unconstrained as Unconstrained
