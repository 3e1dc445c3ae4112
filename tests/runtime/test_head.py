"""Rows in parts: over any span their products are those of the rows composed of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammax import Vocabulary
from grammax.head import Options
from grammax.runtime.cache import OutputRows
from grammax.runtime.head import RowParts, RuntimeSpans
from grammax.runtime.lstm import Array

LONG = 500  # rows of a span that is multiplied through parts


@dataclass(frozen=True)
class Layer:
    """Parts, the rows and bias that are composed of them, and what draws hidden vectors."""

    parts: RowParts
    output: OutputRows
    rng: np.random.Generator

    @property
    def rows(self) -> Array:
        return self.output.whole

    @property
    def bias(self) -> Array:
        return self.output.bias

    def hidden(self, *shape: int) -> Array:
        return self.rng.normal(size=(*shape, self.rows.shape[1])).astype(np.float32)


def a_layer(
    sizes: list[int], seen: list[int], learnt: int = 3, spelt: int = 5, seed: int = 0
) -> Layer:
    """Kinds of some sizes, one after another, and a row for the end."""
    rng = np.random.default_rng(seed)

    def drawn(*shape: int) -> Array:
        return rng.normal(size=shape).astype(np.float32)

    kind_of = np.repeat(np.arange(len(sizes) + 1), [*sizes, 1])
    kinds, own, spelling = (
        drawn(len(sizes) + 1, learnt + 1),
        drawn(len(seen), learnt + 1),
        drawn(len(kind_of), spelt),
    )
    composed = kinds[kind_of]
    composed[seen] += own
    rows = np.concatenate([composed[:, :-1], spelling], 1)
    parts = RowParts(kinds, own, np.array(seen, np.int64), kind_of)
    return Layer(parts, OutputRows.from_whole(rows, composed[:, -1], spelt), rng)


@st.composite
def layers(draw: st.DrawFn) -> Layer:
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6))
    seen = sorted(draw(st.sets(st.integers(0, sum(sizes) - 1))))
    return a_layer(
        sizes, seen, draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(0, 99))
    )


@given(st.data(), layers(), st.sampled_from([(), (1,), (3,), (2, 2)]))
def test_products_of_any_span_are_those_of_the_composed_rows(
    data: st.DataObject, layer: Layer, shape: tuple[int, ...]
) -> None:
    for _ in range(3):  # spans that were met before, too
        start = data.draw(st.integers(0, len(layer.rows) - 1))
        stop = data.draw(st.integers(start + 1, len(layer.rows)))
        hidden = layer.hidden(*shape)
        given_before = hidden.copy()
        found = layer.parts.products(hidden, layer.output.spelt, (start, stop))
        want = hidden @ layer.rows[start:stop].T + layer.bias[start:stop]
        assert found.shape == want.shape
        assert np.allclose(found, want, atol=1e-4)
        assert np.array_equal(hidden, given_before)


SIZES = [700, 20, LONG - 10, 1]
VOCABULARY = Vocabulary(
    {f"K{kind}": [f"t{kind}.{i}" for i in range(size)] for kind, size in enumerate(SIZES)}
)
ANY_SETS = st.sets(st.integers(0, len(SIZES) - 1), min_size=1)
SEEN = [0, 5, 699, 700, 719, 720, 1209, 1210]


def heads(layer: Layer) -> tuple[RuntimeSpans, RuntimeSpans]:
    """Without parts, and with them."""
    given_rows = (layer.output, len(VOCABULARY))
    return RuntimeSpans(*given_rows), RuntimeSpans(*given_rows, layer.parts, long=500)


@settings(max_examples=40)
@given(ANY_SETS, st.booleans(), st.integers(0, 99))
def test_a_head_with_parts_scores_as_one_without(kinds: set[int], may_end: bool, seed: int) -> None:
    layer = a_layer(SIZES, SEEN, seed=seed)
    whole, parted = heads(layer)
    options = Options(VOCABULARY.permitted(kinds), may_end)
    hidden = layer.hidden()
    one, other = whole.scores(hidden, options), parted.scores(hidden, options)
    assert one.spans == other.spans
    assert np.allclose(one.values, other.values, atol=1e-4)
    count = min(3, one.size)
    for (token, log), (same, alike) in zip(one.best(count), other.best(count), strict=True):
        assert token == same
        assert log == pytest.approx(alike, abs=1e-4)


@settings(max_examples=40)
@given(st.lists(st.tuples(ANY_SETS, st.booleans()), min_size=1, max_size=5), st.integers(0, 99))
def test_a_batch_is_scored_as_each_vector_alone(
    given_sets: list[tuple[set[int], bool]], seed: int
) -> None:
    layer = a_layer(SIZES, SEEN, seed=seed)
    options = [Options(VOCABULARY.permitted(kinds), may_end) for kinds, may_end in given_sets]
    hidden = layer.hidden(len(options))
    scored = []
    for head in heads(layer):
        for group in head.scores_of(hidden, options):
            for row, (member, best) in enumerate(zip(group.members, group.best(1), strict=True)):
                scored.append(member)
                alone = head.scores(hidden[member], options[member])
                assert np.allclose(group.member(row).values, alone.values, atol=1e-4)
                ((token, log),), ((same, alike),) = best, alone.best(1)
                assert (token, log) == (same, pytest.approx(alike, abs=1e-4))
    assert sorted(scored) == sorted([*range(len(options))] * 2)


def test_parts_are_for_long_spans_and_rows_for_short_ones() -> None:
    """What is not to be read is not a number here."""
    layer = a_layer(SIZES, SEEN)
    no_rows = layer.output._replace(whole=np.full_like(layer.rows, np.nan))
    no_parts = layer.output._replace(spelt=np.full_like(layer.output.spelt, np.nan))
    hidden = layer.hidden()
    long, short = Options(VOCABULARY.permitted({0})), Options(VOCABULARY.permitted({2}))
    through_parts = RuntimeSpans(no_rows, len(VOCABULARY), layer.parts, long=500)
    through_rows = RuntimeSpans(no_parts, len(VOCABULARY), layer.parts, long=500)
    want = hidden @ layer.rows.T + layer.bias
    assert np.allclose(through_parts.scores(hidden, long).values, want[:700], atol=1e-4)
    assert np.allclose(through_rows.scores(hidden, short).values, want[720:1210], atol=1e-4)
    assert np.isnan(through_parts.scores(hidden, short).values).all()
    assert np.isnan(through_rows.scores(hidden, long).values).all()
