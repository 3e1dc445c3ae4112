"""The corpus: splits without leaks, well-typed logical forms, the same bytes for the same seed."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from domains.eqs.print_digests import SMALL, digest
from domains.eqs.shared import eqs
from variants import THOROUGH

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.domain import TRAINING_PAIRS, load_paper
from grammax.domains.eqs.paper import automata
from grammax.domains.eqs.words import EQUITY_STYLE
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.corpus.corpus import (
    SPLITS,
    Corpus,
    CorpusError,
    CorpusPair,
    generate,
    leaks,
    read_pairs,
    skeleton,
    write,
)
from grammax.tables.corpus.statistics import permitted_tokens, statistics
from grammax.tables.form.canonical import canonical
from grammax.tables.form.text import from_tokens
from grammax.tables.form.typecheck import check
from grammax.tables.lexicon import AGGREGATES, BY, CHANGE, POWERS_OF_TEN, RATIO

CATALOGUE_VERSION = "71720849b1be"
DIGESTS = {
    "eqs": "8366b5511bfda6746d88459a252407143ab70ca18aae9c4063f0ca8316527325",
    "eqs-paper": "421deae652130dd7d1d22e1af3beafc383cf95ecb148b012d2ab1615c03ffdcd",
}
"""Of the corpora as JSON lines. A deliberate change of the generator or of the catalogue changes
them: run `python tests/domains/eqs/print_digests.py`."""

PRINT_DIGESTS = Path(__file__).parent / "print_digests.py"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return eqs().corpus


def all_pairs(corpus: Corpus) -> list[CorpusPair]:
    return [pair for pairs in corpus.splits.values() for pair in pairs]


def test_test_sets_are_as_large_as_the_paper_s(corpus: Corpus) -> None:
    assert [len(corpus.splits[name]) for name in SPLITS] == [TRAINING_PAIRS, 331, 331, 331, 331]


def test_the_paper_s_corpus_has_its_size_and_its_constructs() -> None:
    corpus = load_paper().corpus
    assert [len(corpus.splits[name]) for name in SPLITS] == [1_981, 331, 331, 331, 331]
    assert leaks(corpus) == ()
    later = {*AGGREGATES, BY, RATIO, CHANGE}
    assert not any(later & set(pair.tokens) for pair in all_pairs(corpus))
    found = statistics(corpus, load_catalogue(), {}).splits[1]
    assert 0.02 < found.unseen_tokens < 0.1
    assert (corpus.version, digest(corpus)) == (CATALOGUE_VERSION, DIGESTS["eqs-paper"])


def test_nothing_leaks_between_splits(corpus: Corpus) -> None:
    assert leaks(corpus) == ()
    assert len({pair.query.casefold() for pair in all_pairs(corpus)}) == len(all_pairs(corpus))


def test_hard_sets_are_unseen_in_one_respect_each(corpus: Corpus) -> None:
    for name in ("unseen_values", "unseen_fields"):
        for pair in corpus.splits[name]:
            novel = [token for token in pair.tokens if token not in corpus.seen]
            assert novel
            assert all(token.startswith("FLD_") == (name == "unseen_fields") for token in novel)
            assert not any(token.startswith("CUR_") for token in novel)
            assert skeleton(pair.lf) in corpus.skeletons
    for pair in corpus.unseen_compositions:
        assert corpus.seen >= set(pair.tokens)
        assert skeleton(pair.lf) not in corpus.skeletons


def test_every_logical_form_is_well_typed(corpus: Corpus, catalogue: Catalogue) -> None:
    for pair in all_pairs(corpus):
        assert check(pair.lf, catalogue) == (), pair.query


def test_tokens_and_logical_form_are_the_same(corpus: Corpus) -> None:
    for pair in all_pairs(corpus):
        assert from_tokens(pair.tokens) == pair.lf


def test_nothing_is_said_twice(corpus: Corpus) -> None:
    """A canonical form that lost a part would mean that a query repeated itself."""
    for pair in all_pairs(corpus):
        assert skeleton(canonical(pair.lf)).count("(") == skeleton(pair.lf).count("("), pair.query


def test_every_grammar_accepts_what_it_covers(corpus: Corpus, catalogue: Catalogue) -> None:
    pairs = all_pairs(replace(corpus, train=corpus.train[:2_000]))
    within = [pair for pair in pairs if in_the_paper(pair)]
    assert len(within) > 500
    for name, automaton in automata(catalogue).items():
        covered = permitted_tokens(name, automaton, pairs).covered
        assert covered == (len(within) if name == "paper" else len(pairs)), name


def in_the_paper(pair: CorpusPair) -> bool:
    """No times, ranks, units, aggregates, groups, ratios, changes or fields as values."""
    structure = skeleton(pair.lf)
    beyond = any(token.startswith(("top", "bottom", "PCT", "BPS", "CUR_")) for token in pair.tokens)
    units = {*POWERS_OF_TEN, *AGGREGATES, BY, RATIO, CHANGE} & set(pair.tokens)
    return not (beyond or units or "@" in structure or "OP F" in structure)


def test_the_same_seed_gives_the_same_bytes_in_any_process() -> None:
    wanted = digest(generate(load_catalogue(2_000), EQUITY_STYLE, **SMALL))
    assert printed("small") == {"small": wanted}


@pytest.mark.slow
def test_the_published_corpora_have_the_same_bytes_in_any_process() -> None:
    assert printed() == {"catalogue": CATALOGUE_VERSION, **DIGESTS}


def printed(*arguments: str) -> dict[str, str]:
    """What another process finds, with other hashes of strings."""
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    command = [sys.executable, str(PRINT_DIGESTS), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return dict(line.split() for line in done.stdout.splitlines())


def test_the_corpus_is_the_one_that_was_published(corpus: Corpus) -> None:
    assert corpus.version == CATALOGUE_VERSION, "the catalogue changed: see DIGESTS"
    assert digest(corpus) == DIGESTS["eqs"]


def test_another_seed_gives_another_corpus() -> None:
    small = load_catalogue(2_000)
    one, other = (generate(small, EQUITY_STYLE, seed, train=50, test=5, hard=0) for seed in (0, 1))
    assert not {pair.query for pair in one.train} & {pair.query for pair in other.train}


def test_files_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    corpus = generate(load_catalogue(2_000), EQUITY_STYLE, seed=7, **SMALL)
    paths = write(corpus, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == [f"{name}.jsonl" for name in SPLITS]
    for path, pairs in zip(paths, corpus.splits.values(), strict=True):
        assert tuple(read_pairs(path)) == pairs


def test_a_catalogue_without_unseen_values_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grammax.tables.corpus.corpus._TRIES", 3)
    with pytest.raises(CorpusError, match=r"has no more\. Ask for fewer pairs"):
        generate(load_catalogue(1_000), EQUITY_STYLE, train=300, test=10, hard=300)


@pytest.mark.parametrize("size", [1_000, 10_000])
def test_other_sizes_of_the_catalogue_do_too(size: int) -> None:
    small = load_catalogue(size)
    corpus = generate(small, EQUITY_STYLE, train=300, test=30, hard=10)
    assert all(token in small or "_" not in token for pair in corpus.train for token in pair.tokens)
    assert leaks(corpus) == ()


def test_statistics_of_the_default_corpus(corpus: Corpus, catalogue: Catalogue) -> None:
    found = statistics(corpus, catalogue, automata(catalogue), sample=15)
    by_name = {split.name: split for split in found.splits}
    train, test = by_name["train"], by_name["test"]
    assert 18 <= train.lf_tokens.mean <= 23
    assert train.unseen_tokens == 0
    assert 0.002 < test.unseen_tokens < 0.03
    assert by_name["unseen_fields"].pairs_with_unseen_fields == 1
    assert by_name["unseen_values"].pairs_with_unseen_values == 1
    assert by_name["unseen_compositions"].unseen_skeletons == 1
    for construct in ("NOT", "OR", "display", "top", "time", "unit", "field against field"):
        assert train.constructs[construct] > 0.02, construct
    permitted = {grammar.name: grammar.mean_permitted for grammar in found.grammars}
    assert 5_000 < permitted["paper"] < 8_000
    assert permitted["lr typed"] < 850  # a tenth of the queries name companies, of 40,000
    assert permitted["lr typed"] <= permitted["superset typed"] < permitted["superset untyped"]
    assert len(found.sample) == 15


@pytest.mark.slow
def test_more_pairs_than_are_published_can_be_generated(catalogue: Catalogue) -> None:
    pairs = 100_000 if THOROUGH else 25_000
    assert len(generate(catalogue, EQUITY_STYLE, train=pairs).train) == pairs
