"""The base model: one network for every table, trained on the corpora of many drawn schemas.

| module | contents |
|---|---|
| `columns` | columns to draw from: the concepts of columns, and headers with values of public tables |
| `schemas` | draws tables: a noun, some columns, their values |
"""
