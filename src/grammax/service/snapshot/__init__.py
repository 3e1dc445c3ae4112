"""The served state: one version of a parser with its store and names, replaced as a whole.

| module           | what it holds                                                              |
|------------------|----------------------------------------------------------------------------|
| `snapshot`       | `Snapshot`: a parser, its domain, an open store, the names for completion  |
| `live_catalogue` | `LiveCatalogue`: the snapshot in use, and the file of catalogue changes    |
| `slots`          | `EditableSlots`: the tokens of a logical form that can be replaced         |
"""
