"""Why a token may or may not come next: in words, and as attributes."""

from __future__ import annotations

import pytest

from grammax import Grammar, lr, unrolled
from grammax.errors import TokenNotPermitted

GRAMMAR = Grammar.read(
    """
    start: "(" ENUM "EQ" COUNTRY ")" | "(" MONEY ("EQ" | "LT") MONEY ")" | start "AND" start2
    start2: "(" ENUM "EQ" COUNTRY ")"
    ENUM: "FLD_DOMICILE"
    MONEY: "FLD_PRICE" | "FLD_SALES"
    COUNTRY: "COU_CHAD" | "COU_CHILE" | "COU_CHINA" | "COU_PERU" | "COU_SPAIN"
    """
)
AUTOMATON = lr(GRAMMAR)


def test_a_token_that_is_not_permitted_is_explained() -> None:
    explanation = AUTOMATON.explain(["(", "FLD_DOMICILE"], "LT")
    assert str(explanation) == (
        'LT cannot follow "( FLD_DOMICILE" (token 3).\n'
        "    ( FLD_DOMICILE LT\n"
        "                   ^^\n"
        "Permitted here: EQ.\n"
        "LT is of the kind LT, which is not permitted here.\n"
        'Under way: start: "(" ENUM • "EQ" COUNTRY ")"'
    )
    assert explanation.prefix == ("(", "FLD_DOMICILE")
    assert explanation.kind == '"LT"'
    assert not explanation.is_permitted
    assert not explanation.complete
    assert [kind.kind for kind in explanation.by_kind] == ['"EQ"']


def test_the_error_tells_the_same_as_the_explanation() -> None:
    with pytest.raises(TokenNotPermitted) as refused:
        AUTOMATON.read(["(", "FLD_DOMICILE", "LT"])
    error, explanation = refused.value, AUTOMATON.explain(["(", "FLD_DOMICILE"], "LT")
    assert str(error) == str(explanation)
    assert error.explanation == explanation
    assert (error.token, error.permitted, error.nearest) == (
        explanation.token, explanation.permitted, explanation.nearest,
    )  # fmt: skip


def test_a_single_step_knows_no_prefix() -> None:
    state = AUTOMATON.read(["(", "FLD_DOMICILE"])
    with pytest.raises(TokenNotPermitted, match=r"^LT cannot follow here\.\nPermitted here: EQ"):
        AUTOMATON.pass_token(state, "LT")


def test_kinds_are_shown_with_their_size_and_a_few_tokens() -> None:
    explanation = AUTOMATON.explain(["(", "FLD_DOMICILE", "EQ"], "COU_CHNA")
    (kind,) = explanation.by_kind
    assert (kind.kind, kind.size) == ("COUNTRY", 5)
    assert str(kind) == "COUNTRY (5: COU_CHAD, COU_CHILE, COU_CHINA, COU_PERU, ...)"
    assert explanation.nearest[0] == "COU_CHINA"
    assert explanation.kind is None
    assert "COU_CHNA is not in the vocabulary. Nearest permitted: COU_CHINA" in str(explanation)


def test_a_token_that_is_permitted_is_said_to_be() -> None:
    explanation = AUTOMATON.explain([], "(")
    assert explanation.is_permitted
    assert explanation.nearest == ()
    assert str(explanation).startswith("( can begin a sentence.\nPermitted here: (.")
    assert "can follow" in str(AUTOMATON.explain(["("], AUTOMATON.vocabulary.id("FLD_SALES")))


def test_a_complete_sentence_may_also_end() -> None:
    sentence = ["(", "FLD_PRICE", "LT", "FLD_SALES", ")"]
    explanation = AUTOMATON.explain(sentence, "OR")
    assert explanation.complete
    assert "Permitted here: AND, or the end." in str(explanation)
    ended = lr(Grammar.read('start: "x"')).explain(["x"], "x")
    assert "Nothing is permitted here: the sentence is complete." in str(ended)


def test_of_a_long_prefix_the_end_is_shown_with_the_mark_in_its_place() -> None:
    prefix = ["(", "FLD_PRICE", "LT", "FLD_SALES", ")", "AND", "(", "FLD_DOMICILE"]
    headline, line, marks, *_ = str(AUTOMATON.explain(prefix, "FLD_SALES")).split("\n")
    assert headline == (
        'FLD_SALES cannot follow "... LT FLD_SALES ) AND ( FLD_DOMICILE" (token 9).'
    )
    assert line[marks.index("^") : marks.rindex("^") + 1] == "FLD_SALES"
    assert marks.count("^") == len("FLD_SALES")


def test_of_many_kinds_the_first_are_shown() -> None:
    grammar = Grammar.read("start: " + " | ".join(f'"t{i}"' for i in range(20)))
    assert "; and 12 more kinds." in str(lr(grammar).explain([], "x"))


def test_where_an_unrolled_prefix_stands_is_told_by_rules() -> None:
    grammar = Grammar.read('start: "(" start ")" | item ";"\nitem: "x" item "y" | "z"')
    where = unrolled(grammar).explain(["(", "x"], ")").where
    assert where
    assert all(line.startswith("in item in item in start in start") for line in where)
