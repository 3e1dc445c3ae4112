"""The corpus of a table: generated pairs of an English query and its logical form.

The corpus depends only on a catalogue, a style and a seed: the same seed gives the same bytes. A
`CorpusStyle` holds everything specific to a table; a domain supplies it, or `default_style` derives
it from the schema.

| module | contents |
|---|---|
| `corpus` | pairs in splits without leaks, skeletons, files of JSON lines |
| `statistics` | lengths, constructs, unseen tokens, numbers of permitted tokens |
| `phraser` | a random query: a plan, put into a sentence or into telegraphic style |
| `planner` | draws plans: how many constraints, of which types, with which values and numbers |
| `plan` | the constraints of a query, and their logical form |
| `style`, `default` | `CorpusStyle`, and the default one for any schema |
| `frames` | sentences and their noun phrases: openings, questions, columns, ranks, orders |
| `realise` | words for enum constraints, one realiser per value type |
| `bounds` | words for comparisons of numbers |
| `numbers`, `times` | numbers and times as people write them |
| `lexicaliser` | selects the wordings of the catalogue that are used |
| `draw` | random draws by Zipf's law |
"""

from typing import Final

SPLITS: Final = ("train", "test", "unseen_values", "unseen_fields", "unseen_compositions")
"""The training set, then the test sets."""
