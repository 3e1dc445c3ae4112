"""The `grammax` command.

Each command is imported when it is called, so that the start is fast.

| module | contents |
|---|---|
| `main` | entry point: streams, bugs, missing packages |
| `app` | the list of commands, each loaded on demand |
| `errors`, `exit_codes` | errors that users can cause, their messages and exit codes |
| `options`, `named` | options that several commands share; the domain or data, and the query |
| `terminal`, `charts` | results on stdout, messages and progress on stderr, pictures |
| `loading` | loads the parser that the options select |
| `completion` | values that the system's shell completes |
| `ask/`, `shell/` | answers to queries in English, one by one or in a conversation |
| `parse/` | logical forms of one query or of a file of them |
| `grammar/`, `folder`, `catalogue` | grammars and domains of one's own, changes of a vocabulary |
| `teach` | other words for a table of one's own |
| `train/`, `evaluate/`, `bench/` | training, accuracy, and speed of models |
| `serve` | the HTTP service |
| `eqs/` | logical forms of the domain eqs, without the neural parser |
"""
