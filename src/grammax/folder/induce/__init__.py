"""Pairs without a grammar → a grammar to begin with, for logical forms with brackets.

| module | what it does |
|---|---|
| `trees` | logical forms, in prefix notation or as calls → trees |
| `series` | tokens that belong together by their spelling: `c0` and `c1`, `texas:s` and `ohio:s` |
| `types` | trees → types, by unification of what was seen in the same argument |
| `notation` | rules, kinds and names as text in lark's notation |
| `rules` | types → the grammar |
| `proposal` | the grammar of a folder, checked against every pair of every split |
"""

from grammax.folder.induce.proposal import Proposal as Proposal
from grammax.folder.induce.proposal import propose as propose
from grammax.folder.induce.rules import induce as induce
