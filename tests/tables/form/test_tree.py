"""The tree of logical forms: what can be made, and that depth does no harm."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal

import pytest
from hypothesis import given
from tables.form.samples import alternating, logical_forms, nested_nots

from grammax.errors import GrammaxError
from grammax.tables.form.tree import (
    Aggregate,
    And,
    Change,
    Date,
    Display,
    EnumValue,
    FieldRef,
    Group,
    Last,
    LogicalFormError,
    Not,
    Number,
    Or,
    Percent,
    Quarter,
    Rank,
    Ratio,
    Relational,
    Year,
    compound,
    parts_of,
)
from grammax.tables.form.walk import depth, fold, placed, walk

PRICE = FieldRef("FLD_PRICE")
A = Relational(PRICE, "GR", Number("5"))
B = Display(PRICE, "ASC")


@given(logical_forms)
def test_copies_and_pickles_are_equal_and_hash_alike(lf):
    for other in (copy.copy(lf), copy.deepcopy(lf), pickle.loads(pickle.dumps(lf))):
        assert other == lf
        assert hash(other) == hash(lf)


@given(logical_forms, logical_forms)
def test_equality_is_that_of_the_text(one, other):
    assert (one == other) == (str(one) == str(other))


def test_trees_of_different_shape_differ():
    assert And((A, B)) != And((B, A))
    assert And((A, B)) != Or((A, B))
    assert And((A, B)) != And((A, B, B))
    assert Not(A) != A
    assert Not(A) != "(NOT (FLD_PRICE GR 5))"
    assert Number("1.5") != Number("1.50")


def test_numbers_keep_their_digits_and_have_an_exact_value():
    digits = "9" * 400 + ".50"
    assert str(Number(digits)) == digits
    assert Number(digits).value == Decimal(digits)
    assert Percent("0.0000001").value == Decimal("1E-7")


def test_walk_goes_in_the_order_of_the_text():
    lf = And((Not(A), Or((B, A)), A))
    assert list(walk(lf)) == [lf, Not(A), A, Or((B, A)), B, A, A]
    assert depth(lf) == 3
    assert fold(lf, lambda node, below: 1 + sum(below)) == 7


@given(logical_forms)
def test_every_atom_has_a_place(lf):
    atoms = [part for part in walk(lf) if not parts_of(part)]
    assert [atom for atom, _ in placed(lf)] == atoms
    nested = Not(Not(And((A, And((B, A))))))
    assert all(is_outermost for _, is_outermost in placed(nested))
    assert not any(is_outermost for _, is_outermost in placed(Or((lf, lf))))


def test_repr_shows_the_text():
    assert repr(Not(A)) == "<Not (NOT (FLD_PRICE GR 5))>"
    assert repr(B) == "<Display (display FLD_PRICE ASC)>"
    assert repr(Aggregate("count")) == "<Aggregate (count)>"
    assert repr(Group("YEAR")) == "<Group (by YEAR)>"


def test_trees_are_immutable():
    with pytest.raises(AttributeError):
        Not(A).part = B
    with pytest.raises(AttributeError):
        And((A, B)).parts = ()


@pytest.mark.parametrize("levels", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("build", [nested_nots, alternating])
def test_depth_does_no_harm(build, levels):
    lf, again, other = build(levels, A), build(levels, A), build(levels, B)
    assert lf == again
    assert lf != other
    assert len({lf, again, other}) == 2
    assert depth(lf) == levels + 1
    assert repr(lf).count("(") == str(lf).count("(")
    assert pickle.loads(pickle.dumps(lf)) == copy.deepcopy(lf) == lf


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: And((A,)), "AND was given 1 constraint.\nAND joins two constraints or more"),
        (lambda: Or((A, B, A)), r"OR was given 3 constraints.\n.*write \(OR a \(OR b c\)\)"),
        (lambda: compound("NOT", (A, B)), "NOT was given 2 constraints"),
        (lambda: compound("XOR", (A, B)), "'XOR' is not a connective.\nPermitted: AND, OR, NOT"),
        (lambda: Not(PRICE), "stands where a constraint must"),
        (lambda: And((A, "B")), "'B' stands where a constraint must"),
        (lambda: Relational(PRICE, "LT", Number("1")), "'LT' is not an operator.\nPermitted: EQ"),
        (lambda: Relational(PRICE, "EQ", 5), "5 stands where a value must"),
        (lambda: Relational("FLD_PRICE", "EQ", Number("5")), "stands where a field must"),
        (lambda: EnumValue("AND"), "'AND' is not the name of an enum value"),
        (lambda: FieldRef("FLD PRICE"), "have no spaces or parentheses"),
        (lambda: FieldRef("FLD_PRICE", 2018), "2018 stands where a time must"),
        (lambda: Display(PRICE, "UP"), "Permitted: ASC, DESC"),
        (lambda: Rank("best", 5, PRICE), "Permitted: top, bottom"),
        (lambda: Rank("top", -5, PRICE), "not a count"),
        (lambda: Rank("top", True, PRICE), "True is not a count"),
        (lambda: Rank("top", 10**5000, PRICE), "up to 1,000 digits"),
        (lambda: Number("1e9"), "'1e9' is not a number.\nWrite numbers as a string of digits"),
        (lambda: Number("٣"), "is not a number"),
        (lambda: Number(Decimal("5")), "is not a number"),
        (lambda: Number("5", "HUNDRED"), "Permitted: THOUSAND, MILLION"),
        (lambda: Percent("5", "%"), "Permitted: PCT, BPS"),
        (lambda: Year(20180), "20180 is not a year.\nPermitted: integers 0 to 9999"),
        (lambda: Date(2018, 13, 1), "13 is not a month"),
        (lambda: Quarter(5, 2018), "5 is not a quarter"),
        (lambda: Rank("top", 5, Number("5")), "stands where a field must"),
        (lambda: Display(Aggregate("count")), "stands where a field must"),
        (lambda: Relational(PRICE, "GR", Ratio(PRICE, PRICE)), "stands where a value must"),
        (lambda: Ratio(PRICE, Number("5")), "stands where a field must"),
        (lambda: Change(PRICE), "None stands where a time must"),
        (lambda: Aggregate("mode", PRICE), "Permitted: count, sum, average, median, min, max"),
        (lambda: Aggregate("average"), "None stands where a field must"),
        (
            lambda: Aggregate("count", FieldRef("FLD_A", Year(2018))),
            "count was given .*, which has a time",
        ),
        (lambda: Group("DAY"), "'DAY' is not a period.\nPermitted: MONTH, QUARTER, YEAR"),
        (lambda: Group(Ratio(PRICE, PRICE)), "stands where a field must"),
        (lambda: FieldRef("count"), "'count' is not the name of a field"),
        (lambda: Last(1, "HOUR"), "Permitted: DAY, WEEK, MONTH, QUARTER, YEAR"),
    ],
)
def test_what_cannot_be_made_is_refused_with_what_can(make, message):
    with pytest.raises(LogicalFormError, match=message) as caught:
        make()
    assert isinstance(caught.value, GrammaxError)
    assert caught.value.position is None
    assert caught.value.hint


def test_atoms_have_no_parts():
    assert parts_of(A) == parts_of(B) == parts_of(Rank("top", 3, PRICE)) == ()
    assert parts_of(Aggregate("count")) == parts_of(Group("YEAR")) == ()
    assert parts_of(Rank("top", None, Aggregate("average", PRICE))) == ()
