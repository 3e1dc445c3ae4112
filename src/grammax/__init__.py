"""Neural parsing that is always grammatical: only the rows that a grammar permits are multiplied.

| names | for |
|---|---|
| `load`, `Parser`, `Parsed`, `NewValue` | parsing queries with a trained model |
| `Grammar`, `Machine`, `Vocabulary`, `Permitted` | a language: its rules, its tokens |
| `exact`, `lr`, `glr`, `superset`, `unrolled`, `earley`, `Automaton` | what may come next |
| `decode`, `decode_batch`, `Sampling`, `Scorer` | decoding by a model of one's own |
| `OutputLayer`, `rows_in_order`, the heads `EveryRow` ... `Spans` | its output layer |
| `training_steps` | its loss under a grammar |
| `Schema` | a table of one's own |
| `GrammaxError` and its subclasses | errors |

Everything else is in the subpackages.
"""

import typing as _typing

if _typing.TYPE_CHECKING:
    from grammax.automaton import Automaton as Automaton
    from grammax.automaton import Machine as Machine
    from grammax.automaton.compile import earley as earley
    from grammax.automaton.compile import exact as exact
    from grammax.automaton.compile import glr as glr
    from grammax.automaton.compile import lr as lr
    from grammax.automaton.compile import superset as superset
    from grammax.automaton.compile import unrolled as unrolled
    from grammax.errors import ConflictError as ConflictError
    from grammax.errors import FileFormatError as FileFormatError
    from grammax.errors import GrammarError as GrammarError
    from grammax.errors import GrammaxError as GrammaxError
    from grammax.errors import TokenNotPermitted as TokenNotPermitted
    from grammax.errors import UnknownToken as UnknownToken
    from grammax.errors import VocabularyError as VocabularyError
    from grammax.grammar import Grammar as Grammar
    from grammax.head.cached_rows import CachedRows as CachedRows
    from grammax.head.every_row import EveryRow as EveryRow
    from grammax.head.gathered_rows import GatheredRows as GatheredRows
    from grammax.head.layer import OutputLayer as OutputLayer
    from grammax.head.masked_rows import MaskedRows as MaskedRows
    from grammax.head.own_order import rows_in_order as rows_in_order
    from grammax.head.spans import Spans as Spans
    from grammax.language.changes import ChangesRefused as ChangesRefused
    from grammax.language.changes import NewValue as NewValue
    from grammax.parser import Parsed as Parsed
    from grammax.parser import Parser as Parser
    from grammax.parser import load as load
    from grammax.search.decode import decode as decode
    from grammax.search.decode import decode_batch as decode_batch
    from grammax.search.sampling import Sampling as Sampling
    from grammax.search.scorer import Scorer as Scorer
    from grammax.search.training import training_steps as training_steps
    from grammax.tables.schema import Schema as Schema
    from grammax.vocabulary import Permitted as Permitted
    from grammax.vocabulary import Vocabulary as Vocabulary

__version__ = "0.2.0.dev0"

_LAZY = {
    "Automaton": "grammax.automaton",
    "CachedRows": "grammax.head.cached_rows",
    "ChangesRefused": "grammax.language.changes",
    "ConflictError": "grammax.errors",
    "EveryRow": "grammax.head.every_row",
    "FileFormatError": "grammax.errors",
    "GatheredRows": "grammax.head.gathered_rows",
    "Grammar": "grammax.grammar",
    "GrammarError": "grammax.errors",
    "GrammaxError": "grammax.errors",
    "Machine": "grammax.automaton",
    "MaskedRows": "grammax.head.masked_rows",
    "NewValue": "grammax.language.changes",
    "OutputLayer": "grammax.head.layer",
    "Parsed": "grammax.parser",
    "Parser": "grammax.parser",
    "Permitted": "grammax.vocabulary",
    "Sampling": "grammax.search.sampling",
    "Schema": "grammax.tables.schema",
    "Scorer": "grammax.search.scorer",
    "Spans": "grammax.head.spans",
    "TokenNotPermitted": "grammax.errors",
    "UnknownToken": "grammax.errors",
    "Vocabulary": "grammax.vocabulary",
    "VocabularyError": "grammax.errors",
    "decode": "grammax.search.decode",
    "decode_batch": "grammax.search.decode",
    "earley": "grammax.automaton.compile",
    "exact": "grammax.automaton.compile",
    "glr": "grammax.automaton.compile",
    "load": "grammax.parser",
    "lr": "grammax.automaton.compile",
    "rows_in_order": "grammax.head.own_order",
    "superset": "grammax.automaton.compile",
    "training_steps": "grammax.search.training",
    "unrolled": "grammax.automaton.compile",
}


def __getattr__(name: str) -> object:
    """Import a name on first use: a program needs few of them, and some take a while."""
    if name in _LAZY:
        from importlib import import_module

        found = globals()[name] = getattr(import_module(_LAZY[name]), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted((*globals(), *_LAZY))
