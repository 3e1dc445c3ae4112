"""`grammax grammar`: tools for grammars of one's own.

| module | contents |
|---|---|
| `commands` | check, sample, next, draw and compare |
| `induce` | induce: a first grammar from pairs |
| `comparison` | what each automaton of a grammar permits and costs |
| `reports` | the results, as JSON and as tables |
| `notation` | grammars and tokens as they are given on the command line |
"""
