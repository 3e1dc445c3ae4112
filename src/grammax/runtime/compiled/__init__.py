"""Decoding in compiled code, with Numba: one call per query instead of a few per token.

The functions marked `compiled` see only arrays. Python prepares them, calls once, and reads the
result; where the arrays lack something (a state of the automaton that no query has visited yet),
the call returns, Python fills it in, and the call continues where it stopped.

| module | contents |
|---|---|
| `compile` | `compiled`: how functions are compiled, and where the code is stored |
| `stored` | whether the code is there, and intact |
| `arithmetic` | products of vectors and matrices in single or half precision, tanh, exp |
| `network` | the network: encoder, one step of the decoder, attention, the output layer |
| `intrinsics` | operations that Numba lacks |
| `arrays` | the weights of a model as the compiled functions read them |
| `inputs` | the inputs of encoder and decoder, stored by word, name and token |
| `grounding` | the restriction of a grammar to what a query makes available |
| `batch` | what searches are given: a model, queries, sentences in progress |
| `room` | the arrays of a search, which later ones use again |
| `members` | a sentence in progress: its candidates, its next token |
| `greedy`, `beam` | the searches |
| `search` | `CompiledSearch`: prepares a query, calls a search, reads its result |

Nothing outside `runtime` imports this package, because Numba takes a third of a second to load.
"""

from grammax.runtime.compiled.search import CompiledSearch as CompiledSearch
