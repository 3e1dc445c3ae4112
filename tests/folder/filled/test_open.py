"""Kinds that the query fills: its numbers, dates, quoted texts and words, and names it mentions."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.automaton.reduced import NothingLeft, without
from grammax.errors import FileFormatError, GrammaxError
from grammax.folder import FolderDomain, check_folder, read_folder
from grammax.folder.filled.forms import NotMentioned
from grammax.folder.filled.numbers import numerics
from grammax.folder.open import OpenFolder
from grammax.grammar.sample import Sampler
from grammax.language.changes import ChangesRefused, NewValue
from grammax.language.domain import Tokens
from grammax.model.config import ModelConfig
from grammax.model.header import new_reader
from grammax.reading.parse import automaton_for
from grammax.reading.reader import Query, QueryReader
from grammax.reading.words import WordVocabulary

GRAMMAR = """\
query: "(" "find" (condition | condition "&" condition)? ")"
condition: "(" field OP PRICE ")" | "(" "day" DAY ")" | "(" "called" title ")" | "(" "by" MAKER ")"
field: "price" | "(" "mean" field ")"
title: TITLE | QUOTED
OP: "<" | ">"
%declare PRICE DAY TITLE QUOTED MAKER
"""
FILLED = """
PRICE = "number"
DAY = "date"
TITLE = { fill = "text", case = "lower", spaces = "_", written = "t:{}" }
QUOTED = { fill = "quoted", spaces = "_", written = "'{}'" }
MAKER = "name"
"""
MAKERS = "token\tkind\taliases\nm:acme\tMAKER\tacme|acme corp\nm:orbit\tMAKER\torbit\n"
PAIRS = [
    ("under $2.5k", "( find ( price < 2500 ) )"),
    ("on June 5, 2019 over 3", "( find ( day 2019-06-05 ) & ( price > 3 ) )"),
    ("The Blue  Moon's tale", "( find ( called t:blue_moon's ) )"),
    ("'Blue Moon' by acme corp", "( find ( called 'Blue_Moon' ) & ( by m:acme ) )"),
    ("everything", "( find )"),
]
WORDS = st.lists(
    st.sampled_from(
        ["5", "2.50", "3k", "two", "may", "2019", "June 5, 2019", "Blue", "moon", "'Old Sea'", "?",
         "acme", "orbit", "the", "O'Neil", "minus 7", "5%", "x1.2.3"]
    ),
    min_size=1,
    max_size=9,
)  # fmt: skip


def write(folder: Path, grammar: str = GRAMMAR, filled: str = FILLED) -> Path:
    folder.mkdir(exist_ok=True)
    settings = f'name = "shop"\ntables = ["makers.tsv"]\n\n[filled]{filled}'
    train = "".join(f"{query}\t{lf}\n" for query, lf in PAIRS)
    files = {"domain.toml": settings, "grammar.lark": grammar, "makers.tsv": MAKERS}
    for name, text in {**files, "train.tsv": train, "test.tsv": train}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def domain(tmp_path_factory: pytest.TempPathFactory) -> OpenFolder:
    found = read_folder(write(tmp_path_factory.mktemp("open") / "shop"))
    assert isinstance(found, OpenFolder)
    return found


@pytest.fixture(scope="module")
def reader(domain: OpenFolder) -> QueryReader:
    model = ModelConfig(decisions_only=True, filled=True)
    return new_reader(model, domain, WordVocabulary(()))


def walked(query: Query, domain: OpenFolder, draw: Any) -> Tokens:
    """Any form that may be predicted for a query, with slots."""
    automaton = automaton_for(query, domain.automaton(domain.exact))
    state, found = automaton.start, []
    for _ in range(60):
        ids = list(automaton.next_tokens(state))
        ends = automaton.accepts(state)
        assert ids or ends, f"after {found} nothing may come, and the form is not complete"
        if not ids or (ends and draw(st.booleans())):
            break
        chosen = draw(st.sampled_from(ids))
        if len(found) > 30:  # the shortest way to an end
            chosen = min(
                ids, key=lambda i: automaton.tokens_to_accept(automaton.pass_token(state, i))
            )
        found.append(domain.vocabulary.tokens[chosen])
        state = automaton.pass_token(state, chosen)
    return tuple(found)


@given(WORDS, st.data())
def test_nothing_is_invented_and_every_prefix_can_be_completed(
    domain: OpenFolder, reader: QueryReader, words: list[str], data: st.DataObject
) -> None:
    query = reader.read(" ".join(words))
    slotted = walked(query, domain, data.draw)
    written = tuple(t for piece in query.written_pieces(slotted) for t in piece)
    assert domain.grammatical(written)
    kinds = {kind.kind: kind for kind in domain.settings.filled}
    numbers = {n for each in numerics(query.text) for n in (each.number, each.date) if n}
    for token in written:
        if token in domain.vocabulary:
            if token.startswith("m:"):
                assert token.removeprefix("m:") in words
        elif kinds["TITLE"].inner(token) is not None:
            said = " ".join(query.text.lower().split())
            assert str(kinds["TITLE"].text(token)) in said
        elif kinds["QUOTED"].inner(token) is not None:
            assert token.replace("_", " ") in query.text
        else:
            assert token in numbers
    again = query.filled(written)
    assert [t for piece in query.written_pieces(again) for t in piece] == [*written]


def test_pairs_have_slots_in_place_of_what_their_queries_mention(
    domain: OpenFolder, reader: QueryReader
) -> None:
    found = [
        " ".join(reader.read(pair.query).filled(pair.tokens)) for pair in domain.pairs("train")
    ]
    assert found[0] == "( find ( price < PRICE#0 ) )"
    assert found[1] == "( find ( day DAY#0 ) & ( price > PRICE#1 ) )"
    assert found[2] == "( find ( called TITLE:first#1 TITLE:last#4 ) )"
    assert found[3] == "( find ( called QUOTED#0 ) & ( by m:acme ) )"
    for pair in domain.pairs("train"):
        query = reader.read(pair.query)
        pieces = query.written_pieces(query.filled(pair.tokens))
        assert tuple(t for piece in pieces for t in piece) == pair.tokens


@pytest.mark.parametrize(
    ("listed", "expected"),
    [("first", ["m:acme", "m:orbit"]), ("last", ["MAKER:open:first#1", "m:orbit"])],
)
def test_a_kind_may_have_a_list_beside_what_the_query_fills(
    tmp_path: Path, listed: str, expected: list[str]
) -> None:
    settings = f'\nMAKER = {{ fill = "text", written = "m:{{}}", listed = "{listed}" }}\n'
    grammar = 'query: "by" MAKER\n%declare MAKER\n'
    domain = read_folder(write(tmp_path / "shop", grammar, settings))
    reader = new_reader(ModelConfig(filled=True), domain, WordVocabulary(()))
    query = reader.read("by acme, of oslo")
    found = [query.filled(("by", token))[1] for token in ("m:acme", "m:orbit")]
    assert found == expected
    slots = ("by", "MAKER:open:first#4", "MAKER:open:last#4")
    assert query.filled(("by", "m:oslo")) == slots
    assert [t for piece in query.written_pieces(slots) for t in piece] == ["by", "m:oslo"]
    assert domain.grammatical(("by", "m:any thing"))
    with pytest.raises(NotMentioned):
        query.filled(("by", "m:rome"))


def test_capitals_may_make_no_difference(tmp_path: Path) -> None:
    settings = '\nTITLE = { fill = "text", case = "any", written = "t:{}" }\n'
    grammar = 'query: "called" TITLE\n%declare TITLE\n'
    domain = read_folder(write(tmp_path / "shop", grammar, settings))
    reader = new_reader(ModelConfig(filled=True), domain, WordVocabulary(()))
    query = reader.read("the Blue  MOON")
    slotted = query.filled(("called", "t:blue Moon"))
    assert slotted == ("called", "TITLE:first#1", "TITLE:last#2")
    written = tuple(t for piece in query.written_pieces(slotted) for t in piece)
    assert written == ("called", "t:Blue MOON")
    assert domain.same(written, ("called", "t:blue moon"))
    assert not domain.same(written, ("called", "t:blue"))
    assert not domain.same(("Called",), ("called",))


def test_mistakes_are_told_by_what_is_wrong(domain: OpenFolder) -> None:
    form = domain.read("( find ( price < 2500 ) )")
    others = {
        "filled": "( find ( price < 7 ) )",
        "tokens": "( find ( price > 7 ) )",
        "structure": "( find ( < price 7 ) )",
    }
    for mistake, other in others.items():
        assert domain.mistake(domain.read(other), form) == mistake
    assert domain.mistake(form, domain.read("( find ( by m:orbit ) )")) == "unseen token"


def test_what_a_query_fills_is_shown_by_its_words(domain: OpenFolder) -> None:
    chips = domain.chips(domain.read("( find ( price < 2500 ) & ( called t:blue_moon ) )"))
    shown = {chip.token: (chip.label, chip.kind, chip.role) for chip in chips}
    assert shown["2500"] == ("2500", "PRICE", "number")
    assert shown["t:blue_moon"] == ("blue moon", "TITLE", "value")
    assert shown["<"][2] == "value"
    assert domain.search("PRICE#0", 5) == []


@pytest.mark.parametrize("kind", ["PRICE", "title", "QUOTED"])
def test_a_kind_that_queries_fill_needs_no_values(domain: OpenFolder, kind: str) -> None:
    with pytest.raises(ChangesRefused, match=f"'12' is not needed in {kind}, which queries fill"):
        domain.with_values([NewValue("12", kind)])


def test_a_text_may_end_before_it_begins(reader: QueryReader) -> None:
    query = reader.read("the blue moon")
    pieces = query.written_pieces(("TITLE:first#2", "TITLE:last#1"))
    assert [*pieces] == [(), ("t:blue_moon",)]


@pytest.mark.parametrize("ambiguous", [False, True])
def test_a_superset_never_forbids_what_the_exact_grammar_allows(
    tmp_path: Path, ambiguous: bool
) -> None:
    more = "condition: condition condition |" if ambiguous else "condition:"
    domain = read_folder(write(tmp_path / "shop", GRAMMAR.replace("condition:", more)))
    assert domain.exact == ("glr" if ambiguous else "lr")
    superset, exact = domain.automaton("superset"), domain.automaton(domain.exact)
    sampler = Sampler(domain.grammar)
    for seed in range(40):
        tokens = sampler.draw(Random(seed))
        before, state = superset.start, exact.start
        for token in tokens:
            permitted = exact.next_tokens(state).kind_numbers
            assert permitted <= superset.next_tokens(before).kind_numbers
            before, state = superset.pass_token(before, token), exact.pass_token(state, token)
        assert exact.accepts(state)
        assert superset.accepts(before)


def test_what_a_query_lacks_is_left_out_of_the_grammar(
    domain: OpenFolder, reader: QueryReader
) -> None:
    automaton = automaton_for(reader.read("'?'"), domain.automaton(domain.exact))
    state = automaton.start
    for token in ("(", "find", "("):
        state = automaton.pass_token(state, token)
    permitted = set(automaton.next_tokens(state).tokens)
    assert permitted == {"called"}  # no number for a price, no date, no maker


def test_a_grammar_of_which_nothing_is_left_says_so(tmp_path: Path) -> None:
    grammar = 'query: "over" PRICE\n%declare PRICE\n'
    domain = read_folder(write(tmp_path / "shop", grammar, '\nPRICE = "number"\n'))
    automaton = domain.automaton(domain.exact)
    with pytest.raises(NothingLeft, match="every logical form needs PRICE"):
        without(automaton, frozenset((domain.vocabulary.kind_number("PRICE"),)))
    reader = new_reader(ModelConfig(filled=True), domain, WordVocabulary(()))
    query = reader.read("nothing")
    permitted = automaton_for(query, automaton)  # the whole grammar, so that a form is found
    state = permitted.pass_token(permitted.start, "over")
    assert permitted.accepts(permitted.pass_token(state, "PRICE#0"))
    written = [token for piece in query.written_pieces(("over", "PRICE#0")) for token in piece]
    assert domain.unfilled(tuple(written)) == ("PRICE",)
    assert domain.unfilled(("over", "3")) == ()


def test_forms_are_read_whatever_a_query_may_fill(domain: OpenFolder) -> None:
    assert domain.grammatical(domain.read("( find ( price < 77.5 ) )"))
    assert domain.grammatical(domain.read("( find ( called t:a_b ) )"))
    for wrong in ("( find ( price < cheap ) )", "( find ( called t:A ) )", "( find ( price <"):
        assert not domain.grammatical(domain.read(wrong))
        with pytest.raises(GrammaxError):
            domain.require_meaning(domain.read(wrong))


def test_what_a_query_does_not_mention_is_told(domain: OpenFolder, reader: QueryReader) -> None:
    with pytest.raises(NotMentioned, match="does not mention '3': PRICE is filled by its number"):
        reader.read("over 4").filled(domain.read("( find ( price > 3 ) )"))


def test_a_token_that_is_mentioned_as_something_else_is_told(tmp_path: Path) -> None:
    grammar = 'query: "a" X | "a" Y "end"\n%declare X Y\n'
    settings = '\nX = "word"\nY = "quoted"\n'
    domain = read_folder(write(tmp_path / "shop", grammar, settings))
    reader = new_reader(ModelConfig(filled=True), domain, WordVocabulary(()))
    query = reader.read("a 'b c'")
    assert query.filled(("a", "b c", "end"))[1] == "Y#0"
    for tokens in (("a", "b c"), ("a", "d"), ("a", "Y#x", "end")):
        with pytest.raises(NotMentioned, match="the query does not mention"):
            query.filled(tokens)


def test_check_names_the_line_of_what_cannot_be_filled(tmp_path: Path) -> None:
    folder = write(tmp_path / "shop")
    assert {problem.code for problem in check_folder(folder).problems} == {"leak"}
    with (folder / "train.tsv").open("a") as file:
        file.write("under 20\t( find ( price < 30 ) )\nunder x\t( find ( price < x ) )\n")
    (folder / "test.tsv").write_text("old sea\t( find ( called t:Old_sea ) )\n")
    problems = [problem for problem in check_folder(folder).problems if problem.code != "leak"]
    assert [(p.code, p.location.line, p.severity) for p in problems] == [
        ("lf", 7, "error"),
        ("lf", 1, "error"),
        ("unsaid", 6, "warning"),
    ]
    messages = [problem.message for problem in problems]
    assert messages[0] == (
        "token 6 of the logical form: 'x' is not listed, and no PRICE, filled by its number"
    )
    assert messages[1].endswith(
        "'t:Old_sea' is not listed, and no TITLE, filled by its text or QUOTED, filled by its "
        "quoted, written as t:{} or as '{}'"
    )
    assert "does not mention '30': PRICE" in messages[2]


@pytest.mark.parametrize(
    ("filled", "message"),
    [
        ('\nPRISE = "number"\n', "filled: PRISE is not a kind of the grammar"),
        ('\nMAKER = "text"\n', "filled: MAKER has tokens in a table, and is filled by the query"),
    ],
)
def test_kinds_that_cannot_be_filled_are_refused(tmp_path: Path, filled: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        _ = read_folder(write(tmp_path / "shop", filled=filled)).version


def test_folders_without_such_kinds_stay_as_they_are(tmp_path: Path) -> None:
    folder = write(tmp_path / "shop", 'query: "by" MAKER\n%declare MAKER\n', "\n")
    assert type(read_folder(folder)) is FolderDomain
