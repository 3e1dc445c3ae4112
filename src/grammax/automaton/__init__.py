"""Automata: which tokens a grammar permits after a prefix. Six constructions, one interface.

| construction | exact | grammars | cost of a step |
|---|---|---|---|
| `superset` | no, accepts more | any | one look-up |
| `unrolled` | to a nesting depth | any | one look-up in a state visited before |
| `lr` | yes | LR(1) | one look-up on a stack seen before |
| `glr` | yes | any | one look-up on stacks seen before |
| `earley` | yes | any | grows with the prefix |
| `finite` | yes | none: a `Dfa` built by hand | one look-up |

| module | contents |
|---|---|
| `protocol` | `Automaton`, in tokens; `Engine` and `State`, in kinds |
| `bound` | `BoundAutomaton`: an engine and a vocabulary |
| `compile` | the six constructions; `exact` chooses between `lr` and `glr` |
| `walk` | runs tokens through an automaton, step by step |
| `grounded` | `NamedOnly`, `Grounded`: permit some tokens only if the query names them |
| `reduced` | the automaton of a grammar without some kinds |
| `explain` | why a token may or may not come next |
| `draw`, `save` | pictures and files |
| `earley`, `lr/`, `glr/`, `finite/` | engines |
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
