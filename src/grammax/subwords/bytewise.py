"""The rows that may come next where names are spelled in bytes.

The trie of names is walked together with the tokens of the language model, in the order of their
bytes. What a walk finds does not depend on the automaton: for each token the kinds of the names
that agree with it, and the tokens that go on beyond the end of a name. So it is done once for each
node, and a state only picks the tokens whose kinds it permits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, final

from grammax.subwords.choices import NO_ROWS, rows_of
from grammax.subwords.reading import Reader, Reading, Readings
from grammax.subwords.token_bytes import TokenBytes, Within
from grammax.subwords.trie import LARGE, Node, node_of
from grammax.vocabulary.rows import Rows


class Profile(NamedTuple):
    """What tokens mean at a node."""

    kinds: dict[int, int]
    """For each token that stays within one name, the kinds of such names, as bits."""
    beyond: dict[tuple[int, Within], str]
    """Kinds of names that end while tokens go on, with one such name and those tokens."""


@final
class ByteChoices:
    """Tokens whose bytes continue the text, be it within a name or over several."""

    def __init__(self, eos: int, tokens: TokenBytes, separator: str) -> None:
        self._eos = eos
        self._tokens = tokens
        self._between: Final = separator.encode()[:1]
        self._only_end = Rows.from_spans([(eos, eos + 1)])

    def prepare(self, reader: Reader[Any]) -> None:
        """Compute the profiles of nodes with many names, which would make a first step slow."""
        waiting = [reader.first.root, reader.names.root]
        while waiting:
            node = waiting.pop()
            if node.count >= LARGE:
                self.profile(node, self._tokens.all)
                waiting += node.children.values()

    def rows(self, reader: Reader[Any], readings: Readings, ending: bool) -> Rows:
        if not readings:
            return self._only_end if ending else NO_ROWS
        if len(readings) > 1:
            ids = set().union(*(self._ids(reader, one, self._tokens.all) for one in readings))
            return rows_of(ids | {self._eos} if ending else ids)
        ((_, node, kinds),) = readings
        profile = self.profile(node, self._tokens.all)
        if any(kinds.bits >> kind & 1 for kind, _ in profile.beyond):
            ids = self._ids(reader, readings[0], self._tokens.all)
            return rows_of(ids | {self._eos} if ending else ids)
        kept = node.choose(kinds).rows
        found = kept.get(ending)
        if found is None:
            bits = kinds.bits
            ids = {token for token, of in profile.kinds.items() if of & bits}
            found = kept.setdefault(ending, rows_of(ids | {self._eos} if ending else ids))
        return found

    def _ids(self, reader: Reader[Any], reading: Reading, within: Within) -> set[int]:
        """The tokens among these that agree with a reading."""
        state, node, kinds = reading
        bits = kinds.bits
        profile = self.profile(node, within)
        ids = {token for token, of in profile.kinds.items() if of & bits}
        for (kind, longer), text in profile.beyond.items():
            if bits >> kind & 1:
                for begun in reader.begin(reader.after(state, text)):
                    ids |= self._ids(reader, begun, longer)
        return ids

    def profile(self, node: Node, within: Within) -> Profile:
        """What these tokens mean at a node."""
        found = node.profiles.get(within)
        if found is None:
            found = node.profiles.setdefault(within, self._profile(node, within))
        profile: Profile = found
        return profile

    def _profile(self, node: Node, within: Within) -> Profile:
        kinds: dict[int, int] = {}
        beyond: dict[tuple[int, Within], str] = {}
        start = node
        if node.grown is not None and within in node.grown[0].profiles:
            before, name = node.grown
            kinds, beyond = map(dict, before.profiles[within])
            start = node_of([name], node.depth)
        for child, tokens in self._walk(start, within):
            for token in self._tokens.exact(tokens):
                kinds[token] = kinds.get(token, 0) | child.bits
            if child.end is not None and self._goes_beyond(tokens):
                beyond.setdefault((child.end.kind, tokens), child.end.text)
        node.grown = None
        return Profile(kinds, beyond)

    def _walk(self, node: Node, within: Within) -> Iterator[tuple[Node, Within]]:
        """The nodes below that tokens come to, each with those tokens."""
        waiting = [(node, within)]
        narrowed, longer = self._tokens.narrowed, self._tokens.longer
        while waiting:
            node, within = waiting.pop()
            for byte, child in node.children.items():
                tokens = narrowed(within, byte)
                if tokens is not None:
                    yield child, tokens
                    if child.below and longer(tokens):
                        waiting.append((child, tokens))

    def _goes_beyond(self, tokens: Within) -> bool:
        """Whether tokens go on into the text between names."""
        if not self._between:
            return self._tokens.longer(tokens)
        return self._tokens.narrowed(tokens, self._between[0]) is not None
