"""Questions about any table: random pairs by semantic class, for schemas without history.

Words and meaning are drawn together: each part of a question has its text and its part of the
logical form.

| module | contents |
|---|---|
| `phraser` | `QuestionPhraser`: a random question, in any of the forms of the other modules |
| `mix` | how often each kind of question is asked |
| `table` | `Table`: the columns of a catalogue with their words, by use |
| `parts` | parts of logical forms, in the order of `corpus.plan` |
| `rows` | the noun of the rows with its conditions |
| `values`, `amounts`, `dates` | conditions on named values, numbers and dates |
| `texts` | conditions on texts that are searched |
| `figures` | numbers that suit a column |
| `ranks` | superlatives and orders |
| `columns` | questions for columns, of some rows or of one |
| `totals`, `groups` | counts and aggregates; groups with their ranks and filters |
| `manner` | how people type: courtesy, capitals, missing articles, slips |
"""
