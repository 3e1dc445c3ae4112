"""Values that many tables have: places, months, genders, colours, languages, currencies.

`kinds` says what the values of a column are, and what else a value is called. The names are in
`countries.tsv`, `kinds.tsv` and, to recognise places, `places.tsv`. `measures` has the units that
numbers are measured in, and their conversion.
"""
