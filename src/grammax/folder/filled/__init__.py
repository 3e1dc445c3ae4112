"""Kinds that a query fills: its numbers, dates and texts as tokens of logical forms.

| module | contents |
|---|---|
| `numbers` | the numbers and dates of a query |
| `texts` | what is quoted in it, and its words |
| `mentions` | `MentionReader`: all of them, with the slots that they fill |
| `forms` | `FilledForms`: logical forms with slots in place of them, and back |
| `problems` | pairs whose forms have what their query does not mention |
"""
