"""The catalogue of a table: its fields, enum values and units, with their names and aliases.

| module | contents |
|---|---|
| `catalogue` | `Catalogue`: entries by token, in order of commonness |
| `entries` | `Field` and `Value` |
| `lines`, `file` | entries as lines, decoded on demand; the catalogue's file |
| `changes` | checks values and fields to add or remove |
| `find`, `keys` | look-up by name, tolerant of spelling |
"""
