"""The language of tables whose rows have one value of a field: grammar, forms and mentions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from grammax.automaton.walk import accepts_tokens
from grammax.grammar import Sampler
from grammax.model.config import ModelConfig
from grammax.model.header import new_reader
from grammax.reading.parse import automaton_for
from grammax.reading.words import WordVocabulary
from grammax.tables import grammar as grammars
from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.domain import TableDomain
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.filling import NotMentioned
from grammax.tables.form.operands import quoted, unquoted
from grammax.tables.form.text import from_tokens, read, to_tokens
from grammax.tables.form.typecheck import check
from grammax.tables.schema import Entity, EnumType, NumberType, Schema, SchemaError, TextType

FILMS = Catalogue.from_entries(
    Schema(
        "films",
        Entity("film", "films", key="title"),
        enums=(
            EnumType("GENRE", "GEN_", "genre", semantic="CATEGORY"),
            EnumType("COUNTRY", "COU_", "country", place=True, semantic="PLACE"),
            EnumType("SERIES", "SER_", "series", open=True, searched=True, semantic="NAME"),
        ),
        numbers=(
            NumberType("MINUTES", unit="minutes", semantic="DURATION"),
            NumberType("COUNT", semantic="COUNT"),
            NumberType("DATE", dates=True, semantic="DATE"),
        ),
        texts=(
            TextType("PHONE", semantic="PHONE", searched=False),
            TextType("TITLE", semantic="NAME"),
            TextType("PLOT", semantic="TEXT"),
        ),
        history=False,
    ),
    [
        Field("FLD_GENRE", "GENRE", "Genre"),
        Field("FLD_COUNTRY", "COUNTRY", "Country"),
        Field("FLD_LENGTH", "MINUTES", "Length", ("running time",)),
        Field("FLD_AWARDS", "COUNT", "Awards"),
        Field("FLD_RELEASED", "DATE", "Release date", ("released",)),
        Field("FLD_PHONE", "PHONE", "Phone"),
        Field("FLD_TITLE", "TITLE", "Title"),
        Field("FLD_PLOT", "PLOT", "Plot"),
        Field("FLD_SERIES", "SERIES", "Series"),
    ],
    [
        Value("GEN_DRAMA", "GENRE", "Drama"),
        Value("GEN_WAR", "GENRE", "War"),
        Value("COU_FRANCE", "COUNTRY", "France"),
        Value("COU_ITALY", "COUNTRY", "Italy"),
        Value("SER_ALIEN", "SERIES", "Alien saga"),
    ],
)
DOMAIN = TableDomain(FILMS)
QUERIES = (
    "latest release date of drama films", "films", "5 longest films", "release date average",
    "films released after 1980", "awards by country", "phone of french films",
    "films whose title contains star", "plot about love and war", "director of the lost weekend",
)  # fmt: skip


TEXTS = ("star", "the big sleep", '"', "\\", "(", ")", "100 %", "AND", "a#1", "日本", "x y (z)")


def with_texts(tokens: Sequence[str], random: Random) -> list[str]:
    """The tokens with a text for each slot, as logical forms are written."""
    return [quoted(random.choice(TEXTS)) if t.startswith("TEXT#") else t for t in tokens]


def test_sampled_forms_are_read_back_and_well_typed() -> None:
    sampler, random = Sampler(grammars.grammar(FILMS.lexicon), max_depth=8), Random(0)
    for _ in range(500):
        form = from_tokens(with_texts(sampler.draw(random), random), FILMS)
        assert read(str(form), FILMS) == form
        assert from_tokens(to_tokens(form), FILMS) == form
        codes = {judgement.code for judgement in check(form, FILMS)}
        assert codes <= {"summary", "group", "time", "count", "number"}, form
        assert paraphrase(form, FILMS)


def test_no_grammar_forbids_what_the_exact_one_allows() -> None:
    sampler, random = Sampler(grammars.grammar(FILMS.lexicon), max_depth=8), Random(1)
    automata = [DOMAIN.automaton(name) for name in DOMAIN.grammars]
    for _ in range(100):
        tokens = with_texts(sampler.draw(random), random)
        assert all(accepts_tokens(automaton, tokens) for automaton in automata), tokens


@pytest.mark.parametrize("query", QUERIES)
def test_every_prefix_that_a_query_permits_can_be_completed(query: str) -> None:
    read_query = new_reader(ModelConfig(filled=True), DOMAIN, WordVocabulary(())).read(query)
    automaton, random = automaton_for(read_query, DOMAIN.automaton("filled")), Random(2)
    for _ in range(300):
        state = automaton.start
        for _ in range(25):
            permitted = automaton.next_tokens(state)
            if not permitted.size:
                assert automaton.accepts(state)
                break
            state = automaton.pass_token(state, random.choice(list(permitted)))


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ("(FLD_RELEASED GR 2018 JUN 3)", ""),
        ("(FLD_RELEASED GR 12)", "12 is a number"),
        ("(FLD_LENGTH GR (average FLD_LENGTH))", ""),
        ("(FLD_LENGTH GR (average FLD_AWARDS))", "is of the type COUNT"),
        ("(AND (count FLD_GENRE) (by FLD_AWARDS))", ""),
        ("(FLD_LENGTH(2020) GR 5)", "no values of other times"),
        ("(average FLD_RELEASED)", "has dates"),
        ("(FLD_LENGTH EQ LAST MONTH)", "is a time"),
        ("(FLD_PHONE EQ GEN_DRAMA)", "a text"),
        ('(FLD_TITLE CONTAINS "star")', ""),
        ('(FLD_SERIES CONTAINS "alien")', ""),
        ('(FLD_PHONE CONTAINS "555")', "CONTAINS searches texts"),
        ('(FLD_LENGTH CONTAINS "5")', "CONTAINS searches texts"),
        ("(display FLD_PHONE)", ""),
    ],
)
def test_types_of_the_dialect(form: str, problem: str) -> None:
    found = [judgement.message for judgement in check(read(form, FILMS), FILMS)]
    assert (problem in found[0]) if problem else not found


def test_dates_and_history_exclude_one_another() -> None:
    with pytest.raises(SchemaError, match="times would mean both"):
        Schema("films", Entity("film", "films"), numbers=(NumberType("DATE", dates=True),))


def test_a_singular_is_one_and_a_year_of_a_date_is_a_time() -> None:
    query = "the longest film released since 1990"
    mentions = DOMAIN.mentions(query)
    form = to_tokens(read("(AND (FLD_RELEASED GE 1990) (top 1 FLD_LENGTH))", FILMS))
    filled = DOMAIN.filled(form, mentions)
    assert "ONE" in filled
    assert "TIME#0" in filled
    assert sum(map(tuple, DOMAIN.written_pieces(filled, mentions)), ()) == form


@pytest.mark.parametrize(
    ("query", "form"),
    [
        ("films whose title contains Star", '(FLD_TITLE CONTAINS "star")'),
        ("films not about broken glass", '(NOT (FLD_PLOT CONTAINS "broken glass"))'),
        (
            'films called "the big sleep" of 1946',
            '(AND (FLD_TITLE CONTAINS "the big sleep") (FLD_RELEASED EQ 1946))',
        ),
    ],
)
def test_a_text_of_the_query_fills_its_slot(query: str, form: str) -> None:
    tokens, mentions = to_tokens(read(form, FILMS)), DOMAIN.mentions(query)
    filled = DOMAIN.filled(tokens, mentions)
    assert any(token.startswith("TEXT#") for token in filled)
    written = sum(map(tuple, DOMAIN.written_pieces(filled, mentions)), ())
    assert DOMAIN.same(written, tokens)
    asked = new_reader(ModelConfig(filled=True), DOMAIN, WordVocabulary(())).read(query)
    assert accepts_tokens(automaton_for(asked, DOMAIN.automaton("filled")), filled)


def test_a_text_that_nobody_typed_cannot_be_predicted() -> None:
    tokens = to_tokens(read('(FLD_TITLE CONTAINS "casablanca")', FILMS))
    with pytest.raises(NotMentioned, match="casablanca"):
        DOMAIN.filled(tokens, DOMAIN.mentions("films called the big sleep"))


@pytest.mark.parametrize("query", QUERIES)
def test_the_texts_of_forms_are_words_of_the_query(query: str) -> None:
    reader = new_reader(ModelConfig(filled=True), DOMAIN, WordVocabulary(()))
    read_query = reader.read(query)
    automaton, random = automaton_for(read_query, DOMAIN.automaton("filled")), Random(3)
    for _ in range(200):
        state, drawn = automaton.start, list[str]()
        while (permitted := automaton.next_tokens(state)).size and len(drawn) < 25:
            row = random.choice(list(permitted))
            drawn.append(automaton.vocabulary.tokens[row])
            state = automaton.pass_token(state, row)
        for token in drawn:
            if token.startswith("TEXT#"):
                ((text,),) = DOMAIN.written_pieces((token,), read_query.mentions)
                assert (unquoted(text) or "missing") in query


def test_the_words_of_a_text_stay_words_of_the_query() -> None:
    reader = new_reader(ModelConfig(filled=True), DOMAIN, WordVocabulary(()))
    query = reader.read('films called "ocean 11" after 1990')
    assert query.words == ("films", "called", '"', "ocean", "<number>", '"', "after", "<time>")
    vocabulary = DOMAIN.vocabulary
    texts = [n for n in query.names if vocabulary.tokens[n.ids[0]].startswith("TEXT#")]
    assert ("ocean", "<number>") in [query.words[n.start : n.stop] for n in texts]
