"""A logical form and one change of it become another logical form.

In: the tokens of a form, and a column, a condition, a number as people write it, a position, or
what was said next. Out: tokens that the exact grammar accepts and that are well typed; otherwise
`BadEdit` says what is permitted. Every new token comes from the change, but AND, OR and NOT.

| module | contents |
|---|---|
| `changes` | a column or a condition is added, a number is replaced, a part is removed |
| `numbers` | where the numbers and times of a form stand, and how they are written |
| `said` | follow-ups: "now french", "only above 1bn", "remove the sector" |
| `orders` | "lowest first", "top 5", "make it 20", "sort by price" |
| `removal` | "remove the sector", "any country": what a follow-up takes away |
| `yes_no` | "in color only": a column of yes and no |
| `validity` | whether a form is accepted and well typed, and if not, why |
"""
