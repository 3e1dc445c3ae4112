"""Neural parsing that is always grammatical: only the rows that a grammar permits are read."""

import typing as _typing

from grammax.automaton import Automaton as Automaton
from grammax.automaton import Dfa as Dfa
from grammax.automaton import Machine as Machine
from grammax.automaton import load_automaton as load_automaton
from grammax.automaton import save_automaton as save_automaton
from grammax.automaton.compile import earley as earley
from grammax.automaton.compile import finite as finite
from grammax.automaton.compile import lr as lr
from grammax.automaton.compile import superset as superset
from grammax.automaton.compile import unrolled as unrolled
from grammax.errors import GrammaxError as GrammaxError
from grammax.grammar import Grammar as Grammar
from grammax.grammar import Sampler as Sampler
from grammax.vocabulary import Permitted as Permitted
from grammax.vocabulary import Vocabulary as Vocabulary

if _typing.TYPE_CHECKING:
    from grammax.language.changes import NewValue as NewValue
    from grammax.parser import Parsed as Parsed
    from grammax.parser import Parser as Parser
    from grammax.parser import load as load

__version__ = "0.1.0"

_PARSING = {
    "NewValue": "grammax.language.changes",
    "Parsed": "grammax.parser",
    "Parser": "grammax.parser",
    "load": "grammax.parser",
}


def __getattr__(name: str) -> object:
    """Parsing is imported when it is first used: who compiles grammars need not wait for it."""
    if name in _PARSING:
        from importlib import import_module

        return getattr(import_module(_PARSING[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted((*globals(), *_PARSING))
