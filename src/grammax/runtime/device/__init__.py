"""Decoding of large batches in PyTorch, on an accelerator: the choices are those on the CPU.

Nothing imports this package except where a device is asked for, because it imports PyTorch. All
tensors of a search live on the device; the host prepares the queries, asks now and then whether all
sentences have ended, and reads the result.

| module | contents |
|---|---|
| `words` | `WordTable`: the encoder's inputs of words, computed once and stored on the device |
| `prepare` | queries → the arrays that are sent to the device |
| `network` | `DeviceNetwork`: encoder, decoder, attention and rows of the output layer |
| `automaton` | `DeviceAutomaton`: the states of the automaton that are known, as tables |
| `grounding` | what the tokens that a query makes available leave of the grammar |
| `members` | `Members`: the sentences in progress, what may come next, what a token changes |
| `candidates` | `Model`: all of these; what may be chosen for each query of a batch |
| `greedy` | `Greedy`: one batch, from its words to its sentences |
| `fused` | the same in a few kernels, where Triton is installed |
| `search` | `DeviceSearch`: any number of queries; what the tables lack is decoded on the CPU |
"""

from grammax.runtime.device.search import DeviceSearch as DeviceSearch
