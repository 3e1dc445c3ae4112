"""The trained parser in NumPy: it makes the same choices as the PyTorch model, but faster.

| module | contents |
|---|---|
| `lstm` | one step of an LSTM |
| `cache` | arrays as large as the vocabulary: built once per model, then mapped |
| `head` | the output layer under a grammar: views of permitted rows, long spans in parts |
| `weights` | the arrays of a checkpoint, laid out for decoding |
| `changed` | the weights for a vocabulary that has changed since training |
| `inputs` | the encoder's inputs for a query |
| `decoder` | `Decoder`: encoder, attention and state for one query |
| `batch` | `BatchDecoder`: the same for a batch of queries |
| `states`, `grounding` | the states of an automaton and the rules of its grammar as arrays |
| `compiled` | the same searches in compiled code, one call per query |
| `device` | batches in PyTorch, on an accelerator |
| `observe` | decoders that record attention and times |
| `threads` | one BLAS thread while a query is decoded |
| `background` | a thread that ends when the program does |
| `parser` | `RuntimeParser`: parses text |

This package does not import PyTorch, except in `device`, which is imported where a device is asked
for. Only `compiled` imports Numba, on demand.
"""
