"""Search over a table: a schema and a catalogue of names give a complete domain.

The package derives the grammar of queries, their English, a training corpus and the answers from
the schema. It does not depend on what the table is about.

| module | contents |
|---|---|
| `schema` | `Schema`: the entity, the types of fields, units, and English templates |
| `domain` | `TableDomain`: a schema and its catalogue as a domain |
| `lexicon`, `grammar`, `automata` | tokens by type, the grammars over them, and their automata |
| `semantics` | semantic classes of columns: money, date, place ... |
| `known_values/` | countries, months, genders ...: what values are, and their other names |
| `inspect/` | a file, a folder or a database → its description, `schema.toml` |
| `own/` | a table of one's own as a domain |
| `phrases/` | words that were taught to stand for a condition |
| `teach/` | other words for a table, as lines of its `schema.toml` |
| `toml` | TOML files that are edited in place |
| `parts` | the parts of a logical form that augmentation recombines |
| `catalogue/` | fields and values with their names; changes and look-up |
| `form/` | logical forms: tree, text, types |
| `mentions/` | the numbers, counts and times that a query mentions |
| `english/` | logical forms in English, and completions of queries |
| `corpus/` | generated training and test pairs |
| `query/` | logical form → Ibis expression → answer |
| `answers/` | what a store answers: forms as tokens, one row, distributions |
"""
