"""Idioms of equities: their fields exist, their words point to one, thresholds have values."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

import pytest

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.idioms import CLASSES, IDIOMS, SHARED, THRESHOLDS, cues_of
from grammax.domains.eqs.schema import EQUITIES
from grammax.tables.idioms import Threshold, around
from grammax.tables.lexicon import COMPARISON

_MARKS = {"{n}", "{e}"}
_WITH_NUMBER = {"greater", "smaller", "up", "down"}
_RETURNS = {token for token in IDIOMS if token.startswith("FLD_RETURN_") and token[-1] != "Y"} | {
    token for token in IDIOMS if re.fullmatch(r"FLD_RETURN_(\d+Y|YTD)", token)
}


@pytest.mark.parametrize("token", IDIOMS)
def test_the_field_of_an_idiom_exists_and_is_numeric(token: str) -> None:
    field = load_catalogue().fields[token]
    assert field.type in EQUITIES.number_types


@pytest.mark.parametrize("token", CLASSES)
def test_classes_belong_to_number_types_or_numeric_fields(token: str) -> None:
    if token not in EQUITIES.number_types:
        assert load_catalogue().fields[token].type in EQUITIES.number_types


def test_every_number_type_has_a_class() -> None:
    assert set(EQUITIES.number_types) <= set(CLASSES)


@pytest.mark.parametrize("token", IDIOMS)
def test_idioms_are_lower_case_and_have_a_number_where_they_compare(token: str) -> None:
    for part, pattern in IDIOMS[token]:
        assert pattern == pattern.lower().strip()
        assert set(re.findall(r"\{[^}]*\}", pattern)) <= _MARKS
        assert ("{n}" in pattern) == (part in _WITH_NUMBER), (part, pattern)
        assert "{e}" not in pattern or part in ("most", "least"), (part, pattern)


@pytest.mark.parametrize("token", IDIOMS)
def test_no_idiom_has_two_directions(token: str) -> None:
    idioms = IDIOMS[token]
    high = {*idioms.more, *idioms.most, *idioms.greater, *idioms.up, *idioms.positive}
    low = {*idioms.less, *idioms.least, *idioms.smaller, *idioms.down, *idioms.negative}
    assert not high & low
    assert not set(idioms.absent) & (high | low)


def test_an_idiom_belongs_to_one_field() -> None:
    owners = Counter(pattern for idioms in IDIOMS.values() for _, pattern in idioms)
    assert [pattern for pattern, count in owners.items() if count > 1] == []


def test_cues_of_several_fields_are_declared() -> None:
    owners = Counter(cue for token in IDIOMS if token not in _RETURNS for cue in cues_of(token))
    assert {cue for cue, count in owners.items() if count > 1} <= SHARED


@pytest.mark.parametrize("token", [t for t in IDIOMS if "_GROWTH_" not in t])
def test_every_idiom_contains_a_cue_of_its_field(token: str) -> None:
    words = [f" {cue} " for cue in cues_of(token)]
    for _, pattern in IDIOMS[token]:
        text = f" {re.sub(r'{n}(?=x)', '{n} ', around(pattern, 'stocks'))} "
        assert any(cue in text for cue in words), pattern


def test_cues_are_lower_case_words() -> None:
    for token in IDIOMS:
        for cue in cues_of(token):
            assert cue == cue.lower().strip()
            assert "{" not in cue
    assert cues_of("FLD_GOODWILL") == ()


@pytest.mark.parametrize("threshold", THRESHOLDS, ids=lambda each: each.words[0])
def test_thresholds_are_values_of_ordered_fields(threshold: Threshold) -> None:
    catalogue = load_catalogue()
    field, value = catalogue.fields[threshold.field], catalogue.values[threshold.value]
    assert field.type == value.type
    assert EQUITIES.enum(field.type).ordered
    assert threshold.op in COMPARISON
    assert all(words == words.lower() for words in threshold.words)


def test_words_of_thresholds_are_cues_of_their_values() -> None:
    for threshold in THRESHOLDS:
        assert set(threshold.words) <= set(cues_of(threshold.value))
    assert "investment grade" in cues_of("MDY_BAA3")


def test_words_of_thresholds_are_different() -> None:
    words = [word for threshold in THRESHOLDS for word in threshold.words]
    assert len(words) == len(set(words))


def test_idioms_are_imported_without_the_corpus_or_the_catalogue() -> None:
    code = (
        "import sys, grammax.domains.eqs.idioms as i; i.cues_of('FLD_PE_RATIO');"
        "print([m for m in sys.modules if 'corpus' in m or m.endswith('.lines')])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
