"""Grammar induction: a first grammar from pairs whose logical forms have brackets.

| module | contents |
|---|---|
| `trees` | parses logical forms, in prefix notation or as calls, to trees |
| `series` | tokens that belong together by their spelling: `c0` and `c1`, `texas:s` and `ohio:s` |
| `types` | infers types by unifying the fillers of each argument |
| `scopes` | which heads bind variables, and where these may be used |
| `merges` | pairs that alone make one type of two |
| `symbols` | how types and series stand in rules, in each scope |
| `rules` | writes the grammar of these types |
| `notation` | rules, kinds and names as text in lark's notation |
| `proposal` | the grammar of a folder, checked against every pair of every split |
"""

from grammax.folder.induce.proposal import Proposal as Proposal
from grammax.folder.induce.proposal import propose as propose
from grammax.folder.induce.rules import induce as induce
