"""Interfaces of domains: the language, its optional capabilities, answers, and changes.

| module | contents |
|---|---|
| `domain` | `Domain`: vocabulary, grammars, pairs, and the comparison of logical forms |
| `capabilities` | `Updatable`, `Explainable`, `Connectable`: declared by subclassing |
| `answer` | `Answer`, `Column`, and the protocol `Answers` of a data store |
| `changes` | `NewValue` and `Changes`: values and fields added and removed after training |
| `changes_file`, `changes_table` | stored changes; a table of values to add |
| `pair_files` | which files of a folder have pairs, and which tokens |
"""
