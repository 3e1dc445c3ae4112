"""Logical forms: trees, text, tokens, types, and canonical forms.

| module | contents |
|---|---|
| `tree`, `operands`, `times` | the tree: constraints, their operands, and times |
| `text`, `reader`, `cursor` | text and tokens ↔ tree |
| `errors` | `LogicalFormError` and the checks that raise it |
| `typecheck`, `judgement` | type errors of a logical form |
| `canonical` | one form for all forms with the same meaning |
| `walk` | traversal without recursion |
| `follow_up` | a form edited by what was said next |
"""
