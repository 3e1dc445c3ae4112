"""Names swapped for others of their kind: pairs as grammatical as before, and as true."""

from __future__ import annotations

import numpy as np
from model.tiny import TINY, WORDINGS, a_reader

from grammax.language.domain import Pair
from grammax.reading.words import split
from grammax.training.augment.swaps import Swaps
from grammax.training.examples import Example, examples

READER = a_reader()
AUTOMATON = TINY.automaton("lr")
GIVEN = examples(TINY.train, READER, AUTOMATON, decisions_only=False)


def swapped(given: list[Example], share: float, seed: int = 0) -> list[Example]:
    assert READER.names is not None
    return Swaps(READER, READER.names).draw(given, share, np.random.default_rng(seed))


def tokens(example: Example) -> list[str]:
    return [TINY.vocabulary.tokens[token] for token in example.targets]


def test_swapped_forms_are_grammatical_and_meet_the_same_rivals() -> None:
    found = swapped(GIVEN, 0.999)
    assert sum(one.targets != other.targets for one, other in zip(GIVEN, found, strict=True)) > 20
    for before, after in zip(GIVEN, found, strict=True):
        assert AUTOMATON.accepts(AUTOMATON.read(after.targets))
        again = examples(
            [Pair(" ".join(after.query.words), tuple(tokens(after)))], READER, AUTOMATON, False
        )
        assert after.options == before.options == again[0].options


def test_a_token_that_was_swapped_in_is_named_in_the_query() -> None:
    for before, after in zip(GIVEN, swapped(GIVEN, 0.999), strict=True):
        for old, new in zip(tokens(before), tokens(after), strict=True):
            if old != new:
                names = [tuple(split(text)) for text in WORDINGS[new]]
                words = after.query.words
                runs = [words[i : i + len(n)] for n in names for i in range(len(words))]
                assert any(run in names for run in runs)
                assert TINY.vocabulary.kind_of(old) == TINY.vocabulary.kind_of(new)


def test_a_token_that_is_named_twice_is_swapped_twice() -> None:
    form = "( AND ( FLD_DOMICILE EQ COU_GERMANY ) ( NOT ( FLD_DOMICILE EQ COU_GERMANY ) ) )"
    given = examples(
        [Pair("german steel in germany", tuple(form.split()))], READER, AUTOMATON, False
    )
    seen = set()
    for seed in range(20):
        (after,) = swapped(given, 0.999, seed)
        countries = [token for token in tokens(after) if token.startswith("COU_")]
        assert len(set(countries)) == 1
        if countries[0] != "COU_GERMANY":
            assert not {"german", "germany"} & set(after.query.words)
        seen.add(countries[0])
    assert len(seen) > 3


def test_the_same_seed_swaps_alike_and_no_share_nothing() -> None:
    one, two, other = swapped(GIVEN, 0.5, 1), swapped(GIVEN, 0.5, 1), swapped(GIVEN, 0.5, 2)
    assert [example.targets for example in one] == [example.targets for example in two]
    assert [example.targets for example in one] != [example.targets for example in other]
    assert swapped(GIVEN, 0.0) == GIVEN
