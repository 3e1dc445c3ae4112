"""The paper's parser in PyTorch: words in, logical form out, trained under a grammar.

| file | what it does |
|---|---|
| `config`, `header` | sizes and choices, and what a file says of its network (no PyTorch) |
| `words`, `spelling`, `glove` | a query as words, and vectors for them (no PyTorch) |
| `encoder`, `attention`, `network` | the Bi-LSTM, Luong's attention, and both with the decoder |
| `rows` | the rows of the output layer: learnt, or composed from the words of names |
| `one_query`, `decoding` | the network as the `Decoder` and `BatchDecoder` of `grammax.search` |
| `examples`, `swaps`, `training` | pairs under a grammar, varied; epochs of batches of them |
| `checkpoint` | safetensors and JSON, written whole or not at all |
| `parser` | text → logical form with a trained network |

Training and the reference model are here; `grammax.runtime` decodes without PyTorch.
"""
