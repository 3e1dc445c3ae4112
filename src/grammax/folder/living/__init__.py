"""Tables of tokens, and names that come and go without training.

| module | contents |
|---|---|
| `spelling` | how the tokens of a kind are spelt, so that a name becomes one more |
| `listed` | the tokens as the files have them, and which kinds can grow |
| `tokens` | `FolderTokens`: the tokens with changes, which are checked |
| `tables` | reads tables of tokens |
| `table_problems` | columns that nothing reads, and names that two tokens have |
| `domain` | `LivingFolder`: a domain over such tokens |
"""
