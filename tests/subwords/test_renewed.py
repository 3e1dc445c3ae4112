"""Living values and automata of one query: what is renewed equals what is made anew."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subwords.laws import random_states, written
from subwords.tokenizers import no_words, qwen, tiny, words

from grammax import Grammar, exact, lr
from grammax.automaton import BoundAutomaton
from grammax.automaton.grounded import AvailableTokens, Grounded, NamedOnly
from grammax.subwords import SubwordConstraint, Subwords, TokenizerError, constraint, subwords
from grammax.vocabulary import Vocabulary

FILMS = Grammar.read(
    """
    start: "(" "genre" GENRE ")" | "(" "and" start start ")" | TITLE
    GENRE: "drama" | "dramatic" | "western"
    TITLE: "alien" | "aliens" | "the"
    """
)
WORDS = (
    "al",
    "alp",
    "alpha",
    "drama-",
    "dramas",
    "gamma",
    "alien3",
    "west",
    "(x",
    "映画",
    "t",
    "w",
)


def changed(automaton: BoundAutomaton[Any], random: Random) -> BoundAutomaton[Any]:
    """The automaton over a vocabulary with a few names added and a few removed."""
    vocabulary = automaton.vocabulary
    fresh = [word for word in WORDS if word not in vocabulary]
    added = random.sample(fresh, min(len(fresh), random.randrange(3)))
    removed = []
    for kind in ("GENRE", "TITLE"):
        names = vocabulary.tokens_of(kind)
        removed += random.sample(names, random.randrange(min(3, len(names))))
    by_kind: dict[str, list[str]] = {}
    for name in added:
        by_kind.setdefault(random.choice(["GENRE", "TITLE"]), []).append(name)
    return automaton.with_vocabulary(vocabulary.changed(by_kind, removed))


def assert_same(
    one: SubwordConstraint[Any], other: SubwordConstraint[Any], seed: int = 0, count: int = 3
) -> None:
    """Two constraints permit the same, and need the same, after the same tokens."""
    for ids, state in random_states(one, count=count, most=15, seed=seed):
        same = other.start()
        for token in ids:
            same = other.advance(same, token)
        assert one.rows(state) == other.rows(same)
        assert one.needed(state) == other.needed(same)
        assert one.forced(state) == other.forced(same)


@pytest.mark.parametrize("spelling", ["canonical", "bytes"])
@given(st.integers(0, 1000), st.integers(1, 4), st.sampled_from(["", " ", "alp: "]))
@settings(max_examples=25)
def test_values_come_and_go(spelling: Any, seed: int, changes: int, prefix: str) -> None:
    random = Random(seed)
    automaton = lr(FILMS)
    made = constraint(automaton, words(), spelling=spelling, prefix=prefix)
    made_of = [(made, automaton)]
    for _ in range(changes):
        if random.random() < 0.5:
            list(random_states(made, count=3, most=10))  # nodes that are expanded and cached
        automaton = changed(automaton, random)
        made = made.renewed(automaton)
        made_of.append((made, automaton))
    for made, automaton in made_of:  # the older ones, too, are what they were
        anew = constraint(automaton, words(), spelling=spelling, prefix=prefix)
        assert_same(made, anew, seed)
        assert_same(anew, made, seed)


@pytest.mark.parametrize("spelling", ["canonical", "bytes"])
def test_states_from_before_go_on(spelling: Any) -> None:
    automaton = lr(FILMS)
    made = constraint(automaton, words(), spelling=spelling)
    state = made.start()
    for token in words().encode(["( genre dra"])[0]:
        state = made.advance(state, token)
    after = made.renewed(
        automaton.with_vocabulary(automaton.vocabulary.changed({"GENRE": ["drab"]}, ["drama"]))
    )
    assert written(made, state, words()) == b"ma )"
    begun = after.start()
    for token in words().encode(["( genre dra"])[0]:
        begun = after.advance(begun, token)
    assert written(after, begun, words()) == b"b )"


def test_a_thousand_values_at_once() -> None:
    automaton = lr(FILMS)
    many = [f"title-{number}" for number in range(1000)]
    wider = automaton.with_vocabulary(automaton.vocabulary.changed({"TITLE": many}))
    for spelling in ("canonical", "bytes"):
        made = constraint(automaton, qwen(), spelling=spelling).renewed(wider)
        assert_same(constraint(wider, qwen(), spelling=spelling), made)
        back = made.renewed(wider.with_vocabulary(wider.vocabulary.changed({}, many)))
        assert_same(constraint(automaton, qwen(), spelling=spelling), back)


def test_another_grammar_is_made_anew() -> None:
    other = lr(Grammar.read('start: "alpha" "b" | "gamma"'))
    made = constraint(lr(FILMS), words()).renewed(other)
    assert_same(constraint(other, words()), made)


def test_a_new_name_that_the_tokenizer_spells_otherwise_is_refused() -> None:
    joined = subwords(tiny(r" ?[^\s]+|\s+|!", ("al", " (", " d", " a", " g", " w", " t")))
    automaton = lr(FILMS)
    made = constraint(automaton, joined, spelling="canonical")
    spaced = automaton.vocabulary.changed({"TITLE": ["the "]})
    with pytest.raises(TokenizerError, match="given the whole text"):
        made.renewed(automaton.with_vocabulary(spaced))
    assert_same(made, constraint(automaton, joined))
    wider = automaton.with_vocabulary(spaced)
    fallen = constraint(automaton, joined).renewed(wider)
    assert (fallen.spelling, "given the whole text" in fallen.reason) == ("bytes", True)
    assert_same(fallen, constraint(wider, joined, spelling="bytes"))


def permitted_texts(made: SubwordConstraint[Any], tokenizer: Subwords) -> set[bytes]:
    """All texts of a constraint whose grammar is finite."""
    found: set[bytes] = set()
    waiting: list[tuple[bytes, Any]] = [(b"", made.start())]
    while waiting:
        text, state = waiting.pop()
        if made.is_done(state):
            found.add(text)
        for token in made.rows(state):
            piece = b"" if token == made.eos else tokenizer.decode([token])
            assert piece is not None
            waiting.append((text + piece, made.advance(state, token)))
    return found


NAMED = Grammar.read(
    """
    start: "genre" GENRE | TITLE
    GENRE: "drama" | "dramatic" | "western"
    TITLE: "alien" | "aliens" | "the"
    """
)


def available(vocabulary: Vocabulary, names: Iterable[str]) -> AvailableTokens:
    kinds = [vocabulary.kind_number(kind) for kind in ("GENRE", "TITLE")]
    return AvailableTokens(vocabulary.ids(names), kinds)


@pytest.mark.parametrize("spelling", ["canonical", "bytes"])
@pytest.mark.parametrize("prefix", ["", " "])
def test_automata_of_one_query_permit_only_its_names(spelling: Any, prefix: str) -> None:
    automaton = exact(NAMED)
    base = constraint(automaton, words(), spelling=spelling, prefix=prefix)
    vocabulary = automaton.vocabulary
    named = NamedOnly(automaton, available(vocabulary, ["dramatic", "aliens"]))
    begin = prefix.encode()
    for made in (base.renewed(named), constraint(named, words(), spelling=spelling, prefix=prefix)):
        expected = {begin + b"genre dramatic", begin + b"aliens"}
        assert permitted_texts(made, words()) == expected
        assert written(made, made.start(), words()) == begin + b"aliens"
    grounded = Grounded.for_query(automaton, available(vocabulary, ["the", "alien"]))
    assert permitted_texts(base.renewed(grounded), words()) == {begin + b"the", begin + b"alien"}
    assert len(permitted_texts(base, words())) == 6


def test_tokens_over_several_names_respect_the_query() -> None:
    automaton = exact(Grammar.read('start: A "b" | A "c"\nA: "a" | "al"'))
    named = NamedOnly(
        automaton,
        AvailableTokens([automaton.vocabulary.id("al")], [automaton.vocabulary.kind_number("A")]),
    )
    made = constraint(named, no_words(), spelling="bytes")
    assert permitted_texts(made, no_words()) == {b"al b", b"al c"}
