"""Text and tokens of logical forms, and back."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables.form.samples import CATALOGUE, alternating, logical_forms, nested_nots

from grammax.grammar import Sampler
from grammax.tables.form.text import from_tokens, prefix_tokens, pretty, read, to_tokens, write
from grammax.tables.form.tree import (
    Display,
    EnumValue,
    FieldRef,
    LogicalFormError,
    Not,
    Number,
    Rank,
    Relational,
    Text,
)
from grammax.tables.grammar import grammar

STEEL = (
    "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY))) "
    "(FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE)) "
    "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))"
)
FIGURE_1 = {
    "(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_RETURN_ON_CAP))": """\
(AND
    (FLD_INDEX EQ enumValue(IDX_SP500))
    (display FLD_RETURN_ON_CAP))""",
    STEEL: """\
(AND
    (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY)))
    (FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE))
    (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))""",
}
IDENTITY = [
    *FIGURE_1,
    "(FLD_PRICE(2018 JUN 23) EQ 100 CUR_USD)",
    "(FLD_PRICE(2018) EQ 1.50)",
    "(FLD_PRICE(0018 DEC) LS -0.5 THOUSAND)",
    "(FLD_MKT_CAP(LAST QUARTER) GR 1.5 BILLION CUR_USD)",
    "(FLD_MKT_CAP(Q2 2024) GE FLD_MKT_CAP(FY 2023))",
    "(FLD_RETURN_ON_CAP NEQ 5 PCT)",
    "(FLD_RETURN_ON_CAP LE 007.50 BPS)",
    "(top 10 FLD_MKT_CAP(LAST 3 MONTH))",
    "(bottom 1 FLD_MOODY)",
    "(display FLD_PB_RATIO(LAST 1 YEAR) DESC)",
    "(OR (NOT (NOT (display FLD_EPS))) (FLD_MOODY LS enumValue(MDY_BAA3)))",
    f"(FLD_MKT_CAP GR {'1234567890' * 40})",
    "(top FLD_MKT_CAP)",
    "(bottom FLD_MKT_CAP(FY 2023))",
    "((ratio FLD_MKT_CAP FLD_SALES_REV_TURN) GR 2)",
    "(display (ratio FLD_MKT_CAP(2023) FLD_EPS(LAST YEAR)) DESC)",
    "((change FLD_EPS(LAST 3 YEAR)) LS -20 PCT)",
    "(top 5 (change FLD_EPS(2020)))",
    "(display (change FLD_EPS(2018 JUN 23)))",
    "(AND (count) (by FLD_DOMICILE) ((count) GE 5) (top 3 (count)))",
    "(AND (sum FLD_MKT_CAP(2023)) (by YEAR) ((median FLD_EPS) LS 5 CUR_USD) (top (max FLD_EPS)))",
]
BUILDS = pytest.mark.parametrize("build", [nested_nots, alternating])
ATOM = Relational(FieldRef("FLD_PRICE"), "GR", Number("5"))


@pytest.mark.parametrize("text", IDENTITY)
def test_text_survives_a_round_trip(text):
    assert write(read(text)) == text
    assert from_tokens(to_tokens(read(text))) == read(text)


@given(logical_forms)
def test_text_tokens_and_pretty_text_read_back_as_the_same(lf):
    assert read(write(lf)) == lf
    assert from_tokens(to_tokens(lf)) == lf
    assert read(pretty(lf)) == lf
    assert read(" ".join(to_tokens(lf))) == lf


@pytest.mark.parametrize("typed", [True, False])
def test_every_sentence_of_the_grammar_is_read(typed):
    sampler = Sampler(grammar(CATALOGUE.lexicon, typed=typed))
    for seed in range(200):
        sentence = sampler.draw(Random(seed))
        lf = from_tokens(sentence)
        assert from_tokens(to_tokens(lf)) == lf
        again = [t for t in to_tokens(lf) if t != "0"]
        assert again == [t for t in sentence if t != "0"]  # counts and days lose leading zeros


def test_tokens_are_one_per_digit_and_without_enum_value():
    assert " ".join(to_tokens(read(STEEL))) == (
        "( AND ( NOT ( FLD_DOMICILE EQ COU_GERMANY ) ) ( FLD_DOMICILE EQ COU_WESTERN_EUROPE ) "
        "( FLD_EQS_SECTOR EQ SEC_GICS_STEEL ) )"
    )
    dated = "(FLD_PRICE(2018 JUN 23) GR -1.5 BILLION CUR_USD)"
    assert " ".join(to_tokens(read(dated))) == (
        "( FLD_PRICE ( 2 0 1 8 JUN 2 3 ) GR - 1 . 5 BILLION CUR_USD )"
    )


@pytest.mark.parametrize(("text", "expected"), FIGURE_1.items())
def test_pretty_text_is_that_of_figure_1(text, expected):
    assert pretty(read(text)) == expected


def test_pretty_text_indents_what_is_nested():
    lf = read("(NOT (OR (display A) (AND (NOT (display B)) (display C))))")
    assert pretty(lf, indent=2) == (
        "(NOT (OR\n  (display A)\n  (AND\n    (NOT (display B))\n    (display C))))"
    )


@pytest.mark.parametrize(
    "text",
    [
        "\n( FLD_DOMICILE\tEQ enumValue ( COU_GERMANY ) )  ",
        "(FLD_DOMICILE EQ COU_GERMANY)",
        "(FLD_DOMICILE\u00a0EQ(COU_GERMANY))".replace("EQ(", "EQ enumValue("),
    ],
)
def test_white_space_and_enum_value_do_not_matter(text):
    assert write(read(text)) == "(FLD_DOMICILE EQ enumValue(COU_GERMANY))"


def test_names_that_no_catalogue_knows_are_read():
    assert read("(france GE 2)") == Relational(FieldRef("france"), "GE", Number("2"))
    assert read("(display Größe)") == Display(FieldRef("Größe"))
    assert read("(top 0010 FLD_X)") == Rank("top", 10, FieldRef("FLD_X"))


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("", 0, "nothing was given"),
        ("  \n ", 0, "nothing was given"),
        ("(", 1, "The end cannot begin a constraint"),
        ("(AND (display A)", 16, "too early: 1 parenthesis is not closed"),
        ("(NOT (NOT (display A)", 21, "too early: 2 parentheses are not closed"),
        ("(display A))", 11, r"\) cannot follow: the logical form is complete"),
        ("(display A) x", 12, "x cannot follow"),
        ("()", 1, r"\) cannot begin a constraint"),
        ("((display A))", 1, r"\( cannot begin a constraint"),
        ("FLD_X EQ 5", 0, "A constraint stands in parentheses"),
        ("(AND FLD_X EQ 5)", 5, "FLD_X cannot stand where a constraint must"),
        ("(AND (display A))", 1, "AND was given 1 constraint"),
        ("(OR (display A) (display B) (display C))", 1, "OR was given 3 constraints"),
        ("(NOT)", 1, "NOT was given 0 constraints"),
        ("(NAD (display A) (display B))", 1, "Did you mean AND?"),
        ("(FLD_X GT 5)", 7, "GT is not an operator(.|\n)*Did you mean GR?"),
        ("(FLD_X >= 5)", 7, "Did you mean GE?"),
        ("(FLD_X greater 5)", 7, "Permitted here: EQ, NEQ, LS, LE, GR, GE, CONTAINS."),
        ("(FLD_X EQ)", 9, r"\) is not a value"),
        ("(FLD_X EQ 1,000)", 10, "numbers in plain digits"),
        ("(FLD_X EQ 1 000)", 10, "1 000 is more than one number"),
        ("(FLD_X EQ 1.)", 10, "1. is not a number"),
        ("(FLD_X EQ --1)", 10, "--1 is not a number"),
        ("(FLD_X EQ ٣)", 10, "٣ is not a value"),
        ("(FLD_X EQ 5 USD)", 12, "USD cannot follow 5(.|\n)*a unit"),
        ("(FLD_X EQ 5 PCT CUR_USD)", 16, r"Permitted here: \)."),
        ("(FLD_X EQ enumValue(FLD_Y))", 20, "FLD_Y is not a value"),
        ("(FLD_X EQ enumValue COU_GERMANY)", 20, "COU_GERMANY cannot follow enumValue"),
        ("(FLD_X EQ AND)", 10, "AND is not a value"),
        ("(top ten FLD_X)", 5, "ten is not a count"),
        ("(top -5 FLD_X)", 5, "-5 is not a count"),
        (f"(top {'9' * 1001} FLD_X)", 5, "is not a count(.|\n)*1 to 1000 digits"),
        ("(top 5)", 6, r"\) cannot be a field"),
        ("(display FLD_X UP)", 15, "Permitted here: ASC, DESC"),
        ("(display FLD_X())", 15, r"\) is not a time"),
        ("(display FLD_X(18))", 15, "18 is not a year"),
        ("(display FLD_X(2018 JUN 123))", 24, "123 is not a day"),
        ("(display FLD_X(LAST 3 MONTHS))", 22, "MONTHS is not a unit of time"),
        ("(display FLD_X(2018 APRIL))", 20, "APRIL cannot follow 2018(.|\n)*A time is a year"),
        ("(top ten (count))", 5, "ten is not a count"),
        ("(top 5 (display A))", 8, "display cannot stand here(.|\n)*ratio FIELD FIELD(.|\n)*count"),
        ("(top ((count)))", 6, r"\( cannot stand here"),
        ("(ratio FLD_A FLD_B)", 1, r"ratio cannot begin(.|\n)*\(\(ratio A B\) GR 2\)"),
        ("((ratio FLD_A) GR 2)", 13, r"\) cannot be a field"),
        ("((ratio FLD_A FLD_B FLD_C) GR 2)", 20, "FLD_C cannot follow FLD_B"),
        ("((ratio FLD_A 2) GR 2)", 14, "2 cannot be a field"),
        ("((ratio FLD_A FLD_B))", 20, r"\) is not an operator"),
        ("((change FLD_A) GR 2)", 14, "a change needs a time"),
        ("(change FLD_A(2018))", 1, r"change cannot begin(.|\n)*GR 2"),
        ("(count 5)", 7, "5 cannot be a field"),
        ("(average)", 8, r"\) cannot be a field"),
        ("(average (ratio A B))", 9, r"\( cannot be a field"),
        ("(avg FLD_A)", 1, "avg cannot stand before the field FLD_A(.|\n)*mean average"),
        ("(display (count))", 10, "count cannot stand here(.|\n)*change"),
        ("(by DAY)", 4, "DAY cannot be a field(.|\n)*MONTH, QUARTER, YEAR"),
        ("(by)", 3, r"\) cannot be a field"),
        ("((count) 5)", 9, "5 is not an operator"),
        ("((count) GR (ratio A B))", 12, r"\( is not a value"),
        ("（display A）", 0, "cannot stand where a constraint must"),
        ("\u202e(display A)", 0, r"'\\u202e' cannot stand"),
    ],
)
def test_what_is_no_logical_form_is_refused_with_its_place(text, position, message):
    with pytest.raises(LogicalFormError, match=message) as caught:
        read(text)
    assert caught.value.position == position
    assert caught.value.hint


def test_an_error_shows_the_place_on_its_line():
    with pytest.raises(LogicalFormError) as caught:
        read("(AND\n\t(FLD_DOMICILE EQ COU_GERMANY)\n\t(FLD_PRICE over 5))")
    assert str(caught.value) == (
        "over is not an operator (line 3, column 13).\n"
        "     (FLD_PRICE over 5))\n"
        "                ^^^^\n"
        "Permitted here: EQ, NEQ, LS, LE, GR, GE, CONTAINS."
    )


def test_an_error_in_a_long_line_shows_only_what_is_near():
    text = f"(AND {'(display FLD_X) ' * 1000}(FLD_X EQ) {'(display FLD_X) ' * 1000})"
    with pytest.raises(LogicalFormError) as caught:
        read(text)
    first, second = caught.value.excerpt.splitlines()
    assert first[second.index("^")] == ")"
    assert first.startswith("    ... ")
    assert first.endswith(" ...")
    assert len(first) < 100


def test_an_error_in_tokens_tells_which_token():
    with pytest.raises(LogicalFormError) as caught:
        from_tokens(["(", "NOT", "(", "FLD_X", "GR", *"1000x", ")"])
    assert caught.value.position == 9
    assert "x cannot follow 0 (token 10)" in str(caught.value)
    first, second = caught.value.excerpt.splitlines()
    assert first[second.index("^")] == "x"


@pytest.mark.parametrize("tokens", [["(", "FLD X"], ["(NOT"], [""], ["(", None], [")"], []])
def test_tokens_that_are_none_are_refused(tokens):
    with pytest.raises(LogicalFormError):
        from_tokens(tokens)


def test_text_and_tokens_are_not_taken_for_each_other():
    with pytest.raises(LogicalFormError, match="Use read for a text"):
        from_tokens("(display A)")
    with pytest.raises(LogicalFormError, match="Use from_tokens"):
        read(["(", "display", "A", ")"])


@pytest.mark.parametrize("levels", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
@BUILDS
def test_thousands_of_levels_are_read_and_written(build, levels):
    lf = build(levels, ATOM)
    assert read(write(lf)) == lf
    assert from_tokens(to_tokens(lf)) == lf
    assert read(pretty(lf)) == lf


def test_a_hundred_thousand_nots_are_read():
    text = "(NOT " * 100_000 + "(display A)" + ")" * 100_000
    assert write(read(text)) == text


def test_megabytes_of_text_are_refused_or_read_in_linear_time():
    for text in ("(" * 1_000_000, "(NOT " * 100_000, "x" * 2_000_000, ")" * 1_000_000):
        with pytest.raises(LogicalFormError) as caught:
            read(text)
        assert len(str(caught.value)) < 1000
    digits = "9" * 1_000_000
    assert read(f"(FLD_X EQ {digits})") == Relational(FieldRef("FLD_X"), "EQ", Number(digits))


@given(st.text("()AB EQ1.-\n", max_size=30) | st.text(max_size=30))
def test_any_text_is_read_or_refused(text):
    lf, error = _outcome(read, text)
    assert read(write(lf)) == lf if lf else 0 <= error.position <= len(text)


@given(st.lists(st.sampled_from(CATALOGUE.lexicon.tokens), max_size=12))
def test_any_tokens_are_read_or_refused(tokens):
    lf, error = _outcome(from_tokens, tokens)
    assert from_tokens(to_tokens(lf)) == lf if lf else 0 <= error.position <= len(tokens)


def _outcome(function, given_):
    try:
        return function(given_), None
    except LogicalFormError as error:
        return None, error


@pytest.mark.parametrize(
    "text", ["star wars", 'the "end"', "back\\slash\\", "(1977)", "50 % _x", "日本", "AND", "it's"]
)
def test_a_text_is_one_token_and_read_back(text: str) -> None:
    form = Relational(FieldRef("FLD_TITLE"), "CONTAINS", Text(text))
    tokens = to_tokens(form)
    assert len(tokens) == 5
    assert from_tokens(tokens) == form == read(str(form))
    assert read(f"(NOT {form})") == Not(form)


def test_blanks_of_a_text_are_folded() -> None:
    assert read('(FLD_TITLE CONTAINS "  star \t wars ")') == read(
        '(FLD_TITLE CONTAINS "star wars")'
    )


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("(FLD_TITLE CONTAINS star)", "star is not a text to search for"),
        ('(FLD_TITLE CONTAINS "")', "is not a text to search for"),
        ('(FLD_TITLE CONTAINS "star)', "is not a text to search for"),
        ('(FLD_TITLE EQ "star")', "is a text, and no value"),
        ('(FLD_TITLE LIKE "star")', "Did you mean CONTAINS"),
    ],
)
def test_a_wrong_text_is_told(given: str, problem: str) -> None:
    with pytest.raises(LogicalFormError, match=problem):
        read(given)


def test_only_contains_takes_a_text() -> None:
    with pytest.raises(LogicalFormError, match="takes a text"):
        Relational(FieldRef("FLD_TITLE"), "EQ", Text("star"))
    with pytest.raises(LogicalFormError, match="takes a text"):
        Relational(FieldRef("FLD_TITLE"), "CONTAINS", EnumValue("GEN_DRAMA"))
    with pytest.raises(LogicalFormError, match="not a text to search for"):
        Text(" star ")


def test_an_incomplete_text_is_no_token() -> None:
    assert prefix_tokens('(FLD_TITLE CONTAINS "star w') == ("(", "FLD_TITLE", "CONTAINS")
