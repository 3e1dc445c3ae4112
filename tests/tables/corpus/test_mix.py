"""The constructs of the second edition, and corpora without them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tables.films import catalogue

from grammax.tables.corpus.corpus import CorpusPair, generate, skeleton
from grammax.tables.corpus.default import default_style
from grammax.tables.corpus.mix import PAPER_MIX
from grammax.tables.corpus.statistics import statistics
from grammax.tables.filling import NotMentioned, filled
from grammax.tables.mentions.reader import MentionReader

SIZES = {"train": 1_500, "test": 10, "hard": 0}


@pytest.fixture(scope="module")
def pairs() -> tuple[CorpusPair, ...]:
    return generate(catalogue(), seed=5, **SIZES).train


def test_every_construct_of_the_language_occurs() -> None:
    found = statistics(generate(catalogue(), seed=5, **SIZES), catalogue(), {}).splits[0].constructs
    for construct in ("count", "sum", "average", "median", "min", "max", "by"):
        assert found[construct] > 0.002, construct
    assert found["rank without a count"] > 0.05
    assert found["zero"] > 0.002
    assert found["change"] == 0, "films have no history"


def test_the_paper_s_mix_has_none_of_the_new_constructs() -> None:
    style = replace(default_style(catalogue()), mix=PAPER_MIX)
    for pair in generate(catalogue(), style, **SIZES).train:
        structure = skeleton(pair.lf)
        assert not re.search(r"\((count|sum|average|median|min|max|by|ratio|change)\b", structure)
        assert not re.search(r"\((top|bottom) F", structure), pair.query


def test_every_pair_has_its_rules(pairs: tuple[CorpusPair, ...]) -> None:
    with_rules = [pair for pair in pairs if pair.rules]
    assert len(with_rules) > 0.9 * len(pairs)
    rules = {rule for pair in pairs for rule in pair.rules}
    assert len(rules) > 200
    assert all(rule.find("/") > 0 for rule in rules)


def test_a_rule_is_in_the_words_of_its_pairs(pairs: tuple[CorpusPair, ...]) -> None:
    between = [pair for pair in pairs if "range/between {n} and {m}" in pair.rules]
    assert between
    for pair in between:
        assert re.search("between .+ and ", pair.query.lower()), pair.query


def test_every_number_and_time_is_mentioned(pairs: tuple[CorpusPair, ...]) -> None:
    reader = MentionReader.from_catalogue(catalogue())
    for pair in pairs:
        try:
            filled(pair.tokens, reader.read(pair.query), catalogue().fields)
        except NotMentioned as missing:
            pytest.fail(f"{pair.query}: {missing}")


def test_a_summary_says_what_it_counts_or_averages(pairs: tuple[CorpusPair, ...]) -> None:
    words = {
        "(average": r"average|avg|mean",
        "(median": "median",
        "(by ": r"\b(by|per|each|every|which|what|where|with|that have|having|whose|across)\b",
        "(sum": "total|sum|combined|aggregate|overall|largest|biggest|smallest|top|bottom|least|by"
        "|most",
    }
    for pair in pairs:
        for construct, said in words.items():
            if construct in str(pair.lf):
                assert re.search(said, pair.query.lower()), (pair.query, str(pair.lf))


def test_ranks_without_a_count_name_no_number(pairs: tuple[CorpusPair, ...]) -> None:
    ranked = [pair for pair in pairs if re.fullmatch(r"\((top|bottom) F\)", skeleton(pair.lf))]
    assert len(ranked) > 3
    for pair in ranked:
        assert not re.search(r"\d|\b(two|three|five|ten)\b", pair.query), pair.query
