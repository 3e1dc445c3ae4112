"""The trained parser in NumPy: the same weights and choices as the PyTorch model, in real time.

| file | what it does |
|---|---|
| `prepared` | what is made of a checkpoint once: the output layer, the index of names |
| `weights` | a checkpoint → arrays laid out for decoding |
| `inputs` | a query → what the encoder reads |
| `recurrence` | one step of an LSTM |
| `decoder` | `Decoder` for one query: encoder, attention and state in as few products as can be |
| `many` | `BatchDecoder` for many queries side by side |
| `watched` | a decoder whose attention and times are noted |
| `spans` | the output layer under a grammar: views of the matrix, no copies |
| `parts` | long spans through what composed rows are made of |
| `kernel` | the inner loops of both, compiled by Numba |
| `halves` | weights in half precision, where that is exact |
| `compiled` | `Decoder` for one query through the kernel |
| `compiled_spans` | the output layer under a grammar through the kernel |
| `parser` | text → logical form |

Nothing here imports PyTorch, and Numba is imported by the last four alone, if they are asked for.
"""
