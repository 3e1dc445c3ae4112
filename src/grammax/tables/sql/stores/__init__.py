"""What each store does in its own way: connecting, functions, time limits, interruption.

| module | contents |
|---|---|
| `functions` | operations that a store has under another name, or lacks |
| `compile` | expressions → the store's SQL; what it cannot express is said before anything runs |
| `duck`, `sqlite`, `postgres`, `clickhouse`, `spark`, `other` | opening one, and its runner |
"""
