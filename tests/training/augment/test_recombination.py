"""Pairs made of parts of others: grammatical, as true as before, and new."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from model.tiny import OPEN, TINY, WORDINGS, TinyDomain, a_reader

from grammax.model.config import TrainingConfig
from grammax.training.augment.variations import Variations
from grammax.training.examples import Example, examples

CONFIG = TrainingConfig(p_recombine=0.9, p_renumber=0.5, p_swap=0.0)


def varied(
    domain: TinyDomain = TINY, config: TrainingConfig = CONFIG, seed: int = 0
) -> tuple[list[Example], list[Example]]:
    """The examples of a domain, and those that an epoch would learn from."""
    reader = a_reader(domain)
    assert reader.names is not None
    automaton = domain.automaton("lr")
    given = examples(domain.train, reader, automaton, decisions_only=False)
    pairs = [(e.query, p.tokens) for e, p in zip(given, domain.train, strict=True)]
    variations = Variations(domain, reader, reader.names, config, pairs)
    random = np.random.default_rng(seed)
    return given, variations.draw(given, automaton, False, random)


def tokens(example: Example) -> tuple[str, ...]:
    return tuple(TINY.vocabulary.tokens[token] for token in example.targets)


def test_what_is_made_is_grammatical_and_much_of_it_new() -> None:
    given, found = varied()
    there = {tokens(example) for example in given}
    assert all(TINY.grammatical(tokens(example)) for example in found)
    assert len({tokens(example) for example in found} - there) > len(given) / 4


def test_what_a_form_says_its_query_says() -> None:
    _, found = varied()
    right = 0
    for example in found:
        text = " ".join(example.query.words)
        named = [t for t in tokens(example) if t.startswith(("COU_", "SEC_"))]
        right += all(any(n.lower() in text for n in WORDINGS[token]) for token in named)
        assert len(example.query.names) >= len(set(named))
    assert right == len(found)


def test_new_structures_come_of_it() -> None:
    given, found = varied()

    def shapes(some: list[Example]) -> Counter[tuple[str, ...]]:
        return Counter(tuple(part.role for part in TINY.parts(tokens(e))) for e in some)

    assert len(shapes(found)) > len(shapes(given))


def test_the_same_seed_the_same_pairs() -> None:
    first, second, third = (varied(seed=seed)[1] for seed in (3, 3, 4))
    assert [tokens(e) for e in first] == [tokens(e) for e in second]
    assert [tokens(e) for e in first] != [tokens(e) for e in third]


@pytest.mark.parametrize("share", ["p_recombine", "p_renumber", "p_swap"])
def test_each_way_can_be_left_out(share: str) -> None:
    nothing = replace(CONFIG, p_recombine=0.0, p_renumber=0.0)
    given, found = varied(config=nothing)
    assert [tokens(e) for e in given] == [tokens(e) for e in found]
    given, found = varied(config=replace(nothing, **{share: 0.9}))
    assert [tokens(e) for e in given] != [tokens(e) for e in found]


def test_a_language_whose_forms_join_nothing_stays_as_it_is() -> None:
    class Whole(TinyDomain):
        def joined(self, parts):
            return None

    domain = Whole(OPEN.grammar, OPEN.train)
    given, found = varied(domain, replace(CONFIG, p_renumber=0.0))
    assert [e.targets for e in given] == [e.targets for e in found]
