"""Grammars over the tokens of a language model, which are pieces of words.

A trie of the spellings of all names serves every state of every automaton: its nodes know the kinds
of the names below them, and a child is permitted where those meet what the automaton permits.

| module | contents |
|---|---|
| `protocol` | `Constraint`: what a decoder asks of a grammar over sub-words |
| `build` | `constraint`: from an automaton and a tokenizer |
| `constraint` | `SubwordConstraint`, its states and steps |
| `tokenizer` | `Subwords`: one view of the tokenizers of several libraries |
| `spelling` | names in the ids of a tokenizer, or in bytes; whether the former are those of texts |
| `walks` | texts of a grammar to check that with |
| `trie`, `names` | a persistent trie; a vocabulary as one |
| `reading` | from readings of a text to readings, symbol by symbol |
| `choices`, `bytewise` | the rows that may come next, canonical and in bytes |
| `token_bytes` | the tokens of a language model in the order of their bytes |
| `completion` | how a text can be completed, and in how many tokens |
| `matchers` | constraints of the matchers of xgrammar and llguidance |
| `errors` | `TokenizerError`, `SubwordNotPermitted` |
"""

from grammax.subwords.build import constraint as constraint
from grammax.subwords.constraint import SubwordConstraint as SubwordConstraint
from grammax.subwords.constraint import SubwordState as SubwordState
from grammax.subwords.errors import SubwordNotPermitted as SubwordNotPermitted
from grammax.subwords.errors import TokenizerError as TokenizerError
from grammax.subwords.matchers import MatcherConstraint as MatcherConstraint
from grammax.subwords.matchers import MatcherError as MatcherError
from grammax.subwords.matchers import from_llguidance as from_llguidance
from grammax.subwords.matchers import from_xgrammar as from_xgrammar
from grammax.subwords.protocol import Constraint as Constraint
from grammax.subwords.spelling import NotCanonical as NotCanonical
from grammax.subwords.tokenizer import Subwords as Subwords
from grammax.subwords.tokenizer import subwords as subwords
