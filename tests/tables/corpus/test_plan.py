"""Plans become logical forms in a fixed order; times and tokens are drawn by their laws."""

from __future__ import annotations

import re
from random import Random

from grammax.tables.corpus.draw import Zipf
from grammax.tables.corpus.plan import Bound, EnumConstraint, Plan
from grammax.tables.corpus.times import bare_time, draw_time, time_phrase
from grammax.tables.form.tree import Display, FieldRef, Number


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
