"""The domains of `examples/domains`: grammars, and what they make of the public sets.

Hand-written samples in the same format are always tried, the sets themselves where they are.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from folder.public_data import needs_data

from grammax.folder import FolderDomain, check_folder
from grammax.folder.coverage import attempt, coverage
from grammax.folder.data import Line, read_form, read_pairs

REPOSITORY = Path(__file__).parents[2]
EXAMPLES = REPOSITORY / "examples" / "domains"
SAMPLES = REPOSITORY / "tests" / "fixtures" / "domains"
OVERNIGHT = (
    "basketball", "blocks", "calendar", "housing", "publications", "recipes", "restaurants",
)  # fmt: skip

# What is accepted of the test split, and how many tokens are permitted a step, at most.
FIGURES = {
    "geo": (0.989, 9.0),
    "geo-lambda": (0.992, 61.0),
    "atis": (0.995, 28.6),
    "jobs": (1.0, 11.2),
    **{f"overnight/{name}": (1.0, 1.85) for name in OVERNIGHT},
}
every_domain = pytest.mark.parametrize("name", FIGURES)


def sample(domain: FolderDomain) -> list[Line]:
    lines, problems = read_pairs(SAMPLES / f"{domain.name}.tsv", domain.settings.notation)
    assert problems == []
    return lines


@every_domain
def test_its_grammar_is_lr_and_accepts_the_sample(name: str) -> None:
    domain = FolderDomain(EXAMPLES / name)
    assert domain.grammars == ("superset", "lr")
    assert domain.grammar.problems == ()
    for grammar in domain.grammars:
        for _, pair in sample(domain):
            assert attempt(pair.tokens, domain.automaton(grammar)).refused is None


@every_domain
def test_its_grammar_refuses_what_is_cut_or_doubled(name: str) -> None:
    domain = FolderDomain(EXAMPLES / name)
    for _, pair in sample(domain):
        assert not domain.grammatical(pair.tokens[:-1])
        assert not domain.grammatical((*pair.tokens, pair.tokens[-1]))


@pytest.mark.parametrize(
    ("name", "form", "token"),
    [
        ("geo", "( len:i ( river:t $0 ) )", 4),
        ("geo-lambda", "(len:<r,i> boston_ma:c)", 3),
        ("atis", "( lambda $0 e ( day $0 ci0 ) )", 8),
        ("jobs", "loc ( ANS , degid0 )", 5),
        ("overnight/blocks", "( call SW.listValue en.block.block1 )", 4),
    ],
)
def test_types_are_grammar(name: str, form: str, token: int) -> None:
    domain = FolderDomain(EXAMPLES / name)
    tried = attempt(read_form(form, domain.settings.notation), domain.automaton("lr"))
    assert tried.refused is not None
    assert len(tried.permitted) == token


def test_places_are_known_that_no_pair_has() -> None:
    domain = FolderDomain(EXAMPLES / "geo-lambda")
    assert "cheyenne_wy:c" in domain.vocabulary
    assert "new jersey" in domain.wordings("new_jersey:s")


@needs_data
@every_domain
def test_what_it_makes_of_the_public_set(name: str) -> None:
    accepted, permitted = FIGURES[name]
    checked = check_folder(EXAMPLES / name)
    assert checked.splits["train"].accepted == 1
    assert checked.splits["test"].accepted >= accepted
    assert checked.splits["test"].permitted <= permitted


@needs_data
def test_the_figures_are_those_of_the_forms_themselves() -> None:
    domain = FolderDomain(EXAMPLES / "geo")
    found = coverage([pair.tokens for pair in domain.pairs("test")], domain.automaton("lr"))
    facts = check_folder(EXAMPLES / "geo").splits["test"]
    assert (found.forms, found.accepted) == (facts.pairs, facts.accepted)
    assert found.permitted == facts.permitted
