"""The `grammax` command.

Commands are loaded when they are called, so a start pays only for what it uses.

| module | contents |
|---|---|
| `main` | entry point: streams, bugs, missing packages |
| `app` | the list of commands, each loaded on demand |
| `errors`, `exit_codes` | which errors users can cause, and what scripts see of them |
| `options` | options that several commands share |
| `terminal`, `charts` | results on stdout, messages and progress on stderr, pictures |
| `loading` | a parser, as the options choose it |
| `completion` | values that the system's shell completes |
| `ask/`, `shell/` | answers to queries in English, one by one or in a conversation |
| `parse/` | logical forms of one query or of a file of them |
| `grammar/`, `folder`, `catalogue` | grammars and domains of one's own, changes of a vocabulary |
| `train/`, `evaluate/`, `bench/` | models: made, measured, and timed |
| `serve` | the HTTP service |
| `eqs/` | logical forms of the domain eqs, without the neural parser |
"""
