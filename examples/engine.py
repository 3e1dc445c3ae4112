"""The engine at work on a small equity grammar: what may follow, what may not, and why.

python examples/engine.py
"""

from __future__ import annotations

from pathlib import Path

import grammax
from grammax.automaton import BoundAutomaton
from grammax.automaton.lr.engine import LrState
from grammax.errors import TokenNotPermitted

GRAMMAR = Path(__file__).with_name("equity.lark")
QUERY = "steel western europe not german"
FORM = (
    "( AND ( NOT ( FLD_DOMICILE EQ COU_GERMANY ) ) ( FLD_DOMICILE EQ COU_WESTERN_EUROPE ) "
    "( FLD_EQS_SECTOR EQ SEC_GICS_STEEL ) )"
)


def main() -> None:
    """Walk through one logical form, then break it."""
    grammar = grammax.Grammar.open(GRAMMAR)
    automaton = grammax.lr(grammar)
    print(f"{GRAMMAR.name}: {len(grammar.rules)} rules, {automaton.vocabulary!r}\n")
    print(f"The logical form of “{QUERY}”, token by token:\n")
    show_steps(automaton, FORM.split())
    print("\nWhat may follow a prefix:\n")
    show_next(automaton, ["(", "AND", "(", "FLD_DOMICILE", "EQ"])
    show_next(automaton, ["(", "AND", "(", "FLD_MKT_CAP", "GR", "1"])
    print("An illegal token, and its explanation:\n")
    try:
        automaton.read(["(", "AND", "(", "FLD_DOMICILE", "LS", "COU_GERMANY"])
    except TokenNotPermitted as refused:
        print("    " + str(refused).replace("\n", "\n    "))


def show_steps(automaton: BoundAutomaton[LrState], tokens: list[str]) -> None:
    """Each token, and how many tokens the grammar permitted there."""
    state = automaton.start
    total = 0
    for token in tokens:
        permitted = automaton.next_tokens(state)
        total += permitted.size
        forced = "forced" if permitted.forced is not None else f"1 of {permitted.size}"
        print(f"    {token:<20} {forced}")
        state = automaton.pass_token(state, token)
    complete = "complete" if automaton.accepts(state) else "not complete"
    print(
        f"\n    {complete}; {total / len(tokens):.1f} tokens permitted per step on average, "
        f"of {len(automaton.vocabulary)}"
    )


def show_next(automaton: BoundAutomaton[LrState], prefix: list[str]) -> None:
    """What may follow a prefix, by kind, with its rows in the output matrix."""
    state = automaton.read(prefix)
    permitted = automaton.next_tokens(state)
    kinds = ", ".join(kind.strip('"') for kind in permitted.kinds)
    print(f"    {' '.join(prefix)} …")
    print(f"        {kinds}: {permitted.size} tokens, rows {list(permitted.spans)}")
    print(f"        at least {automaton.tokens_to_accept(state)} more tokens to a complete form\n")


if __name__ == "__main__":
    main()
