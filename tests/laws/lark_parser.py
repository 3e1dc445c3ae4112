"""Lark's own interactive LALR parser as a referee: what may follow a prefix, in our words."""

from __future__ import annotations

from collections.abc import Sequence

import lark
from lark.lexer import PatternStr

from grammax import Grammar
from grammax.automaton import BoundAutomaton
from grammax.grammar.expand import literal_kind

END = "$END"


class LarkReferee:
    """`states(sentence)` are the kinds that lark takes, and whether it would end, at each token."""

    def __init__(self, text: str, grammar: Grammar) -> None:
        self._parser = lark.Lark(text, parser="lalr", start=grammar.start)
        self._kind_of = {
            terminal.name: self._kind(terminal, grammar) for terminal in self._parser.terminals
        }
        self._terminal_of = {kind: name for name, kind in self._kind_of.items()}

    @staticmethod
    def _kind(terminal: lark.lexer.TerminalDef, grammar: Grammar) -> str:
        if terminal.name in grammar.kinds:
            return terminal.name
        if isinstance(terminal.pattern, PatternStr):
            return literal_kind(terminal.pattern.value) + "i" * ("i" in terminal.pattern.flags)
        return f"/{terminal.pattern.value}/{''.join(terminal.pattern.flags)}"

    def states(self, sentence: Sequence[tuple[str, str]]) -> list[tuple[set[str], bool]]:
        """Before each (kind, token) of a sentence, and after the last."""
        parser = self._parser.parse_interactive("")
        found = [self._next(parser)]
        for kind, token in sentence:
            parser.feed_token(lark.Token(self._terminal_of.get(kind, kind), token))
            found.append(self._next(parser))
        return found

    def _next(self, parser: lark.parsers.lalr_interactive_parser.InteractiveParser) -> tuple:
        accepted = parser.accepts()
        return {self._kind_of.get(name, name) for name in accepted - {END}}, END in accepted


def assert_agrees_with_lark(
    automaton: BoundAutomaton, referee: LarkReferee, prefix: Sequence[str]
) -> None:
    """Law 7: what may follow, and whether the sentence may end, at each token."""
    vocabulary = automaton.vocabulary
    kinds = [vocabulary.kinds[vocabulary.kind_of(token)] for token in prefix]
    state = automaton.start
    for place, (expected, ends) in enumerate(referee.states(list(zip(kinds, prefix, strict=True)))):
        assert set(automaton.next_tokens(state).kinds) == expected, f"after {prefix[:place]}"
        assert automaton.accepts(state) == ends, f"after {prefix[:place]}"
        if place < len(prefix):
            state = automaton.pass_token(state, prefix[place])
