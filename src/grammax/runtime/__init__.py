"""The trained parser in NumPy: the weights and the choices of the PyTorch model, in real time.

| module | what it does |
|---|---|
| `lstm` | one step of an LSTM |
| `cache` | what is as large as the vocabulary: built once per model, then mapped |
| `head` | the output layer under a grammar: views of permitted rows, long spans in parts |
| `weights` | a checkpoint → arrays laid out for decoding |
| `changed` | the weights for a vocabulary that has changed since training |
| `inputs` | a query → the inputs of the encoder |
| `decoder` | `Decoder`: encoder, attention and state for one query |
| `batch` | `BatchDecoder`: the same for a batch of queries |
| `kernel` | the inner loops, compiled by Numba |
| `compiled` | decoder and head for one query, through the kernel |
| `observe` | decoders that record attention and times |
| `threads` | one BLAS thread while a query is decoded |
| `parser` | text → logical form |

Nothing here imports PyTorch; only `kernel` and `compiled` import Numba, if they are asked for.
"""
