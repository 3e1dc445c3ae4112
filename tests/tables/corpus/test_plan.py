"""Plans become logical forms in a fixed order; times and tokens are drawn by their laws."""

from __future__ import annotations

import re
from random import Random

from grammax.tables.corpus.draw import Zipf
from grammax.tables.corpus.plan import ZERO, Bound, EnumConstraint, GroupFilter, Plan, Summary
from grammax.tables.corpus.times import bare_time, draw_time, time_phrase
from grammax.tables.form.tree import Aggregate, Display, FieldRef, Group, Number, Rank


def test_negations_come_first_and_types_in_their_order() -> None:
    drama = EnumConstraint("FLD_GENRE", "GENRE", ("GEN_DRAMA",))
    directors = EnumConstraint("FLD_DIRECTOR", "DIRECTOR", ("DIR_A", "DIR_B"), negated=True)
    grade = EnumConstraint("FLD_GRADE", "GRADE", ("GRD_PG",), "GE")
    plan = Plan((grade, drama, directors), columns=(FieldRef("FLD_YEAR"),))
    assert str(plan.lf({"GENRE": 0, "GRADE": 1, "DIRECTOR": 2})) == (
        "(AND (NOT (OR (FLD_DIRECTOR EQ enumValue(DIR_A)) (FLD_DIRECTOR EQ enumValue(DIR_B))))"
        " (FLD_GENRE EQ enumValue(GEN_DRAMA)) (FLD_GRADE GE enumValue(GRD_PG)) (display FLD_YEAR))"
    )


def test_the_sorting_column_comes_last_and_between_is_two_comparisons() -> None:
    bound = Bound(
        FieldRef("FLD_LENGTH"), "MINUTES", "GE", (Number("10"), Number("15")), ("10", "15")
    )
    plan = Plan(bounds=(bound,), sort=Display(FieldRef("FLD_YEAR"), "ASC"))
    assert str(plan.lf({})) == (
        "(AND (FLD_LENGTH GE 10) (FLD_LENGTH LE 15) (display FLD_YEAR ASC))"
    )


def test_times_are_written_in_many_ways() -> None:
    random = Random(4)
    said = " ; ".join(time_phrase(draw_time(random), random) for _ in range(3_000))
    bare = {bare_time(draw_time(random), random) for _ in range(3_000)}
    for pattern in (r"in q2 2024", r"over the last 3 months", r"as of june \d+, 20\d\d", "in fy20"):
        assert re.search(pattern, said), pattern
    assert {"last quarter", "fy2023", "2024", "last year"} <= bare


def test_zipf_draws_the_first_most_often() -> None:
    law, random = Zipf.over("abcdefgh", 1.5), Random(0)
    drawn = [law.draw(random) for _ in range(4_000)]
    counts = [drawn.count(token) for token in "abcdefgh"]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] > 50


def test_groups_follow_their_filter_and_their_rank() -> None:
    most = Rank("top", None, Aggregate("count"))
    by = Group(FieldRef("FLD_GENRE"))
    plan = Plan(summary=Summary(group=by, rank=most))
    assert str(plan.lf({})) == "(AND (top (count)) (by FLD_GENRE))"
    long = GroupFilter(Aggregate("average", FieldRef("FLD_LENGTH")), "GR", Number("120"), "120")
    filtered = Plan(summary=Summary(group=by, filter=long))
    assert str(filtered.lf({})) == "(AND ((average FLD_LENGTH) GR 120) (by FLD_GENRE))"
    counted = Plan(summary=Summary(Aggregate("count"), by))
    assert str(counted.lf({})) == "(by FLD_GENRE)"


def test_a_sign_is_a_comparison_with_zero_and_an_open_range_excludes_its_ends() -> None:
    sign = Bound(FieldRef("FLD_SCORE"), "SCORE", "LS", (ZERO,), ())
    assert sign.is_sign
    numbers = (Number("5"), Number("10"))
    between = Bound(FieldRef("FLD_SCORE"), "SCORE", "GR", numbers, ("5", "10"))
    plan = Plan(bounds=(sign, between))
    assert str(plan.lf({})) == "(AND (FLD_SCORE LS 0) (FLD_SCORE GR 5) (FLD_SCORE LS 10))"
