"""The paper's parser in PyTorch: the words of a query in, a logical form out.

| module | contents |
|---|---|
| `config`, `header` | sizes and choices, and the header of a model file (no PyTorch) |
| `encoder`, `attention`, `network` | the Bi-LSTM, Luong's attention, and both with the decoder |
| `choices` | what competes at the steps of a batch, as arrays (no PyTorch) |
| `rows` | the rows of the output layer: learnt, or composed from the names of tokens |
| `decoding` | the network as the `Decoder` and `BatchDecoder` of `grammax.search` |
| `glove` | word vectors to start a training from (no PyTorch) |
| `graphs` | work that a GPU records once and repeats |
| `checkpoint` | networks in files: safetensors and JSON |
| `parser` | text → logical form with a trained network |

This is the network that `grammax.training` trains, and the reference for `grammax.runtime`, which
decodes without PyTorch.
"""
