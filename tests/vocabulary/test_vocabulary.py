"""Tokens, kinds, rows; sets of kinds as spans; vocabularies that change under a weight matrix."""

from __future__ import annotations

import re
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax import Vocabulary
from grammax.errors import UnknownToken, VocabularyError
from grammax.vocabulary import merge_spans

PLACES = Vocabulary(
    {"COUNTRY": ["COU_GERMANY", "COU_FRANCE"], "EQ": ["EQ"], "CITY": ["Köln", "New York"]},
    layout=[2, 0, 1],
)


@st.composite
def vocabularies(draw: st.DrawFn) -> Vocabulary:
    sizes = draw(st.lists(st.integers(1, 4), max_size=8))
    kinds = {f"K{k}": [f"t{k}.{i}" for i in range(size)] for k, size in enumerate(sizes)}
    return Vocabulary(kinds, draw(st.permutations(range(len(sizes)))))


@st.composite
def vocabularies_and_sets(draw: st.DrawFn) -> tuple[Vocabulary, frozenset[int]]:
    vocabulary = draw(vocabularies())
    kinds = range(len(vocabulary.kinds))
    return vocabulary, frozenset(draw(st.sets(st.sampled_from(kinds))) if kinds else ())


def test_rows_follow_the_layout_and_kinds_keep_their_numbers() -> None:
    assert PLACES.kinds == ("COUNTRY", "EQ", "CITY")
    assert PLACES.tokens == ("Köln", "New York", "COU_GERMANY", "COU_FRANCE", "EQ")
    assert [PLACES.span(kind) for kind in range(3)] == [(2, 4), (4, 5), (0, 2)]
    assert PLACES.tokens_of("CITY") == PLACES.tokens_of(2) == ("Köln", "New York")
    assert PLACES.ids(["EQ", "New York"]) == [4, 1]
    assert len(PLACES) == 5
    assert "EQ" in PLACES
    assert "NEQ" not in PLACES


@given(vocabularies())
def test_token_id_and_kind_agree(vocabulary: Vocabulary) -> None:
    for row, token in enumerate(vocabulary.tokens):
        kind = vocabulary.kind_of(token)
        assert vocabulary.id(token) == row
        assert kind == vocabulary.kind_of(row) == vocabulary.kind_of(np.int64(row))
        assert kind == vocabulary.kinds_by_id[row]
        assert token in vocabulary.tokens_of(kind)
        start, stop = vocabulary.span(kind)
        assert start <= row < stop
    assert vocabulary.kind_of(-1) is None
    assert vocabulary.kind_of(len(vocabulary)) is None
    assert vocabulary.kind_of("no token") is None


@given(vocabularies_and_sets())
def test_spans_ids_and_tokens_of_a_permitted_set_are_those_of_its_kinds(
    given_: tuple[Vocabulary, frozenset[int]],
) -> None:
    vocabulary, kinds = given_
    permitted = vocabulary.permitted(kinds)
    rows = sorted(vocabulary.id(t) for kind in kinds for t in vocabulary.tokens_of(kind))
    assert list(chain.from_iterable(range(*span) for span in permitted.spans)) == rows
    assert permitted.ids.tolist() == list(permitted) == rows
    assert permitted.size == len(permitted) == len(rows)
    assert list(permitted.tokens) == [vocabulary.tokens[row] for row in rows]
    assert {vocabulary.kind_number(name) for name in permitted.kinds} == kinds
    assert permitted.forced == (rows[0] if len(rows) == 1 else None)
    for row, token in enumerate(vocabulary.tokens):
        assert (row in permitted) == (token in permitted) == (row in rows)
    # As few spans as can be: no two touch.
    assert all(a[1] < b[0] for a, b in zip(permitted.spans, permitted.spans[1:], strict=False))


def test_what_is_no_token_is_in_no_permitted_set() -> None:
    everything = PLACES.permitted(range(3))
    for stranger in ("NEQ", -1, 5, None, 1.0, ("EQ",)):
        assert stranger not in everything


@given(vocabularies_and_sets())
def test_permitted_sets_are_interned(given_: tuple[Vocabulary, frozenset[int]]) -> None:
    vocabulary, kinds = given_
    permitted = vocabulary.permitted(kinds)
    assert vocabulary.permitted(sorted(kinds, reverse=True)) is permitted
    assert permitted.ids is permitted.ids


def test_permitted_sets_cannot_be_changed() -> None:
    permitted = PLACES.permitted({0, 1})
    with pytest.raises(ValueError, match="read-only"):
        permitted.ids[0] = 9
    with pytest.raises(AttributeError):
        permitted.anything = 1
    assert isinstance(permitted.kind_numbers, frozenset)
    assert isinstance(permitted.spans, tuple)


def test_repr_tells_the_size_the_spans_and_the_first_kinds() -> None:
    assert repr(PLACES) == "Vocabulary(5 tokens of 3 kinds)"
    assert repr(PLACES.permitted({0, 1})) == "Permitted(3 tokens in 1 spans: COUNTRY, EQ)"
    many = Vocabulary({f"K{i}": [f"t{i}"] for i in range(9)}).permitted(range(9))
    assert repr(many) == "Permitted(9 tokens in 1 spans: K0, K1, K2, K3, K4, K5, ...)"


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5))))
def test_merged_spans_cover_the_same_rows(pairs: list[tuple[int, int]]) -> None:
    disjoint: list[tuple[int, int]] = []
    for start, length in pairs:
        if all(start + length <= a or b <= start for a, b in disjoint):
            disjoint.append((start, start + length))
    rows = sorted(chain.from_iterable(range(*span) for span in disjoint))
    assert list(chain.from_iterable(range(*span) for span in merge_spans(disjoint))) == rows


@given(vocabularies(), st.data())
def test_every_layout_keeps_every_token_in_its_kind(
    vocabulary: Vocabulary, data: st.DataObject
) -> None:
    layout = data.draw(st.permutations(range(len(vocabulary.kinds))))
    moved = Vocabulary({kind: vocabulary.tokens_of(kind) for kind in vocabulary.kinds}, layout)
    assert moved.layout == tuple(layout)
    assert moved.kinds == vocabulary.kinds
    for kind in range(len(vocabulary.kinds)):
        assert moved.tokens_of(kind) == vocabulary.tokens_of(kind)


@given(vocabularies(), st.data())
def test_a_weight_matrix_follows_added_and_removed_tokens(
    vocabulary: Vocabulary, data: st.DataObject
) -> None:
    kinds = vocabulary.kinds
    names = data.draw(st.sets(st.sampled_from(kinds)) if kinds else st.just(()))
    wider = vocabulary.changed({name: [f"new {name}"] for name in names})
    assert wider.tokens[: len(vocabulary)] == vocabulary.tokens  # old rows stay in place
    assert len(wider) == len(vocabulary) + len(names)
    assert wider.layout == vocabulary.layout
    narrower = wider.changed({}, [f"new {name}" for name in names])
    assert narrower.tokens == (*vocabulary.tokens, *[""] * len(names))


def test_a_vocabulary_that_grew_leaves_the_old_one_as_it_was() -> None:
    before = PLACES.tokens
    PLACES.changed({"COUNTRY": ["COU_PERU"]})
    PLACES.changed({}, ["COU_FRANCE"])
    assert PLACES.tokens == before


MISTAKES = {
    "the token 'EQ' is given in kind EQ and again in kind OPERATOR.*split_kinds": (
        lambda: Vocabulary({"EQ": ["EQ"], "OPERATOR": ["NEQ", "EQ"]})
    ),
    "the token 'EQ' is given in kind EQ and again in kind EQ": (
        lambda: Vocabulary({"EQ": ["EQ", "EQ"]})
    ),
    "the kind COUNTRY has no token.*dead end": lambda: Vocabulary({"COUNTRY": []}),
    "the layout must name each of the 2 kinds once": (
        lambda: Vocabulary({"A": ["a"], "B": ["b"]}, [0, 0])
    ),
    "there is no kind 'CONTRY'; did you mean COUNTRY": lambda: PLACES.kind_number("CONTRY"),
    "the token 'EQ' exists already, in kind EQ": (lambda: PLACES.changed({"COUNTRY": ["EQ"]})),
    "there is no kind 'SECTOR'; no name in it is similar": (
        lambda: PLACES.changed({"SECTOR": ["GIC_STEEL"]})
    ),
    "'EQ' is the last token of kind EQ": lambda: PLACES.changed({}, ["EQ"]),
    "the token 'COU_FRANC' is not among the 5.*did you mean COU_FRANCE": (
        lambda: PLACES.id("COU_FRANC")
    ),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_says_what_is_wrong(message: str) -> None:
    with pytest.raises(VocabularyError, match=message):
        MISTAKES[message]()


def test_an_unknown_token_carries_what_was_given_and_what_comes_near() -> None:
    with pytest.raises(UnknownToken, match=re.escape("COU_GERMNY")) as unknown:
        PLACES.ids(["EQ", "COU_GERMNY"])
    assert unknown.value.token == "COU_GERMNY"
    assert unknown.value.nearest[0] == "COU_GERMANY"


MEMBERS = {"A": [f"a{n}" for n in range(5)], "B": [f"b{n}" for n in range(3)], "C": ["c0"]}
CHANGES = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from("ABC"), st.integers(0, 20)), unique=True, max_size=6),
        st.lists(st.integers(0, 40), max_size=4),
    ),
    max_size=4,
)


@given(layout=st.permutations(range(3)), changes=CHANGES)
def test_changes_leave_rows_where_they_are(layout: list[int], changes: list) -> None:
    vocabulary = Vocabulary(MEMBERS, layout)
    members = {kind: set(tokens) for kind, tokens in MEMBERS.items()}
    for given_added, given_removed in changes:
        before, tokens = vocabulary, [t for t in vocabulary.tokens if t]
        removed = {tokens[n % len(tokens)] for n in given_removed}
        removed = {t for t in removed if len(members[t[0].upper()] - removed) > 0}
        added: dict[str, list[str]] = {}
        for kind, number in given_added:
            token = f"{kind.lower()}_{number}"
            if token not in members[kind] - removed:
                added.setdefault(kind, []).append(token)
        vocabulary = vocabulary.changed(added, removed)
        for kind in members:
            members[kind] = (members[kind] - removed) | {*added.get(kind, ())}
            assert {*vocabulary.tokens_of(kind)} == members[kind]
            permitted = vocabulary.permitted([vocabulary.kind_number(kind)])
            assert {*permitted.tokens} == members[kind]
            assert permitted.size == len(members[kind])
        everything = set().union(*members.values())
        assert {token for token in vocabulary.tokens if token in vocabulary} == everything
        assert len(vocabulary) == len(before) + sum(map(len, added.values()))
        for token in everything:
            row = vocabulary.id(token)
            assert vocabulary.tokens[row] == token
            assert vocabulary.kinds[vocabulary.kind_of(row)] == token[0].upper()
        moved = [t for t in before.tokens if t in vocabulary and before.id(t) != vocabulary.id(t)]
        fresh = {token for some in added.values() for token in some}
        assert len({*moved} - fresh) <= len(removed)


def test_a_row_without_a_token_is_permitted_nowhere() -> None:
    vocabulary = Vocabulary({"A": ["a", "b"], "B": ["c"]}).changed({}, ["b"])
    assert vocabulary.tokens == ("a", "", "c")
    assert vocabulary.kind_of(1) is None
    assert "b" not in vocabulary
    assert "" not in vocabulary
    assert vocabulary.permitted([0]).forced == 0
    assert vocabulary.permitted([0, 1]).spans == ((0, 1), (2, 3))
    assert repr(vocabulary) == "Vocabulary(2 tokens of 2 kinds)"
    whole = Vocabulary({kind: vocabulary.tokens_of(kind) for kind in vocabulary.kinds}, (1, 0))
    assert whole.tokens == ("c", "a")


def test_changes_that_cannot_be_are_refused() -> None:
    vocabulary = Vocabulary({"A": ["a", "b"], "B": ["c"]})
    with pytest.raises(VocabularyError, match="'c' exists already, in kind B"):
        vocabulary.changed({"A": ["c"]})
    with pytest.raises(VocabularyError, match="'d' exists already"):
        vocabulary.changed({"A": ["d", "d"]})
    with pytest.raises(VocabularyError, match="no kind 'D'"):
        vocabulary.changed({"D": ["d"]})
    with pytest.raises(UnknownToken, match="'z' is not among the 3"):
        vocabulary.changed({}, ["z"])
    with pytest.raises(VocabularyError, match="last token of kind B"):
        vocabulary.changed({}, ["c"])
    assert vocabulary.changed({"B": ["d"]}, ["c"]).tokens_of("B") == ("d",)
    with pytest.raises(VocabularyError, match=r"\(0, 2\), \(3, 4\)\), not one span"):
        vocabulary.changed({"A": ["d"]}).span(0)
    assert vocabulary.fragments == 0
    assert vocabulary.changed({"A": ["d"]}).fragments == 1


def test_any_token_in_quotes_is_of_the_quoted_kind() -> None:
    vocabulary = Vocabulary({"EQ": ["="], "TEXT": ["TEXT#0"]}, quoted="TEXT")
    assert vocabulary.kind_of('"star wars"') == vocabulary.kind_number("TEXT")
    assert '"star wars"' not in vocabulary
    for token in ('""', '"star', "star"):
        assert vocabulary.kind_of(token) is None
    wider = vocabulary.changed({"EQ": ["=="]})
    assert wider.kind_of('"x"') == wider.kind_number("TEXT")
    assert Vocabulary({"EQ": ["="]}).kind_of('"x"') is None


@pytest.mark.parametrize(
    ("token", "message"),
    [
        (7, "7 is a int; a token is a str"),
        ("", "a token is empty"),
        ("a\ud800", "half of a surrogate pair"),
        (None, "None is a NoneType"),
    ],
)
def test_what_is_no_token_is_refused(token: object, message: str) -> None:
    with pytest.raises(VocabularyError, match=message):
        Vocabulary({"A": ["x", token]})


def test_similar_tokens_are_searched_for_when_the_message_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vocabulary = Vocabulary({"A": ["drama", "comedy"]})
    monkeypatch.setattr("grammax.vocabulary.vocabulary.nearest", lambda *_: 1 / 0)
    with pytest.raises(UnknownToken) as caught:
        vocabulary.id("commedy")
    monkeypatch.undo()
    assert caught.value.nearest == ("comedy",)
    assert str(caught.value).endswith("of the vocabulary; did you mean comedy?")


class Number:
    """As a tensor of one number is: not an int, but as good as one."""

    def __index__(self) -> int:
        return 0


def test_whatever_is_a_whole_number_is_an_id() -> None:
    permitted = Vocabulary({"A": ["x"], "B": ["y"]}).permitted({0})
    assert Number() in permitted
    assert 1.0 not in permitted
    assert None not in permitted


KINDS = {"GENRE": ["drama", "comedy", "western"], "EQ": ["="]}
ROWS = ["<end>", "comedy", "=", "western", "<pad>", "drama", "<pad>"]


def test_a_vocabulary_in_the_order_of_a_model_that_exists() -> None:
    vocabulary = Vocabulary.in_order(KINDS, ROWS)
    assert [vocabulary.id(token) for token in ("drama", "comedy", "western", "=")] == [5, 1, 3, 2]
    assert vocabulary.permitted({0}).spans == ((1, 2), (3, 4), (5, 6))
    assert vocabulary.permitted({0, 1}).spans == ((1, 4), (5, 6))
    assert [vocabulary.kind_of(row) for row in range(7)] == [None, 0, 1, 0, None, 0, None]
    assert "<pad>" not in vocabulary
    assert len(vocabulary) == 7
    assert vocabulary.kind_of("western") == 0


def test_a_token_without_a_row_or_with_two_is_an_error() -> None:
    with pytest.raises(VocabularyError, match="'drama' of kind GENRE has no row among the 3"):
        Vocabulary.in_order(KINDS, ["comedy", "western", "="])
    with pytest.raises(VocabularyError, match="'=' has two rows"):
        Vocabulary.in_order(KINDS, [*ROWS, "="])


def test_a_bitmask_has_the_bits_of_the_rows() -> None:
    vocabulary = Vocabulary({"A": [f"a{i}" for i in range(40)], "B": ["b"]})
    mask = np.full(4, -1, np.int32)
    vocabulary.permitted({1}).fill_bitmask(mask)
    bits = np.unpackbits(mask.view(np.uint8), bitorder="little")
    assert bits.nonzero()[0].tolist() == [40]
    vocabulary.permitted({0}).fill_bitmask(mask)
    assert np.unpackbits(mask.view(np.uint8), bitorder="little").sum() == 40
