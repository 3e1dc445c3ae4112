"""`Fitting`: exactly the rows after which a text can end within the budget."""

from __future__ import annotations

from typing import Any

import pytest
from finite_texts import FiniteTexts, drawn_texts
from hypothesis import given
from hypothesis import strategies as st
from masked_oracle import permitted_after

from grammax.search import BudgetTooShort
from grammax.transformers import fitting
from grammax.transformers.fitting import Fitting, each


@given(st.integers(0, 50), st.integers(1, 12))
def test_rows_are_those_of_texts_that_are_short_enough(seed: int, budget: int) -> None:
    texts = drawn_texts(seed, 50, 2, count=20)
    fit = Fitting(texts)
    fitting_texts = {text for text in texts.texts if len(text) <= budget}
    if not fitting_texts:
        with pytest.raises(BudgetTooShort):
            fit.check((), budget)
        return
    for text in fitting_texts:
        for length in range(len(text)):
            expected = permitted_after(texts, text[:length], budget)
            assert list(fit.rows(text[:length], budget - length)) == expected


def test_a_constraint_that_does_not_know_permits_all() -> None:
    texts = FiniteTexts([(5,), (6, 7, 8)], 2, 10, knows_needed=False)
    assert list(Fitting(texts).rows((), 1)) == [5, 6]
    Fitting(texts).check((), 1)


def test_states_that_are_no_keys_are_not_remembered() -> None:
    texts = FiniteTexts([(5,), (6, 7, 8)], 2, 10)

    class Listed(FiniteTexts):
        def start(self) -> Any:
            return [()]

        def rows(self, state: Any) -> Any:
            return texts.rows(state[0])

        def advance(self, state: Any, token: int) -> Any:
            return [texts.advance(state[0], token)]

        def needed(self, state: Any) -> Any:
            return texts.needed(state[0])

    fit = Fitting(Listed([(5,), (6, 7, 8)], 2, 10))
    assert list(fit.rows([()], 3)) == [5]
    assert list(fit.rows([()], 4)) == [5, 6]


def test_a_long_jump_out_of_a_large_set_is_noticed_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "LARGE", 1)
    monkeypatch.setattr(fitting, "ROOM", 2)
    texts = FiniteTexts([(5,), (6, *range(10, 30))], 2, 50)
    fit = Fitting(texts)
    assert list(fit.rows((), 9)) == [5], "the budget is short, so that all rows are tried"
    assert list(fit.rows((), 10)) == [5, 6]
    with pytest.raises(BudgetTooShort):
        fit.rows((6,), 9)


def test_equal_constraints_share_what_they_remember() -> None:
    one, other = drawn_texts(0, 50, 2), drawn_texts(1, 50, 2)
    first, second, third = each([one, other, one])
    assert first is third
    assert first is not second
    assert [fit.constraint for fit in each(one)] == [one]
