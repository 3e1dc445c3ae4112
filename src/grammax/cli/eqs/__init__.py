"""`grammax eqs`: equity search without the neural parser.

`commands` read, check and run logical forms, generate the corpus, and look up names; `reports`
holds their results, as JSON and as tables.
"""
