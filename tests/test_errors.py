"""One hierarchy, drawn at the top of its module; messages that users can act on."""

from __future__ import annotations

import re
from inspect import getmembers, isclass

import pytest

from grammax import errors
from grammax.errors import GrammarError, GrammaxError, Location, Problem


def test_every_error_is_a_grammax_error_and_is_in_the_drawing() -> None:
    found = {
        name: kind for name, kind in getmembers(errors, isclass) if issubclass(kind, Exception)
    }
    assert all(issubclass(kind, GrammaxError) for kind in found.values())
    drawn = re.findall(r"^[ │├└─]*([A-Z]\w+)", errors.__doc__ or "", re.MULTILINE)
    assert set(found) <= set(drawn)
    parents = {name: kind.__mro__[1].__name__ for name, kind in found.items()}
    for name in found:
        if name != "GrammaxError":
            assert indent(drawing_of(name)) == indent(drawing_of(parents[name])) + 4
            assert drawn.index(parents[name]) < drawn.index(name)


def drawing_of(name: str) -> str:
    return next(
        line for line in (errors.__doc__ or "").split("\n") if re.search(rf"\b{name}\b", line)
    )


def indent(line: str) -> int:
    return re.search(r"\w", line).start()


def test_a_problem_tells_its_place_what_is_wrong_and_what_to_do() -> None:
    problem = Problem("undefined", "the rule x is used", "Add it.", Location("g.lark", 3, 7))
    assert str(problem) == "g.lark:3:7: error: the rule x is used\n    Add it."
    assert str(Problem("code", "message", "", Location("g.lark"))) == "g.lark: error: message"


def test_an_error_with_many_problems_shows_twenty_and_keeps_all() -> None:
    problems = [Problem("code", f"number {i}", "") for i in range(25)]
    error = GrammarError(problems)
    assert error.problems == tuple(problems)
    assert "number 19" in str(error)
    assert "number 20" not in str(error)
    assert str(error).endswith("... and 5 more")


def test_all_that_users_cause_is_caught_by_one_name() -> None:
    with pytest.raises(GrammaxError):
        raise GrammarError(Problem("code", "message", "hint"))
