"""The order of kinds: always an order, and one in which sets are few spans."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grammax import Grammar, Vocabulary, lr
from grammax.vocabulary.layout import arrange, bits, bits_of


@given(st.integers(0, 12), st.lists(st.integers(0, (1 << 12) - 1), max_size=20))
def test_a_layout_names_every_kind_once(kinds: int, sets: list[int]) -> None:
    within = [group & ((1 << kinds) - 1) for group in sets]
    assert sorted(arrange(kinds, within)) == list(range(kinds))


def test_a_layout_of_more_kinds_than_a_tour_takes_names_every_kind_once() -> None:
    kinds = 2_000
    pairs = [1 << kind | 1 << (kind * 7 + 1) % kinds for kind in range(kinds)]
    assert sorted(arrange(kinds, pairs)) == list(range(kinds))


@given(st.permutations(range(9)))
def test_disjoint_sets_become_one_span_each(shuffled: list[int]) -> None:
    groups = [shuffled[0:3], shuffled[3:6], shuffled[6:9]]
    assert spans(arrange(9, map(mask, groups)), groups) == 3


@given(st.permutations(range(8)))
def test_nested_sets_become_one_span_each(shuffled: list[int]) -> None:
    groups = [shuffled[:2], shuffled[:4], shuffled[:6], shuffled]
    assert spans(arrange(8, map(mask, groups)), groups) == 4


def test_what_a_grammar_permits_together_lies_together() -> None:
    fields = " | ".join(f"F{i}" for i in range(30))
    relations = " | ".join(f'"(" F{i} "EQ" V{i} ")"' for i in range(30))
    kinds = "".join(f'F{i}: "f{i}a" | "f{i}b"\nV{i}: "v{i}a" | "v{i}b"\n' for i in range(30))
    automaton = lr(Grammar.read(f'start: {relations} | "(" "show" ({fields}) ")"\n{kinds}'))
    after_show = automaton.next_tokens(automaton.read(["(", "show"]))
    after_open = automaton.next_tokens(automaton.read(["("]))
    assert (after_show.size, len(after_show.spans)) == (60, 1)
    assert (after_open.size, len(after_open.spans)) == (61, 1)


def mask(group: list[int] | tuple[int, ...]) -> int:
    return sum(1 << kind for kind in group)


def spans(order: tuple[int, ...], groups: list) -> int:
    vocabulary = Vocabulary({str(kind): [f"t{kind}"] for kind in range(len(order))}, order)
    return sum(len(vocabulary.permitted(bits(mask(group))).spans) for group in groups)


@given(st.sets(st.integers(0, 3000)))
def test_a_mask_has_the_bits_that_it_was_made_of(numbers: set[int]) -> None:
    assert bits_of(numbers) == sum(1 << number for number in numbers)
    assert list(bits(bits_of(numbers))) == sorted(numbers)


def test_wide_masks_are_read_and_written() -> None:
    for numbers in (range(0, 20_000, 7), [5, 1_000], [999], [1_000], range(51)):
        assert list(bits(bits_of(numbers))) == list(numbers)
