"""The corpus of a table: generated pairs of an English query and its logical form.

A catalogue and a seed decide everything: the same seed gives the same bytes. What a table is about
comes in as a `CorpusStyle`, which its schema supplies or `default_style` derives.

| module | contents |
|---|---|
| `corpus` | pairs in splits without leaks, skeletons, files of JSON lines |
| `statistics` | lengths, constructs, unseen tokens, what grammars permit |
| `phraser` | a random query: a plan, put into a sentence or into telegraphic style |
| `planner` | draws plans: how many constraints, of which types, with which values and numbers |
| `plan` | the constraints of a query, and their logical form |
| `style`, `default` | what a schema supplies, and what follows from a schema alone |
| `frames` | sentences: openings, questions, columns, ranks, orders |
| `nouns` | the noun phrase: what stands before and after the noun |
| `realise` | words for enum constraints, one realiser per value type |
| `bounds` | words for comparisons of numbers |
| `numbers`, `times` | numbers and times as people write them |
| `lexicaliser` | which wordings of the catalogue are used, and whose they are |
| `draw` | Zipf's law |
"""
