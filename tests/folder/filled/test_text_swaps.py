"""Training pairs with other texts, and with names that no table lists."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grammax.folder import read_folder
from grammax.folder.open import OpenFolder
from grammax.language.domain import Tokens
from grammax.model.config import ModelConfig
from grammax.model.header import new_reader
from grammax.reading.reader import Query, QueryReader
from grammax.reading.words import WordVocabulary
from grammax.training.augment.texts import TextSwaps

SETTINGS = """\
name = "songs"
tables = ["singers.tsv"]
[filled]
TITLE = { fill = "text", case = "lower", spaces = "_" }
SINGER = { fill = "text", case = "lower", spaces = "_", written = "s:{}", listed = "first" }
"""
GRAMMAR = """\
query: "song" TITLE ("by" SINGER)? | "all" "by" SINGER
%declare TITLE SINGER
"""
SINGERS = {"adele": "Adele", "sade": "Sade|sade adu", "nina_simone": "Nina Simone"}
PAIRS = {
    'play "Hello" of Adele': "song hello by s:adele",
    "I want Smooth Operator by Sade": "song smooth_operator by s:sade",
    "everything by nina simone": "all by s:nina_simone",
}


@pytest.fixture
def domain(tmp_path: Path) -> OpenFolder:
    rows = [f"s:{token}\tSINGER\t{names}" for token, names in SINGERS.items()]
    (tmp_path / "domain.toml").write_text(SETTINGS)
    (tmp_path / "grammar.lark").write_text(GRAMMAR)
    (tmp_path / "singers.tsv").write_text("\n".join(["token\tkind\taliases", *rows, ""]))
    found = read_folder(tmp_path)
    assert isinstance(found, OpenFolder)
    return found


def drawn(domain: OpenFolder, times: int) -> list[tuple[Query, Tokens]]:
    model = ModelConfig(decisions_only=True, filled=True)
    reader: QueryReader = new_reader(model, domain, WordVocabulary(()))
    assert reader.names is not None
    pairs = [(reader.read(query), tuple(form.split())) for query, form in PAIRS.items()]
    swaps, random = TextSwaps(domain, reader, reader.names, pairs), np.random.default_rng(1)
    found = (swaps.draw(*pair, random) for pair in pairs for _ in range(times))
    return [pair for pair in found if pair is not None]


def test_texts_come_from_other_pairs_and_forms_follow(domain: OpenFolder) -> None:
    found = drawn(domain, 30)
    assert len(found) > 60
    for query, tokens in found:
        assert domain.grammatical(tokens)
        pieces = query.written_pieces(query.filled(tokens))
        assert tuple(token for piece in pieces for token in piece) == tokens
    queries = {query.text for query, _ in found}
    assert 'play "Smooth Operator" of Adele' in queries
    assert "I want Hello by Sade" in queries


def test_texts_are_mixed_and_have_words_that_no_pair_has(domain: OpenFolder) -> None:
    titles = {tokens[1] for _, tokens in drawn(domain, 40) if tokens[0] == "song"}
    assert max(title.count("_") for title in titles) >= 2
    assert len(titles) > 15
    words = {word for title in titles for word in title.split("_")}
    assert words - {"hello", "smooth", "operator"}


def test_names_that_are_not_listed_are_filled_by_the_query(domain: OpenFolder) -> None:
    found = drawn(domain, 30)
    unlisted = [
        t[-1] for _, t in found if t[-1].startswith("s:") and t[-1] not in domain.vocabulary
    ]
    assert len({*unlisted}) > 10
