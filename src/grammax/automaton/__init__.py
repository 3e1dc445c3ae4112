"""Rules → `next_tokens` and `pass_token`: five ways (see `compile`), one interface.

| way | exact | grammars | a step |
|---|---|---|---|
| `superset` | no: looser | any | a look-up |
| `unrolled` | to a depth | any | a look-up once its state was made |
| `lr` | yes | LR(1) | a look-up once its stack was seen |
| `earley` | yes | any | work that grows with the prefix |
| `finite` | is what was built by hand | – | a look-up |
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
