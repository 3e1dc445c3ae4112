"""Equity search, the paper's own domain, as a schema of `grammax.tables`.

| module | contents |
|---|---|
| `domain` | `load`: the domain |
| `schema`, `words` | types, units and English phrases; the wording of the corpus |
| `catalogue`, `listings` | 56,209 tokens with real names; larger catalogues for benchmarks |
| `accounts` | formulas of the fields that are computed from others |
| `paper` | the paper's automaton, built by hand |
| `added_values` | queries that name values added after training |
| `market/` | real equities with generated fundamentals, as a data store |
"""
