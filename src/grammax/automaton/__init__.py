"""Rules → `next_tokens` and `pass_token`: five ways, one interface.

| way | exact | grammars | cost of a step |
|---|---|---|---|
| `superset` | no: looser | any | one look-up |
| `unrolled` | to a depth | any | one look-up, once its state was made |
| `lr` | yes | LR(1) | one look-up, once its stack was seen |
| `earley` | yes | any | grows with the prefix |
| `finite` | what was built by hand | none | one look-up |

| module | what it has |
|---|---|
| `protocol` | `Automaton`, in tokens; `Engine` and `State`, in kinds |
| `bound` | `BoundAutomaton`: an engine and a vocabulary |
| `compile` | the five ways |
| `walk` | tokens through an automaton, step by step |
| `named` | `NamedOnly`: tokens that a query must name |
| `explain` | why a token may or may not come next |
| `draw`, `save` | pictures and files |
| `earley`, `lr/`, `finite/` | engines |
| `networks/` | the engines of `superset` and `unrolled` |
"""

from grammax.automaton.bound import BoundAutomaton as BoundAutomaton
from grammax.automaton.compile import bind as bind
from grammax.automaton.explain import Explanation as Explanation
from grammax.automaton.finite.dfa import Dfa as Dfa
from grammax.automaton.finite.machines import Machine as Machine
from grammax.automaton.protocol import Automaton as Automaton
from grammax.automaton.protocol import Engine as Engine
from grammax.automaton.protocol import State as State
from grammax.automaton.save import load_automaton as load_automaton
from grammax.automaton.save import save_automaton as save_automaton
