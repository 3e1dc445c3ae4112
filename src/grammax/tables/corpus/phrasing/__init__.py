"""Puts plans into words.

| module | contents |
|---|---|
| `sentences` | sentences, questions and noun phrases |
| `keywords` | telegraphic style, with parts in any order |
| `rows` | the noun of the rows, with everything before and after it |
| `clauses` | words for comparisons: after the noun, and alone |
| `ranges` | ranges in every spelling |
| `signs` | comparisons with zero, and what stands before the noun |
| `ratios` | words for ratios and changes |
| `ranks` | superlatives, adjectives with a direction, and orders |
| `summaries` | aggregates and groups |
| `measures` | nouns for fields, with their times |
| `courtesy` | words that mean nothing |
"""
