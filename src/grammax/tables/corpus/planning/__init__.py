"""Draws plans of queries.

| module | contents |
|---|---|
| `planner` | a whole plan: its kind, its rank, its columns, its order |
| `values` | constraints of enum types |
| `comparisons` | comparisons of numbers, of two fields, of ratios, of changes, with zero |
| `summaries` | aggregates, groups, and ranks and filters of groups |
| `pools` | the fields, values and units that can be drawn |
"""
