"""Logical forms that say the same have one canonical form."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tables.form.samples import CATALOGUE, alternating, logical_forms, nested_nots

from grammax.grammar import Sampler
from grammax.tables.form.canonical import canonical, same, shifted
from grammax.tables.form.text import from_tokens, read
from grammax.tables.form.tree import (
    And,
    Display,
    FieldRef,
    Not,
    Number,
    Or,
    Rank,
    Relational,
    compound,
)
from grammax.tables.form.typecheck import check
from grammax.tables.form.walk import fold, walk
from grammax.tables.grammar import grammar

SAME = [
    ("(AND (display A) (FLD_X EQ V))", "(AND (FLD_X EQ V) (display A))"),
    ("(OR (display A) (FLD_X EQ V))", "(OR (FLD_X EQ V) (display A))"),
    ("(AND (FLD_X EQ V) (AND (FLD_Y EQ V) (FLD_Z EQ V)))",
     "(AND (FLD_Z EQ V) (FLD_Y EQ V) (FLD_X EQ V))"),
    ("(OR (FLD_X EQ V) (OR (FLD_Y EQ V) (FLD_Z EQ V)))",
     "(OR (OR (FLD_Z EQ V) (FLD_X EQ V)) (FLD_Y EQ V))"),
    ("(AND (FLD_X EQ V) (FLD_X EQ V))", "(FLD_X EQ V)"),
    ("(OR (NOT (NOT (FLD_X EQ V))) (FLD_X EQ V))", "(FLD_X EQ V)"),
    ("(NOT (NOT (NOT (FLD_X EQ V))))", "(NOT (FLD_X EQ V))"),
    ("(NOT (AND (NOT (FLD_X EQ V)) (NOT (FLD_X EQ V))))", "(FLD_X EQ V)"),
    ("(AND (FLD_X EQ V) (NOT (NOT (AND (FLD_Y EQ V) (FLD_Z EQ V)))))",
     "(AND (FLD_X EQ V) (FLD_Y EQ V) (FLD_Z EQ V))"),
    ("(OR (FLD_X EQ V) (AND (OR (FLD_Y EQ V) (FLD_Z EQ V)) (OR (FLD_Z EQ V) (FLD_Y EQ V))))",
     "(OR (FLD_X EQ V) (OR (FLD_Y EQ V) (FLD_Z EQ V)))"),
    ("(FLD_X GR 1000 MILLION CUR_USD)", "(FLD_X GR 1 BILLION CUR_USD)"),
    ("(FLD_X GR 1.50)", "(FLD_X GR 01.5)"),
    ("(FLD_X GR -0.0)", "(FLD_X GR 0)"),
    ("(FLD_X GR 5 PCT)", "(FLD_X GR 500 BPS)"),
    ("(FLD_X GR 0.5 PCT)", "(FLD_X GR 50.0 BPS)"),
    ("(AND (FLD_X EQ V) (AND (top 5 FLD_Y) (FLD_Z EQ V)))",
     "(AND (FLD_Z EQ V) (top 5 FLD_Y) (FLD_X EQ V))"),
    ("(OR (top 5 FLD_X) (bottom 3 FLD_Y))", "(OR (bottom 3 FLD_Y) (top 5 FLD_X))"),
    ("(FLD_X GR 0 BILLION CUR_USD)", "(FLD_X GR 0)"),
    ("(FLD_X GR -0.00 PCT)", "(FLD_X GR 0)"),
    ("((ratio FLD_X FLD_Y) GR 50 PCT)", "((ratio FLD_X FLD_Y) GR 0.50)"),
    ("((ratio FLD_X FLD_Y) GR 5 BPS)", "((ratio FLD_X FLD_Y) GR 0.0005)"),
    ("((change FLD_X(LAST YEAR)) LS -20)", "((change FLD_X(LAST YEAR)) LS -2000 BPS)"),
    ("((sum FLD_X) GR 1000 MILLION)", "((sum FLD_X) GR 1 BILLION)"),
    ("(AND (top (count)) (by A) (top 3 FLD_Y))", "(AND (top 3 FLD_Y) (by A) (top (count)))"),
    ("(AND (by FLD_X) (count))", "(by FLD_X)"),
    ("(AND (by FLD_X) (count) ((count) GR 5) (top (count)))",
     "(AND (top (count)) (by FLD_X) ((count) GR 5.0))"),
    ("(AND (by FLD_X) (average FLD_Y) (top (average FLD_Y)))",
     "(AND (by FLD_X) (top (average FLD_Y)))"),
    ("(AND (average FLD_X) (count) (average FLD_X))", "(AND (count) (average FLD_X))"),
    ("(AND (by FLD_X) (by YEAR))", "(AND (by YEAR) (by FLD_X) (by YEAR))"),
    ("(AND (top FLD_X) (FLD_Y GR 5) (top FLD_X))", "(AND (FLD_Y GR 5) (top FLD_X))"),
    ("(AND (display FLD_X) (display FLD_X DESC))", "(display FLD_X DESC)"),
]  # fmt: skip
DIFFERENT = [
    ("(FLD_X EQ V)", "(NOT (FLD_X EQ V))"),
    ("(FLD_X NEQ V)", "(NOT (FLD_X EQ V))"),
    ("(AND (FLD_X EQ V) (FLD_Y EQ V))", "(OR (FLD_X EQ V) (FLD_Y EQ V))"),
    ("(FLD_X GR 1 BILLION CUR_USD)", "(FLD_X GR 1 BILLION CUR_EUR)"),
    ("(FLD_X GR 1 BILLION)", "(FLD_X GR 1 MILLION)"),
    ("(FLD_X GR 5)", "(FLD_X GR 5 PCT)"),
    ("(AND (display A ASC) (display B ASC))", "(AND (display B ASC) (display A ASC))"),
    ("(AND (top 5 FLD_X) (bottom 3 FLD_Y))", "(AND (bottom 3 FLD_Y) (top 5 FLD_X))"),
    ("(FLD_X(LAST QUARTER) GR 5)", "(FLD_X GR 5)"),
    ("(top FLD_X)", "(top 10 FLD_X)"),
    ("(top FLD_X)", "(bottom FLD_X)"),
    ("(AND (top FLD_X) (top 5 FLD_Y) (top FLD_X))", "(AND (top FLD_X) (top 5 FLD_Y))"),
    ("((ratio FLD_X FLD_Y) GR 2)", "((ratio FLD_Y FLD_X) GR 2)"),
    ("(AND (by FLD_X) (count) (average FLD_Y))", "(AND (by FLD_X) (average FLD_Y))"),
    ("(AND (by FLD_X) (count) (top (sum FLD_Y)))", "(AND (by FLD_X) (top (sum FLD_Y)))"),
    ("(average FLD_X)", "(median FLD_X)"),
    ("(count)", "(by FLD_X)"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_says_the_same_is_the_same(one, other):
    assert same(read(one), read(other))
    assert canonical(read(one)) == canonical(read(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_does_not_say_the_same_is_kept_apart(one, other):
    assert not same(read(one), read(other))


def test_the_order_is_that_of_the_text_with_columns_last():
    lf = read("(AND (display B) (FLD_Z EQ V) (display C DESC) (display A) (FLD_X EQ V))")
    assert str(canonical(lf)) == (
        "(AND (FLD_X EQ enumValue(V)) (FLD_Z EQ enumValue(V)) "
        "(display A) (display B) (display C DESC))"
    )


def test_a_summary_is_in_the_order_of_its_steps():
    lf = read(
        "(AND (display A ASC) (by YEAR) (top 3 (count)) (average FLD_X) (top 5 FLD_Y) (by B) "
        "((count) GR 5) (FLD_Z EQ V) (top FLD_X))"
    )
    assert str(canonical(lf)) == (
        "(AND (FLD_Z EQ enumValue(V)) ((count) GR 5) (top 5 FLD_Y) (top FLD_X) (top 3 (count)) "
        "(average FLD_X) (by B) (by YEAR) (display A ASC))"
    )


@given(logical_forms)
def test_the_canonical_form_is_its_own(lf):
    assert canonical(canonical(lf)) == canonical(lf)


def test_the_canonical_form_of_what_is_well_typed_is_well_typed():
    sampler = Sampler(grammar(CATALOGUE.lexicon), max_depth=6)
    for seed in range(300):
        lf = from_tokens(sampler.draw(Random(seed)))
        assert {j.code for j in check(canonical(lf), CATALOGUE)} <= {
            j.code for j in check(lf, CATALOGUE)
        }, lf


@given(logical_forms, st.integers())
def test_shuffling_and_negating_twice_changes_nothing(lf, seed):
    assume(sum(isinstance(part, Display) and part.order is not None for part in walk(lf)) < 2)
    assume(sum(isinstance(part, Rank) for part in walk(lf)) < 2)
    random = Random(seed)

    def shuffled(node, below):
        made = compound(node.word, random.sample(below, len(below))) if below else node
        return Not(Not(made)) if random.random() < 0.3 else made

    assert same(fold(lf, shuffled), lf)


@given(st.from_regex(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", fullmatch=True), st.integers(-12, 12))
def test_shifting_is_exact(digits, places):
    number = Number(digits).value.scaleb(places)
    assert Number(shifted(digits, places)).value == number
    assert shifted(shifted(digits, places), -places) == shifted(digits, 0)


def test_numbers_of_any_length_are_exact():
    digits = "1234567890" * 40
    lf = read(f"(FLD_X GR {digits} TRILLION)")
    assert canonical(lf) == Relational(FieldRef("FLD_X"), "GR", Number(digits + "0" * 12))


@pytest.mark.parametrize("kind", [And, Or])
def test_deep_trees_have_a_canonical_form(kind):
    atoms = [Relational(FieldRef("FLD_X"), "GR", Number(str(n))) for n in range(3_000)]
    left = right = atoms[0]
    for atom in atoms[1:]:
        left, right = kind((left, atom)), kind((atom, right))
    assert same(left, right)
    assert canonical(nested_nots(10_001, atoms[0])) == Not(atoms[0])
    deep = alternating(2_000, atoms[0])
    assert canonical(canonical(deep)) == canonical(deep)


def test_capitals_of_a_text_make_no_difference() -> None:
    assert same(read('(FLD_TITLE CONTAINS "Star Wars")'), read('(FLD_TITLE CONTAINS "star  wars")'))
    assert not same(read('(FLD_TITLE CONTAINS "star")'), read('(FLD_TITLE CONTAINS "wars")'))
