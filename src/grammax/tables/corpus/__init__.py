"""The corpus of a table: generated pairs of an English query and its logical form.

The corpus depends only on a catalogue, a style and a seed: the same seed gives the same bytes. A
`CorpusStyle` holds everything specific to a table; a domain supplies it, or `default_style` derives
it from the schema.

| module | contents |
|---|---|
| `corpus` | pairs in splits without leaks, skeletons, files of JSON lines |
| `statistics` | lengths, constructs, unseen tokens, numbers of permitted tokens |
| `phraser` | a random query: a plan, put into words |
| `phrase` | a query with its logical form |
| `questions` | random questions about any table, by semantic class |
| `planning` | draws plans: which constraints, values, numbers, ranks and summaries |
| `plan` | the constraints of a query, and their logical form |
| `phrasing` | words for plans: sentences, questions, telegraphic style |
| `style`, `default`, `mix` | `CorpusStyle`, the default one, the frequencies of constructs |
| `realise`, `templates` | words for enum constraints, one realiser per value type |
| `numbers`, `notation`, `times` | numbers and times as people write them |
| `lexicaliser` | selects the wordings of the catalogue that are used |
| `draw` | random draws, with a note of the rules that were applied |
"""

from typing import Final

SPLITS: Final = ("train", "test", "unseen_values", "unseen_fields", "unseen_compositions")
"""The training set, then the test sets."""
