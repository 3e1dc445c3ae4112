"""Tokens, their kinds, and the order of rows, shared by the grammar and the output matrix.

| module | contents |
|---|---|
| `vocabulary` | `Vocabulary`: token ↔ id ↔ kind; ids are rows |
| `permitted` | `Permitted`: a set of kinds with its rows, as spans |
| `rows` | `Rows`: any set of rows, as spans or as ids |
| `layout` | `arrange`: an order of kinds that keeps the number of spans small |
"""

from grammax.vocabulary.permitted import Ids as Ids
from grammax.vocabulary.permitted import Permitted as Permitted
from grammax.vocabulary.permitted import Span as Span
from grammax.vocabulary.permitted import merge_spans as merge_spans
from grammax.vocabulary.rows import Rows as Rows
from grammax.vocabulary.vocabulary import NOTHING as NOTHING
from grammax.vocabulary.vocabulary import KindClasses as KindClasses
from grammax.vocabulary.vocabulary import Vocabulary as Vocabulary
