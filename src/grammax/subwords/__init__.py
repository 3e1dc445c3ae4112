"""Grammars over the tokens of a language model, which are pieces of words.

| module | contents |
|---|---|
| `protocol` | `Constraint`: what a decoder asks of a grammar over sub-words |
"""

from grammax.subwords.protocol import Constraint as Constraint
