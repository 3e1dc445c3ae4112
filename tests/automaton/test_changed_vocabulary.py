"""Values come and go; the automaton, its states and a weight matrix follow."""

from threading import Thread

import numpy as np
import pytest

import grammax
from grammax import Grammar
from grammax.errors import VocabularyError

GRAMMAR = Grammar.read(
    """
    start: "(" FIELD "EQ" COUNTRY ")" | "(" "NOT" start ")"
    FIELD: "FLD_DOMICILE" | "FLD_RISK"
    COUNTRY: "COU_GERMANY" | "COU_FRANCE"
    """
)


@pytest.mark.parametrize("way", [grammax.superset, grammax.unrolled, grammax.lr, grammax.earley])
def test_values_are_added_without_touching_the_automaton(way) -> None:
    automaton = way(GRAMMAR)
    before = automaton.vocabulary
    weights = np.random.default_rng(0).normal(size=(len(before), 4))
    after = before.changed({"COUNTRY": ["COU_ITALY", "COU_SPAIN"]})
    wider = automaton.with_vocabulary(after)
    assert wider.engine is automaton.engine

    moved = np.zeros((len(after), 4))
    moved[: len(weights)] = weights
    for token in before.tokens:
        assert (moved[after.id(token)] == weights[before.id(token)]).all()

    state = automaton.read(["(", "FLD_RISK", "EQ"])
    assert set(wider.next_tokens(state).tokens) == {
        "COU_GERMANY", "COU_FRANCE", "COU_ITALY", "COU_SPAIN",
    }  # fmt: skip
    assert wider.accepts(wider.pass_token(wider.pass_token(state, "COU_ITALY"), ")"))
    assert set(automaton.next_tokens(state).tokens) == {"COU_GERMANY", "COU_FRANCE"}


def test_a_removed_value_is_never_permitted() -> None:
    automaton = grammax.lr(GRAMMAR)
    after = automaton.vocabulary.changed({}, ["COU_FRANCE"])
    narrower = automaton.with_vocabulary(after)
    assert "COU_FRANCE" not in after
    state = narrower.read(["(", "FLD_RISK", "EQ"])
    assert list(narrower.next_tokens(state).tokens) == ["COU_GERMANY"]
    assert narrower.next_tokens(state).forced == after.id("COU_GERMANY")


def test_the_last_value_of_a_kind_stays() -> None:
    vocabulary = grammax.lr(GRAMMAR).vocabulary
    with pytest.raises(VocabularyError, match=r"last token of kind COUNTRY.*dead end"):
        vocabulary.changed({}, ["COU_FRANCE", "COU_GERMANY"])


def test_a_vocabulary_of_other_kinds_is_refused() -> None:
    other = grammax.Vocabulary({"SOMETHING": ["else"]})
    with pytest.raises(VocabularyError, match="other kinds"):
        grammax.lr(GRAMMAR).with_vocabulary(other)


@pytest.mark.parametrize("way", [grammax.unrolled, grammax.lr])
def test_threads_share_an_automaton(way) -> None:
    shared, alone = way(GRAMMAR), way(GRAMMAR)
    forms = [["(", "NOT"] * n + ["(", "FLD_RISK", "EQ", "COU_FRANCE", ")"] for n in range(60)]
    wanted = [
        [tuple(alone.next_tokens(alone.read(f[:i])).spans) for i in range(len(f))] for f in forms
    ]
    found: list[list[list[tuple]]] = [[] for _ in range(6)]

    def work(mine: list) -> None:
        for form in forms:
            state, seen = shared.start, []
            for token in form:
                seen.append(tuple(shared.next_tokens(state).spans))
                state = shared.pass_token(state, token)
            mine.append(seen)

    threads = [Thread(target=work, args=(mine,)) for mine in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(mine == wanted for mine in found)


def test_memory_that_starts_afresh_changes_no_answer() -> None:
    from grammax.automaton import BoundAutomaton
    from grammax.automaton.lr.conflicts import lr_tables
    from grammax.automaton.lr.engine import LrEngine

    small = BoundAutomaton(
        LrEngine(lr_tables(GRAMMAR), remembered=5), grammax.lr(GRAMMAR).vocabulary
    )
    held = small.read(["(", "NOT"] * 3)
    for depth in range(20):
        small.read(["(", "NOT"] * depth)
    again = small.read(["(", "NOT"] * 3)
    assert again == held
    assert hash(again) == hash(held)
    assert small.next_tokens(again) is small.next_tokens(held)
    assert held != small.read(["(", "NOT"] * 4)
