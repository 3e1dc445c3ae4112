"""The parts of a form that a conjunction joins: they come apart and fit together again."""

from __future__ import annotations

import pytest

from grammax.folder.forms.parts import joined, parts

HEADS = frozenset(("and", "or"))
FORM = "( lambda $0 e ( and ( flight $0 ) ( from $0 ci0 ) ( or ( on $0 da0 ) ( on $0 da1 ) ) ) )"


def test_a_conjunction_has_a_frame_and_children() -> None:
    found = parts(tuple(FORM.split()), HEADS)
    assert [part.role for part in found] == ["frame", "flight", "from", "or"]
    assert joined(found) == tuple(FORM.split())


@pytest.mark.parametrize(
    "text",
    [
        "( lambda $0 e ( flight $0 ) )",  # without a conjunction
        "( and ( a $0 ) ( a $0 ) )",  # the same child twice
        "( and ( a $0",  # brackets without partners
        "( and ( a $0 )",
        "( and",
        "and",
        "",
    ],
)
def test_other_forms_are_one_part(text: str) -> None:
    (whole,) = parts(tuple(text.split()), HEADS)
    assert whole.tokens == tuple(text.split())
    assert joined([whole]) == whole.tokens


def test_what_does_not_fit_is_not_joined() -> None:
    frame, flight, origin, other = parts(tuple(FORM.split()), HEADS)
    (whole,) = parts(("flight",), HEADS)
    assert joined([frame]) is None
    assert joined([flight, origin]) is None
    assert joined([frame, frame, flight]) is None
    assert joined([frame, whole]) is None
    assert joined([frame, flight, flight]) is None
    assert joined([]) is None
    alone = "( lambda $0 e ( or ( on $0 da0 ) ( on $0 da1 ) ) )"
    assert joined([other, frame]) == tuple(alone.split())
