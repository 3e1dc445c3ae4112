"""A schema and its catalogue as a domain.

| module | of the domain |
|---|---|
| `parts` | `DomainParts`, the optional parts beside the catalogue |
| `base` | the catalogue and its vocabulary, which the others share |
| `filled` | what a query must mention, and what it fills |
| `explained` | forms in English, chips, completions, the dictionary |
| `changing` | fields and values that come and go |
| `domain` | `TableDomain`: all of these, with grammars, corpus, training and answers |
"""

from grammax.tables.domain.domain import TableDomain
from grammax.tables.domain.parts import DomainParts

__all__ = ["DomainParts", "TableDomain"]
