"""From data to a description: what a file, a folder or a database holds.

`inspection.inspect(source, table)` opens the data read-only, counts its columns, infers their
classes, keys and references, and returns a `TableDescription`. `schema_file` writes it as
`schema.toml`, reads it back, and merges a person's changes into a new inspection.

| module | contents |
|---|---|
| `description` | `TableDescription` and its parts |
| `inspection` | `inspect`, `inspect_data`, `report` |
| `schema_file` | `write_schema`, `read_schema`, `merge` |
| `source` | `open_data`: a path or URL → connection, tables, runner; passwords are not shown |
| `csv_files` | encoding, separator, header and types of CSV files |
| `readings`, `dates` | texts that are numbers, dates or booleans |
| `profile/` | facts of columns: counted here, as rows pass by, or by the store |
| `concepts`, `words` | what names of columns are about; `concepts.tsv` |
| `classify`, `scales` | semantic class, unit, role and more of a column |
| `naming`, `tokens` | labels, names and tokens that do not clash |
| `links` | keys, foreign keys, and the wide view |
"""
