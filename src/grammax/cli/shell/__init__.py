"""`grammax shell`: queries in a conversation, from a terminal or a pipe.

| module | contents |
|---|---|
| `command` | the command: reads lines from a person or a pipe |
| `session` | what each line does: a query, a logical form or a command |
| `prompt` | the prompt of Python's own, and the choice between the two |
| `toolkit` | the prompt by prompt_toolkit: history, completion, editing |
| `forms` | how the beginning of a logical form may continue |
"""
