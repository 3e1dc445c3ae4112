"""Conditions with a separator: they come apart, and are put in the order of mention."""

from __future__ import annotations

import pytest

from grammax.folder.forms.sequence import conditions, in_sequence

FORM = "job ( ANS ) , \\+ ( req_exp ( ANS ) , area ( ANS , web ) ) , loc ( ANS , austin )"


def test_separators_within_brackets_join_no_conditions() -> None:
    found = conditions(tuple(FORM.split()), ",")
    assert [part.role for part in found] == ["job", "\\+", "loc"]
    assert in_sequence(found, ",") == tuple(FORM.split())


@pytest.mark.parametrize("text", ["job ( ANS )", "job", "job ( ANS , x", ") , (", ""])
def test_any_form_comes_apart_and_fits_together(text: str) -> None:
    form = tuple(text.split())
    assert in_sequence(conditions(form, ","), ",") in (form, None)


def test_the_order_is_that_of_the_parts() -> None:
    first, middle, last = conditions(tuple(FORM.split()), ",")
    made = in_sequence([last, first], ",")
    assert made is not None
    assert " ".join(made) == "loc ( ANS , austin ) , job ( ANS )"
    assert in_sequence([first, middle, first], ",") is None
    assert in_sequence([], ",") is None


def test_a_condition_on_another_variable_needs_one_that_links_it() -> None:
    form = "company ( A , ANS ) , language ( A , java ) , job ( ANS )"
    company, language, job = conditions(tuple(form.split()), ",")
    assert in_sequence([language, job], ",") is None
    assert in_sequence([job, language, company], ",") is not None
