"""Neural parsing that is always grammatical: only the rows that a grammar permits are read."""

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

__version__ = "0.1.0"
