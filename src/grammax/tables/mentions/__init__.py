"""Reading the numbers, counts, times and texts that a query mentions.

| module | contents |
|---|---|
| `reader` | `MentionReader`: a text → its mentions |
| `lexer` | a text → numerals, words and signs with their positions |
| `words` | the words of numbers, as data |
| `numerals`, `number_words` | numbers in digits, and in words |
| `units` | names, codes and signs of units |
| `quantities` | numbers with denomination, unit, percent and sign |
| `ranges` | what the two numbers of a range take from each other |
| `times` | years, quarters, months, days and periods |
| `texts` | texts that columns are searched for |
| `spans` | decades, centuries and the current period, of tables without history |
| `measured` | numbers with the unit of a column: "2 hours", "6'2"", "8500 m" |
| `typed` | a number or date as typed for one field → tokens |
"""
