"""Answering logical forms: a form is translated to a query on a data store, for any schema.

`translate` turns a form into an Ibis expression over a `Scan`. The scan comes from a `Source`,
which knows where the values of fields are stored. A `Store` combines a source and a runner.

| module | contents |
|---|---|
| `source` | the protocols `Source` and `Scan`, and code that all sources share |
| `plain` | a source of plain columns, without times |
| `moments`, `formulas`, `quarterly` | a source of quarterly series: times, formulas, tables |
| `conditions` | the columns of a query, and conditions on its rows |
| `translate`, `summary` | logical form → Ibis expression, of rows or of groups |
| `run` | connections, and runners that run a query read-only and within a time limit |
| `answer`, `notes` | rows of a store → labelled columns and cells, and sentences about them |
| `store` | `Store` and `StoreAnswers` |
| `mapping`, `mapped` | the mapping file of the user's own tables, and the store that it describes |
"""
