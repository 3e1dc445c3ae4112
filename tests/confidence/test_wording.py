"""The wording of texts: what can be answered is told from what cannot, whatever is named."""

from __future__ import annotations

import pytest

from grammax.confidence.wording import Wording, abstracted, scores_of_others
from grammax.domains import load_domain
from grammax.model.config import ModelConfig
from grammax.model.header import new_reader
from grammax.reading.reader import QueryReader
from grammax.reading.words import WordVocabulary

QUERIES = (
    "german banks with a pe below 10",
    "steel companies in japan",
    "top 5 airlines by revenue",
    "microsoft revenue 2023",
    "banks in spain with no debt",
    "airlines with a yield above 5%",
)
OTHERS = (
    "why is tesla falling",
    "why did nestle fall",
    "should i buy siemens",
    "should i sell toyota",
    "what is the weather",
    "tell me the news of bayer",
)


@pytest.fixture(scope="module")
def reader() -> QueryReader:
    model = ModelConfig(decisions_only=True, filled=True)
    return new_reader(model, load_domain("eqs"), WordVocabulary(()))


@pytest.fixture(scope="module")
def wording(reader: QueryReader) -> Wording:
    return Wording.learn([reader.read(q) for q in QUERIES], [reader.read(q) for q in OTHERS])


def test_names_and_numbers_are_one_word_each(reader: QueryReader) -> None:
    words = abstracted(reader.read("why is deutsche bank down 5% since 2019"))
    assert words == ["why", "is", "<name>", "down", "<number>", "since", "<number>"]


def test_another_company_does_not_matter(reader: QueryReader, wording: Wording) -> None:
    assert wording.score(reader.read("why is volkswagen falling")) < 0
    assert wording.score(reader.read("french banks with a pe below 12")) > 0


def test_the_words_in_doubt_are_told(reader: QueryReader, wording: Wording) -> None:
    query = reader.read("why is volkswagen falling")
    assert [query.words[at] for at in wording.suspects(query)][:1] == ["why"]


def test_a_text_is_judged_without_itself(reader: QueryReader, wording: Wording) -> None:
    queries, others = ([reader.read(q) for q in some] for some in (QUERIES, OTHERS))
    unseen = scores_of_others(queries, others)
    assert unseen[4] > wording.score(others[4])  # its words occur in no other text


def test_without_texts_nothing_is_known(reader: QueryReader) -> None:
    wording = Wording.learn([reader.read(QUERIES[0])], [])
    assert wording.score(reader.read(QUERIES[0])) == 0.0
    assert Wording.from_json(wording.to_json()) == wording


def test_weights_survive_json(wording: Wording) -> None:
    assert Wording.from_json(wording.to_json()) == wording
