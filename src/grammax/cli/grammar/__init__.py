"""`grammax grammar`: tools for grammars of one's own.

| module | contents |
|---|---|
| `commands` | check, sample, next, draw and compare |
| `induce` | induce: a first grammar from pairs |
| `comparison` | permitted tokens and speed of each automaton of a grammar |
| `reports` | the results, as JSON and as tables |
| `notation` | reads grammars and tokens from the command line |
"""
