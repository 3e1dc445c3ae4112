"""The trained parser in NumPy: the same weights and choices as the PyTorch model, in real time.

| file | what it does |
|---|---|
| `weights` | a checkpoint → arrays laid out for decoding |
| `recurrence` | one step of an LSTM |
| `decoder` | `Decoder` for one query: encoder, attention and state in as few products as can be |
| `spans` | the output layer under a grammar: views of the matrix, no copies |
| `parser` | text → logical form |

Nothing here imports PyTorch.
"""
