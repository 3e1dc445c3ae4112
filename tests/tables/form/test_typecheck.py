"""Type judgements: what they refuse, and that they agree with the typed grammar."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given
from tables.form.samples import CATALOGUE, logical_forms, nested_nots

import grammax
from grammax.errors import TokenNotPermitted
from grammax.grammar import Sampler
from grammax.tables.form.text import from_tokens, read, to_tokens
from grammax.tables.form.tree import And, EnumValue, FieldRef, Not, Number, Relational
from grammax.tables.form.typecheck import IllTyped, check, require_well_typed
from grammax.tables.grammar import grammar

TYPED = grammar(CATALOGUE.lexicon)
LR = grammax.lr(TYPED, grammax.Vocabulary(TYPED.kinds))
IMPOSSIBLE = {"count", "time", "number", "summary"}
"""What the typed grammar permits and the judgements do not."""


def codes(text):
    return [judgement.code for judgement in check(read(text), CATALOGUE)]


@pytest.mark.parametrize(
    "text",
    [
        "(FLD_DOMICILE EQ COU_WESTERN_EUROPE)",
        "(FLD_MOODY LS MDY_BAA3)",
        "(FLD_MKT_CAP(LAST QUARTER) GR 1.5 BILLION CUR_USD)",
        "(FLD_EPS GR FLD_PRICE(2018 FEB 28))",
        "(FLD_PE_RATIO LS 1500 BPS)",
        "(FLD_EMPLOYEES GE 10 THOUSAND)",
        "(AND (top 10 FLD_MOODY) (display FLD_DOMICILE ASC))",
        "(NOT (OR (bottom 3 FLD_EPS) (FLD_INDEX NEQ IDX_DAX)))",
        "(top FLD_MKT_CAP)",
        "(FLD_MKT_CAP GR 0)",
        "(AND (FLD_MKT_CAP GE 10) (FLD_MKT_CAP LE 5))",
        "((ratio FLD_MKT_CAP FLD_EMPLOYEES(2020)) GR 2)",
        "((ratio FLD_MKT_CAP FLD_EPS) LE 50 PCT)",
        "((change FLD_EPS(LAST 3 YEAR)) LS -20 PCT)",
        "(display (change FLD_EPS(2018 JUN 23)) ASC)",
        "(bottom 3 (ratio FLD_MKT_CAP FLD_EPS))",
        "(count)",
        "(AND (by FLD_DOMICILE) (by YEAR) ((count) GR 2 THOUSAND) (top 3 (average FLD_PE_RATIO)))",
        "(AND (by FLD_MOODY) ((median FLD_MKT_CAP) GE 5 BILLION CUR_USD))",
        "(AND (FLD_INDEX EQ IDX_DAX) (AND (sum FLD_MKT_CAP) (NOT (NOT (by FLD_EQS_SECTOR)))))",
    ],
)
def test_what_makes_sense_has_no_problem(text):
    assert check(read(text), CATALOGUE) == ()
    require_well_typed(read(text), CATALOGUE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(FLD_DOMICILE GE 2)", ["operator", "value-type"]),
        ("(FLD_DOMICILE GE COU_GERMANY)", ["operator"]),
        ("(FLD_DOMICILE EQ IDX_DAX)", ["value-type"]),
        ("(FLD_DOMICILE EQ 5 PCT)", ["value-type"]),
        ("(FLD_DOMICILE EQ FLD_COUNTRY_OF_RISK)", ["value-type"]),
        ("(FLD_DOMICILE EQ CUR_USD)", ["value-type"]),
        ("(FLD_MKT_CAP GR COU_GERMANY)", ["value-type"]),
        ("(FLD_MKT_CAP GR FLD_EPS)", ["value-type"]),
        ("(FLD_MKT_CAP GR 5 PCT)", ["unit"]),
        ("(FLD_PE_RATIO GR 5 MILLION CUR_USD)", ["unit", "unit"]),
        ("(FLD_EMPLOYEES GR 5 CUR_USD)", ["unit"]),
        ("(FLD_MKT_CAP GR 5 CUR_XXX)", ["unknown-unit"]),
        ("(FLD_DOMICLE EQ COU_GERMNY)", ["unknown-field", "unknown-value"]),
        ("(FLD_MKT_CAP GR FLD_NONE)", ["unknown-field"]),
        ("(FLD_MKT_CAP GR NONE)", ["unknown-value"]),
        ("(display FLD_NONE)", ["unknown-field"]),
        ("(top 5 FLD_DOMICILE)", ["rank"]),
        ("(top 0 FLD_MKT_CAP)", ["count"]),
        (f"(top {'9' * 400} FLD_MKT_CAP)", ["count"]),
        ("(display FLD_EPS(2018 FEB 31))", ["time"]),
        ("(display FLD_EPS(0000))", ["time"]),
        ("(display FLD_EPS(LAST 0 DAY))", ["time"]),
        ("(display FLD_EPS(LAST 5000 YEAR))", ["time"]),
        (f"(FLD_MKT_CAP GR {'9' * 400})", ["number"]),
        ("((ratio FLD_MKT_CAP FLD_DOMICILE) GR 2)", ["measure"]),
        ("((ratio FLD_MOODY FLD_NONE) GR 2)", ["measure", "unknown-field"]),
        ("((ratio FLD_MKT_CAP FLD_EPS) GR 2 MILLION)", ["unit"]),
        ("((ratio FLD_MKT_CAP FLD_EPS) GR 2 CUR_USD)", ["unit"]),
        ("((ratio FLD_MKT_CAP FLD_EPS) GR FLD_PE_RATIO)", ["value-type"]),
        ("((ratio FLD_MKT_CAP FLD_EPS) EQ COU_GERMANY)", ["value-type"]),
        ("((change FLD_DOMICILE(2018)) GR 2)", ["measure"]),
        ("((change FLD_EPS(2018 FEB 31)) GR 2)", ["time"]),
        ("((change FLD_EPS(LAST YEAR)) GR 2 CUR_USD)", ["unit"]),
        ("(average FLD_DOMICILE)", ["measure"]),
        ("(max FLD_MOODY)", ["measure"]),
        ("(sum FLD_NONE)", ["unknown-field"]),
        ("((average FLD_PE_RATIO) GR 2 BILLION)", ["unit"]),
        ("((average FLD_DOMICILE) GR 2)", ["measure"]),
        ("((sum FLD_MKT_CAP) GR FLD_MKT_CAP)", ["value-type"]),
        ("((count) GR 5 PCT)", ["unit"]),
        ("((count) GR 5 CUR_USD)", ["unit"]),
        ("(by FLD_MKT_CAP)", ["group"]),
        ("(by FLD_DOMICILE(2018))", ["time"]),
        ("(AND (by YEAR) (by MONTH) (by YEAR))", ["group"]),
        ("(top 0 (count))", ["count"]),
        ("(top FLD_DOMICILE)", ["rank"]),
        ("(NOT (count))", ["summary"]),
        ("(OR (by FLD_DOMICILE) (count))", ["summary", "summary"]),
        ("(AND (count) (OR (FLD_EPS GR 0) (top 3 (count))))", ["summary"]),
        ("(AND (by YEAR) (NOT ((count) GR 5)))", ["summary"]),
    ],
)
def test_what_makes_no_sense_is_refused(text, expected):
    assert codes(text) == expected
    with pytest.raises(IllTyped) as caught:
        require_well_typed(read(text), CATALOGUE)
    assert [judgement.code for judgement in caught.value.judgements] == expected
    assert all(judgement.hint for judgement in caught.value.judgements)
    assert pickle.loads(pickle.dumps(caught.value)).judgements == caught.value.judgements


@pytest.mark.parametrize(
    ("lf", "code"),
    [
        (Relational(FieldRef("FLD_PRICE"), "EQ", FieldRef("PRICE")), "unknown-field"),
        (Relational(FieldRef("FLD_PRICE"), "EQ", EnumValue("FLD_PRICE")), "unknown-value"),
        (Relational(FieldRef("FLD_PRICE"), "EQ", Number("5", None, "USD")), "unknown-unit"),
    ],
)
def test_a_token_in_a_role_that_it_has_not_is_unknown(lf, code):
    assert [judgement.code for judgement in check(lf, CATALOGUE)] == [code]


def test_the_message_names_the_field_its_type_and_what_it_admits():
    with pytest.raises(IllTyped) as caught:
        require_well_typed(read("(FLD_DOMICILE GE COU_GERMANY)"), CATALOGUE)
    assert str(caught.value) == (
        "GE needs an order, and FLD_DOMICILE (Country of domicile) is of the type COUNTRY, "
        "which has none.\n"
        "    (FLD_DOMICILE GE enumValue(COU_GERMANY))\n"
        "                  ^^\n"
        "FLD_DOMICILE admits EQ, NEQ with a value of the type COUNTRY, such as COU_EUROPE, "
        "COU_WESTERN_EUROPE, COU_GERMANY."
    )


def test_a_summary_in_the_wrong_place_is_shown_where_to_put_it():
    (judgement,) = check(read("(AND (by YEAR) (NOT ((count) GR 5)))"), CATALOGUE)
    assert str(judgement) == (
        "((count) GR 5) summarises the whole answer, so it cannot stand inside OR or NOT.\n"
        "    ((count) GR 5)\n"
        "    ^^^^^^^^^^^^^^\n"
        "Put it into the outermost AND, beside the constraints on rows."
    )


def test_what_a_ratio_and_an_aggregate_admit_is_said():
    (ratio,) = check(read("((ratio FLD_MKT_CAP FLD_EPS) GR 2 CUR_USD)"), CATALOGUE)
    assert ratio.hint == (
        "(ratio FLD_MKT_CAP FLD_EPS) admits EQ, NEQ, LS, LE, GR, GE with a number (then, if need "
        "be, PCT or BPS)."
    )
    (average,) = check(read("((average FLD_EPS) GR 2 PCT)"), CATALOGUE)
    assert average.message == (
        "PCT cannot follow the number, for (average FLD_EPS) is of the type PER_SHARE."
    )


def test_a_part_that_stands_twice_is_judged_at_each_place():
    count = read("(count)")
    found = check(And((count, Not(count))), CATALOGUE)
    assert [judgement.code for judgement in found] == ["summary"]


def test_what_a_number_admits_is_said():
    (judgement,) = check(read("(FLD_MKT_CAP EQ FLD_EPS)"), CATALOGUE)
    assert judgement.hint == (
        "FLD_MKT_CAP admits EQ, NEQ, LS, LE, GR, GE with a number (then, if need be, THOUSAND to "
        "TRILLION and a currency) or a field of the type MONEY."
    )


def test_misspelt_names_get_did_you_mean():
    found = check(read("(AND (FLD_DOMICLE EQ GERMANY) (FLD_PRICE LS 5 CUR_USDD))"), CATALOGUE)
    assert [judgement.nearest for judgement in found] == [
        ("FLD_DOMICILE",),
        ("COU_GERMANY",),
        ("CUR_USD",),
    ]
    assert all("Did you mean" in str(judgement) for judgement in found)


def test_suggestions_are_of_the_fields_own_type_first():
    (judgement,) = check(read("(FLD_INDEX EQ IDX_SP50)"), CATALOGUE)
    assert judgement.nearest == ("IDX_SP500",)


def test_all_problems_are_found_and_the_message_stays_short():
    bad = read("(top 5 FLD_DOMICILE)")
    found = check(And((bad,) * 500), CATALOGUE)
    assert len(found) == 500
    assert str(IllTyped(found)).endswith("... and 480 more")


def test_deep_trees_are_judged():
    deep = nested_nots(20_000, read("(top 5 FLD_DOMICILE)"))
    assert [judgement.code for judgement in check(deep, CATALOGUE)] == ["rank"]


@given(logical_forms)
def test_any_logical_form_is_judged_and_each_judgement_can_be_shown(lf):
    for judgement in check(lf, CATALOGUE):
        assert judgement.given in str(judgement.part)
        assert judgement.message in str(judgement)


def _is_typed(tokens):
    try:
        return LR.accepts(LR.read(tokens))
    except TokenNotPermitted:
        return False


@pytest.mark.parametrize("typed", [True, False])
def test_judgements_agree_with_the_typed_grammar(typed):
    sampler = Sampler(grammar(CATALOGUE.lexicon, typed=typed), max_depth=6)
    seen = set()
    for seed in range(300):
        lf = from_tokens(sampler.draw(Random(seed)))
        wrong = [j for j in check(lf, CATALOGUE) if j.code not in IMPOSSIBLE]
        assert _is_typed(to_tokens(lf)) == (not wrong), f"{lf}: {wrong}"
        seen.add(not wrong)
    assert seen == ({True} if typed else {True, False})
