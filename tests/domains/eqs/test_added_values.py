"""Values that were added after training: 500 real names, and queries that hold them."""

from __future__ import annotations

import pytest
from domains.eqs.shared import eqs

import grammax
from grammax.domains.eqs.added_values import FILE, added_pairs, with_added_values
from grammax.language.domain import Pair
from grammax.tables.catalogue.keys import key
from grammax.tables.corpus.corpus import CorpusError, skeleton
from grammax.tables.domain import TableDomain
from grammax.tables.form.text import from_tokens


@pytest.fixture(scope="module")
def domain() -> TableDomain:
    return with_added_values(eqs())


@pytest.fixture(scope="module")
def pairs(domain: TableDomain) -> tuple[Pair, ...]:
    return added_pairs(domain, 150)


def test_there_are_five_hundred_names_that_the_catalogue_does_not_hold(domain: TableDomain) -> None:
    added = domain.changes.added
    assert len(added) == 500 == len(FILE.read_text(encoding="utf-8").splitlines()) - 1
    base = domain.base.catalogue
    known = {key(words) for token in base.ranking for words in base.wordings(token)}
    for value in added:
        assert not {key(words) for words in (value.name, *value.aliases)} & known
    assert {value.kind for value in added} == {
        "ISSUER_VALUE", "CITY_VALUE", "COUNTRY_VALUE", "SECTOR_VALUE",
    }  # fmt: skip
    assert with_added_values(domain).version == domain.version  # each is added once


def test_without_added_values_there_are_no_pairs() -> None:
    with pytest.raises(CorpusError, match="nothing was added"):
        added_pairs(eqs())


@pytest.mark.slow
def test_all_of_a_pair_but_an_added_value_was_seen(
    domain: TableDomain, pairs: tuple[Pair, ...]
) -> None:
    added = {value.token for value in domain.changes.added}
    held = set()
    for pair in pairs:
        (value,) = {*pair.tokens} - domain.corpus.seen
        assert value in added
        held.add(value)
        assert skeleton(from_tokens(pair.tokens)) in domain.corpus.skeletons
        assert domain.grammatical(pair.tokens)
        assert domain.well_typed(pair.tokens)
    assert len(held) == len({pair.query.casefold() for pair in pairs}) == len(pairs) == 150
    assert added_pairs(domain, 150) == pairs
    assert added_pairs(domain, 20, seed=1) != pairs[:20]


@pytest.mark.slow
def test_four_in_five_are_parsed_right(domain: TableDomain, pairs: tuple[Pair, ...]) -> None:
    parser = grammax.load(domain)
    found = parser.parse_batch([pair.query for pair in pairs])
    right = sum(
        domain.same(one.tokens, pair.tokens) for one, pair in zip(found, pairs, strict=True)
    )
    assert right / len(pairs) >= 0.8
