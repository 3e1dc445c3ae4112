"""What follows from rules alone, checked against the slow oracle."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from laws.grammars import random_grammars

from grammax import Grammar
from grammax.grammar.productions import INFINITE, Productions, components
from grammax.grammar.sample import sentences_of_kinds
from grammax.vocabulary.layout import bits

LENGTH = 4


@given(random_grammars())
def test_the_shortest_sentence_is_as_short_as_any(grammar: Grammar) -> None:
    productions = grammar.productions
    shortest = productions.shortest[productions.start]
    sentence = tuple(productions.shortest_sentence([productions.start]))
    assert len(sentence) == shortest == productions.shortest_of([productions.start])
    enumerated = sentences_of_kinds(grammar, shortest)
    assert min(map(len, enumerated)) == shortest
    assert sentence in enumerated


@given(random_grammars())
def test_nullable_and_first_are_those_of_the_sentences(grammar: Grammar) -> None:
    productions = grammar.productions
    enumerated = sentences_of_kinds(grammar, LENGTH)
    first, empty = productions.first_of([productions.start])
    assert empty == (() in enumerated) == (productions.start in productions.nullable)
    begins = {sentence[0] for sentence in enumerated if sentence}
    assert begins <= set(bits(first))
    # A kind that can begin a sentence begins one, of whatever length.
    longest = max(productions.shortest) * 8 + LENGTH
    for kind in set(bits(first)) - begins:
        assert _begins_a_sentence(productions, kind, longest)


def _begins_a_sentence(productions: Productions, kind: int, steps: int) -> bool:
    """Whether leftmost derivation, empty rules dropped, brings the kind to the front."""
    fronts = {(productions.start,)}
    for _ in range(steps):
        if any(front[:1] == (kind,) for front in fronts):
            return True
        fronts |= {
            (*right, *front[1:])[:4]
            for front in fronts
            if front and front[0] >= productions.kinds
            for rule in productions.rules_of[front[0]]
            for right in [productions.rules[rule][1]]
        }
    return False


def test_what_is_made_of_empty_rules_is_empty() -> None:
    productions = Grammar.read('start: a b | "x"\na: b b\nb: c\nc: | "y" b').productions
    empty = {productions.names[symbol] for symbol in productions.nullable}
    assert empty == {"start", "a", "b", "c"}


def test_a_symbol_that_derives_nothing_is_infinitely_long() -> None:
    productions = Productions(1, ("K", "start", "loop"), ((1, (0,)), (2, (2, 0))), 1)
    assert productions.shortest == (1, 1, INFINITE)


_graphs = st.integers(1, 8).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, size - 1), max_size=3), min_size=size, max_size=size
    )
)


@given(_graphs)
def test_components_are_the_groups_that_reach_each_other_successors_first(
    graph: list[list[int]],
) -> None:
    reach = [{node} for node in range(len(graph))]
    for _ in graph:
        for node, successors in enumerate(graph):
            for successor in successors:
                reach[node] |= reach[successor]
    found = list(components(graph))
    assert sorted(node for group in found for node in group) == list(range(len(graph)))
    place = {node: index for index, group in enumerate(found) for node in group}
    for node in range(len(graph)):
        for other in range(len(graph)):
            together = other in reach[node] and node in reach[other]
            assert (place[node] == place[other]) == together
        assert all(place[successor] <= place[node] for successor in graph[node])


def test_components_of_a_long_chain_and_a_large_ring() -> None:
    size = 20_000
    chain = [[node + 1] for node in range(size - 1)] + [[]]
    assert sum(1 for _ in components(chain)) == size
    ring = [[(node + 1) % size] for node in range(size)]
    assert [len(group) for group in components(ring)] == [size]


@given(st.sets(st.integers(0, 300)))
def test_bits_are_the_members_in_order(members: set[int]) -> None:
    assert list(bits(sum(1 << member for member in members))) == sorted(members)
