"""Many tables as one training set, and the model that is trained on it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from grammax.base_model.columns import Headers
from grammax.base_model.family import TableExamples, TableFamily, common_words, plain_words
from grammax.base_model.schemas import SchemaDrawer
from grammax.language.domain import Pair
from grammax.model.config import ModelConfig, TrainingConfig
from grammax.model.header import decoding_grammar, new_reader
from grammax.reading.words import WordVocabulary
from grammax.tables.corpus.corpus import generate
from grammax.tables.domain import TableDomain
from grammax.tables.own.catalogue import catalogue_of
from grammax.tables.semantics import SemanticClass
from grammax.training.examples import trainable

MODEL = ModelConfig(
    words=48, encoder=48, tokens=48, hidden=96, spelling=48, decisions_only=True, filled=True
)
QUESTIONS = 30
ROWS = (
    ("Country", ("France", "Germany", "Italy", "Spain")),
    ("Team", ("Red Wings", "Blue Jays", "Lions")),
    ("Score", ("3", "14", "27")),
    ("Date", ("June 3, 2004", "May 12, 1999", "April 1, 2011")),
)


@pytest.fixture(scope="module")
def drawer(tmp_path_factory: pytest.TempPathFactory) -> SchemaDrawer:
    folder = tmp_path_factory.mktemp("wikisql")
    with gzip.open(folder / "train.jsonl.gz", "wt", encoding="utf-8") as file:
        for column, values in ROWS:
            for value in values:
                form = ["SELECT", "NONE", "COL:x", "WHERE", f"COL:{column.upper()}", "="]
                row = {"question": "?", "table": "1", "lf": [*form, f"VAL:{value}"]}
                file.write(json.dumps(row) + "\n")
    return SchemaDrawer(Headers.load(folder))


def domain_of(drawer: SchemaDrawer, seed: int) -> TableDomain:
    return TableDomain(catalogue_of(drawer.draw(seed), "table"))


def pairs_of(domain: TableDomain, seed: int) -> list[Pair]:
    corpus = generate(domain.catalogue, seed=seed, train=QUESTIONS, test=0, hard=0)
    return [Pair(pair.query, pair.tokens) for pair in corpus.train]


def test_headers_are_classified_by_name_and_values(drawer: SchemaDrawer) -> None:
    by_class = drawer.headers.by_class
    labels = {of: [header.label for header in found] for of, found in by_class.items()}
    assert "country" in labels[SemanticClass.PLACE]
    assert "date" in labels[SemanticClass.DATE]
    assert "price" in labels[SemanticClass.MONEY]  # a concept
    assert "France" in drawer.headers.values[SemanticClass.PLACE]


def test_equal_seeds_draw_equal_tables(drawer: SchemaDrawer) -> None:
    assert drawer.draw(5) == drawer.draw(5)
    assert drawer.draw(5) != drawer.draw(6)


@pytest.mark.parametrize("seed", range(12))
def test_any_drawn_table_is_a_domain(drawer: SchemaDrawer, seed: int) -> None:
    domain = domain_of(drawer, seed)
    for pair in pairs_of(domain, seed):
        assert domain.well_typed(pair.tokens), pair.query


def test_a_family_says_what_its_tables_say(drawer: SchemaDrawer) -> None:
    """Words, features, targets and options of an example are those of its own table."""
    domains = [domain_of(drawer, seed) for seed in (1, 2, 3)]
    pairs = [pairs_of(domain, seed) for seed, domain in enumerate(domains)]
    tables = [
        TableExamples.of(domain, given, MODEL) for domain, given in zip(domains, pairs, strict=True)
    ]
    family = TableFamily(tables, MODEL, common_words(tables, least=1))
    drawn = iter(family.draw(range(len(family)), False, np.random.default_rng(0)))
    spelt = family.spelt()
    for domain, given in zip(domains, pairs, strict=True):
        reader = new_reader(MODEL, domain, WordVocabulary(()))
        automaton = domain.automaton(decoding_grammar(MODEL, domain))
        assert reader.names is not None
        rows, tokens = reader.names.rows(), domain.vocabulary.tokens
        for _, own in trainable(given, reader, automaton, True)[0]:
            shared = next(drawn)
            assert shared.query.words == own.query.words
            np.testing.assert_array_equal(shared.query.features, own.query.features)
            assert [_own_text(family, t) for t in shared.targets] == [
                tokens[t] if t < len(tokens) else "" for t in own.targets
            ]
            for theirs, ours in zip(shared.options, own.options, strict=True):
                assert (theirs is None) == (ours is None)
                if theirs is not None and ours is not None:
                    found = {_own_text(family, row) for row in theirs.permitted}
                    assert found == {tokens[row] for row in ours.permitted}
            for row, other in zip(shared.targets, own.targets, strict=True):
                if other < len(tokens) and "\x1f" in family.vocabulary.tokens[row]:
                    np.testing.assert_array_equal(spelt[row], rows[other])


def _own_text(family: TableFamily, row: int) -> str:
    tokens = family.vocabulary.tokens
    return tokens[row].rpartition("\x1f")[2] if row < len(tokens) else ""


def test_plain_words_name_nothing(drawer: SchemaDrawer) -> None:
    domains = [domain_of(drawer, seed) for seed in range(6)]
    tables = [TableExamples.of(d, pairs_of(d, n), MODEL) for n, d in enumerate(domains)]
    plain = plain_words(tables)
    assert plain & {"the", "of", "show", "what"}
    assert "france" not in plain


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")
def test_a_model_of_some_tables_reads_another_one(drawer: SchemaDrawer, tmp_path: Path) -> None:
    """Trained on a few tables, it reads questions of theirs, in PyTorch and in the runtime."""
    pytest.importorskip("torch")
    from grammax.base_model.train import BaseTrainer
    from grammax.model.checkpoint import load_network, save_network
    from grammax.model.parser import TorchParser
    from grammax.runtime.parser import RuntimeParser

    domains = [domain_of(drawer, seed) for seed in (1, 2)]
    pairs = [pairs_of(domain, seed) for seed, domain in enumerate(domains)]
    tables = [TableExamples.of(d, p, MODEL) for d, p in zip(domains, pairs, strict=True)]
    config = TrainingConfig(
        grammar="filled", epochs=140, p_recombine=0, p_renumber=0, p_swap=0, held_out=0, batch=8
    )
    trainer = BaseTrainer(tables, MODEL, config, workers=0)
    losses = [trainer.run().loss for _ in range(config.epochs)]
    assert losses[-1] < 0.3 * losses[0]
    path = tmp_path / "model.safetensors"
    save_network(path, trainer.header(), trainer.tensors())
    for domain, given in zip(domains, pairs, strict=True):
        runtime = RuntimeParser.load(path, domain)
        torch_parser = TorchParser(load_network(path, domain), runtime.automaton)
        found = [runtime.parse(pair.query).tokens for pair in given]
        assert found == [torch_parser.parse(pair.query).tokens for pair in given]
        right = [domain.same(f, p.tokens) for f, p in zip(found, given, strict=True)]
        assert sum(right) > 0.5 * len(right)
    other = domain_of(drawer, 9)  # with kinds in another order: the same tokens have the same rows
    assert RuntimeParser.load(path, other).parse(pairs_of(other, 9)[0].query).tokens
