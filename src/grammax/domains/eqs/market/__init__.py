"""The market: real equities with generated fundamentals, as a DuckDB file and as a `Store`.

| module | contents |
|---|---|
| `equities` | the real equities, read from the package's data |
| `noise`, `rates`, `sectors` | seeded noise, exchange rates, profiles of sectors |
| `anchors`, `fields`, `book`, `statements`, `trading`, `companies` | the model |
| `build` | equities → the tables of a market |
| `file` | the file, built on first use |
| `store` | `open_market`, `connect_market` |
"""
