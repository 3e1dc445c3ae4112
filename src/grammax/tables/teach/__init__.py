"""Teaching a table: each thing taught becomes a line of its folder, and is used at once.

| module | contents |
|---|---|
| `lesson` | `Lesson`: what was written where; `TaughtFolder`: a folder that is being changed |
| `words` | names of columns, values and rows, phrases, classes and units |
| `pairs` | queries with their logical forms, for the next training |
| `forget` | what was taught, and how to forget it |
| `offers` | what a correction of a reading teaches |

Words are kept in `schema.toml`, in sections that people may edit as well; pairs in `pairs.jsonl`.
Writers are locked, and readers see a file before or after a change.
"""
