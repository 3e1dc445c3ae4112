"""Another name of a field or value: all else that is known of it stays."""

from __future__ import annotations

import pytest
from tables.phrases.films import films

from grammax.language.changes import ChangesRefused, NewValue

FILMS = films()


def test_an_alias_keeps_the_place_of_a_value_and_its_parent() -> None:
    domain = FILMS.with_alias("COU_FRANCE", "hexagone")
    before, after = FILMS.catalogue, domain.catalogue
    assert after.wordings("COU_FRANCE") == (*before.wordings("COU_FRANCE"), "hexagone")
    assert after.values["COU_FRANCE"].parent == before.values["COU_FRANCE"].parent
    assert after.ranking == before.ranking
    assert after.values_of("COUNTRY") == before.values_of("COUNTRY")
    assert domain.vocabulary.tokens == FILMS.vocabulary.tokens
    assert domain.version != FILMS.version


def test_the_only_field_of_a_kind_gets_a_name() -> None:
    alone = next(
        token
        for token, field in FILMS.catalogue.fields.items()
        if sum(other.type == field.type for other in FILMS.catalogue.fields.values()) == 1
    )
    domain = FILMS.with_alias(alone, "thingummy").with_alias(alone, "whatsit")
    assert domain.catalogue.wordings(alone)[-2:] == ("thingummy", "whatsit")
    assert domain.catalogue.fields[alone].unit == FILMS.catalogue.fields[alone].unit
    [change] = domain.changes.added
    assert domain.changes.removed == (alone,)
    assert FILMS.with_changes(domain.changes).catalogue.wordings(alone)[-2:] == change.aliases[-2:]


def test_stored_aliases_and_new_values_are_restored_together() -> None:
    domain = FILMS.with_values([NewValue("Peru", "country", ("peruvian",))])
    domain = domain.with_alias("COU_FRANCE", "hexagone").with_alias("COU_PERU", "inca land")
    restored = FILMS.with_changes(domain.changes)
    assert restored.version == domain.version
    for token in ("COU_FRANCE", "COU_PERU"):
        assert restored.catalogue.wordings(token) == domain.catalogue.wordings(token)


def test_a_known_name_changes_nothing_and_a_bad_one_is_refused() -> None:
    assert FILMS.with_alias("COU_FRANCE", "France").version == FILMS.version
    with pytest.raises(ChangesRefused, match="bar"):
        FILMS.with_alias("COU_FRANCE", "a|b")
