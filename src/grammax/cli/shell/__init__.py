"""`grammax shell`: queries in a conversation, from a terminal or a pipe.

| module | contents |
|---|---|
| `command` | the command: reads lines from a person or a pipe |
| `session` | handles each line: a query, a logical form or a command |
| `prompt` | Python's own prompt, and the choice between the two |
| `toolkit` | the prompt with prompt_toolkit: history, completion, editing |
| `forms` | completions of a partial logical form |
"""
