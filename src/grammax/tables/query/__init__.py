"""A logical form → a query on a data store → an answer, for any schema.

`translate` turns a form into an Ibis expression over a `Scan`, which a `Source` gives: it knows
where the values of fields lie. A `Store` puts a source and a runner together and answers.

| module | contents |
|---|---|
| `source` | the protocols `Source` and `Scan`, and what all sources share |
| `plain` | a source of plain columns, without times |
| `moments`, `formulas`, `quarterly` | a source of quarterly series: times, formulas, tables |
| `translate` | logical form → Ibis expression |
| `run` | URL → connection; running a query read-only and within a time limit |
| `answer` | rows of a store → labelled columns and cells |
| `store` | `Store` and `StoreAnswers` |
| `mapping`, `mapped` | the mapping file of the user's own tables, and the store that it describes |
"""
