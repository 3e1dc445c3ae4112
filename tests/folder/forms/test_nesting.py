"""A form in the place of a name: where forms like it are nested, with variables of its own."""

from __future__ import annotations

import pytest

from grammax.folder.forms.nesting import Nester, nested


def tokens(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FORMS = [
    "( population s0 )",
    "( population ( argmax $0 ( state $0 ) ( size $0 ) ) )",
    "( lambda $0 e ( and ( state $0 ) ( borders $0 s1 ) ) )",
    "( lambda $0 e ( borders $0 ( argmax $1 ( and ( state $1 ) ( big $1 ) ) ( size $1 ) ) ) )",
    "( length r0 )",
    "( length ( argmax $0 ( river $0 ) ( length $0 ) ) )",
]
KINDS = {"s0": 1, "s1": 1, "r0": 2}
LARGEST = tokens("( argmax $0 ( state $0 ) ( size $0 ) )")


def a_nester() -> Nester:
    return Nester([tokens(form) for form in FORMS], KINDS.get)


def test_a_form_replaces_names_that_stand_where_it_does() -> None:
    nester, outer = a_nester(), tokens(FORMS[2])
    made = nester.nested(outer, "s1", LARGEST)
    assert made is not None
    expected = "( and ( state $0 ) ( borders $0 ( argmax $1 ( state $1 ) ( size $1 ) ) ) )"
    assert " ".join(made) == f"( lambda $0 e {expected} )"
    assert nester.nested(("(", "length", "r0", ")"), "r0", LARGEST) is None


def test_only_groups_of_a_sort_that_is_nested_fit() -> None:
    nester, outer = a_nester(), ("(", "population", "s0", ")")
    for inner in ("s1", "( )", "( count $0 ( state $0 ) )", "( a ) ( b )", "( a", ") (", ""):
        assert nester.nested(outer, "s0", tokens(inner)) is None
    assert nester.nested(outer, "unheard-of", LARGEST) is None


@pytest.mark.parametrize("outer", ["s0", "( near s0 s0 )", "( near s1 )"])
def test_the_name_must_be_in_the_outer_form_once(outer: str) -> None:
    assert nested(tokens(outer), "s0", LARGEST) is None


def test_variables_keep_their_types_and_scopes() -> None:
    outer = tokens("( lambda $0:e ( near $0 s0 ( lambda $2:i ( size $0 $2 ) ) ) )")
    inner = tokens("( argmax ( lambda $0:e ( state $0 ) ) )")
    made = nested(outer, "s0", inner)
    assert made is not None
    told = "( argmax ( lambda $1:e ( state $1 ) ) ) ( lambda $2:i ( size $0 $2 ) )"
    assert " ".join(made) == f"( lambda $0:e ( near $0 {told} ) )"
