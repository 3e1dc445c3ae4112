"""Answering logical forms: a form is translated to a query on data, for any schema.

The meaning of a form is written once, in the operations of an `Engine`: `tables.sql` makes Ibis
expressions of it, for any store that Ibis supports, and `tables.memory` computes with arrays.

| module | contents |
|---|---|
| `engine` | the protocol `Engine` |
| `source` | the protocols `Source`, `Scan` and `Runner`, and a scan of columns without times |
| `moments`, `formulas`, `quarterly` | quarterly series: times, formulas, their scan |
| `periods` | dates and periods as numbers of days |
| `spellings` | what a store writes for values |
| `columns`, `conditions` | the columns of a query, and conditions on its rows |
| `translate`, `summary` | logical form → query, of rows or of groups |
| `answer`, `notes` | rows of a store → labelled columns and cells, and sentences about them |
| `store` | `Store` |
"""
