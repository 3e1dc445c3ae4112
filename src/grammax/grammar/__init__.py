"""Grammars: read from text or Python values, checked, analysed, and sampled.

| module | contents |
|---|---|
| `grammar` | `Grammar`: rules over disjoint kinds, checked and trimmed |
| `notation`, `imports` | text in lark's notation, and what it imports → a draft |
| `gbnf` | text in GBNF, the notation of llama.cpp and xgrammar → a draft |
| `expressions`, `draft` | right-hand sides and definitions as values |
| `expand` | repetitions, options, groups and templates → plain rules |
| `kinds` | kinds and their tokens; kinds that overlap are split |
| `patterns` | terminals by pattern: the tokens of a vocabulary that match |
| `check` | errors and warnings about a grammar |
| `productions` | the rules in numbers, with nullable and first sets and shortest sentences |
| `written` | a grammar as text, in lark's notation or GBNF, for other engines too |
| `sample` | sentences, drawn at random or enumerated |
"""

from grammax.grammar.expand import Rule as Rule
from grammax.grammar.expressions import either as either
from grammax.grammar.expressions import many as many
from grammax.grammar.expressions import optional as optional
from grammax.grammar.expressions import some as some
from grammax.grammar.expressions import token as token
from grammax.grammar.grammar import Grammar as Grammar
from grammax.grammar.kinds import read_tokens as read_tokens
from grammax.grammar.kinds import split_kinds as split_kinds
from grammax.grammar.productions import Productions as Productions
from grammax.grammar.sample import Sampler as Sampler
from grammax.grammar.sample import sentences as sentences
