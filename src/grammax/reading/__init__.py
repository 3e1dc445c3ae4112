"""Reading a query: its words, the names of tokens in it, and the search for its logical form.

| module | contents |
|---|---|
| `words` | a text → words, and the words that a model knows |
| `spelling` | hash embeddings of words and of names |
| `normal` | variants of a name → one form |
| `phrase_table` | phrases and their tokens as a hash table in arrays |
| `name_index` | phrases → the tokens that they name |
| `english` | ordinary words and function words |
| `support` | which names of a query are meant as names |
| `names` | the names of all tokens of a domain, and features of words |
| `new_names` | what can be a name of a new token, and the words of its spelling |
| `mentioned` | numbers, counts and times as one word each |
| `grounds` | the tokens that a query makes available |
| `typos` | unknown words → the words that were meant |
| `reader` | a text → `Query` |
| `coverage` | the names of a query that the logical form already contains |
| `parse` | a query → logical forms, with any decoder, head and grammar |

Training, the PyTorch model and the runtime share it. It does not import PyTorch.
"""
