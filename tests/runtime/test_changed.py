"""A model for a changed vocabulary: rows of tokens are theirs, wherever they lie."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="a network is trained first")

from dataclasses import dataclass, field, replace  # noqa: E402
from functools import cached_property  # noqa: E402
from operator import attrgetter  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from model.networks import SHORT, SMALL, a_trainer  # noqa: E402
from model.tiny import OPEN, TINY, TinyDomain  # noqa: E402

from grammax.automaton import BoundAutomaton  # noqa: E402
from grammax.language.capabilities import Updatable  # noqa: E402
from grammax.language.changes import Changes, FixedVocabulary, NewValue  # noqa: E402
from grammax.reading.words import split  # noqa: E402
from grammax.runtime.changed import changed_weights  # noqa: E402
from grammax.runtime.parser import RuntimeParser  # noqa: E402
from grammax.runtime.weights import Weights, load_weights  # noqa: E402
from grammax.training.checkpoint import save_checkpoint  # noqa: E402
from grammax.vocabulary import Vocabulary  # noqa: E402

NEW = [
    NewValue("Peru", "COUNTRY", ("peruvian",), "COU_PERU"),
    NewValue("North Korea", "COUNTRY", ("korean",), "COU_NORTH_KOREA"),
    NewValue("cement works", "SECTOR", (), "SEC_CEMENT"),
    NewValue("airlines", "SECTOR", ("carriers",), "SEC_AIRLINES"),
    NewValue("Prussia", "COUNTRY", ("german",), "COU_GERMANY"),  # another thing by an old token
]


class LivingTiny(TinyDomain, Updatable):
    """A tiny domain whose countries and sectors come and go; what is given is right."""

    @property
    def base(self) -> LivingTiny:
        return self

    @property
    def changes(self) -> Changes:
        return Changes()

    def with_values(self, values: object) -> LivingTiny:
        raise NotImplementedError

    def without_values(self, tokens: object) -> LivingTiny:
        raise NotImplementedError

    def with_changes(self, changes: Changes, *, quiet: bool = False) -> LivingTiny:
        """From the beginning, or as the vocabulary in use is changed."""
        return Changed(**vars(self), origin=self, made=changes)


@dataclass(frozen=True)
class Changed(LivingTiny):
    """One with changes."""

    origin: LivingTiny = field(kw_only=True)
    made: Changes = field(kw_only=True)
    before: LivingTiny | None = field(default=None, kw_only=True)

    @property
    def base(self) -> LivingTiny:
        return self.origin

    @property
    def changes(self) -> Changes:
        return self.made

    @cached_property
    def _rows(self) -> Vocabulary:
        before = self.before or self.origin
        new = self.made.since(before.changes)
        assert new is not None
        return before.vocabulary.changed(new.by_kind(), new.removed)

    @property
    def vocabulary(self) -> Vocabulary:
        return self._rows

    def automaton(self, grammar: str) -> BoundAutomaton:
        return self.origin.automaton(grammar).with_vocabulary(self.vocabulary)

    def wordings(self, token: str) -> tuple[str, ...]:
        for value in self.made.added:
            if value.token == token:
                return (value.name, *value.aliases)
        return self.origin.wordings(token)


def living(domain: TinyDomain) -> LivingTiny:
    return LivingTiny(**vars(domain))


DOMAINS = {"bracketed": living(TINY), "open": living(OPEN)}


@pytest.fixture(scope="module", params=DOMAINS)
def loaded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[LivingTiny, Weights]:
    domain = DOMAINS[request.param]
    return domain, weights_of(domain, "composed", tmp_path_factory.mktemp("model"))


def weights_of(domain: LivingTiny, rows: str, folder: Path) -> Weights:
    trainer = a_trainer(domain, replace(SMALL, rows=rows), replace(SHORT, epochs=4, batch=8))
    for _ in range(4):
        trainer.run()
    save_checkpoint(folder / "model.safetensors", trainer, [], final=True)
    return load_weights(folder / "model.safetensors", domain)


def test_a_tiny_domain_is_a_living_one() -> None:
    assert isinstance(DOMAINS["open"], Updatable)
    assert not isinstance(TINY, Updatable)


def assert_alike(one: Weights, mine: Vocabulary, other: Weights, theirs: Vocabulary) -> None:
    """The same for every token, wherever its row is."""
    tokens = [token for token in mine.tokens if token in mine]
    assert {*tokens} == {token for token in theirs.tokens if token in theirs}
    here, there = mine.ids(tokens), theirs.ids(tokens)
    for name in ("rows.whole", "rows.spelt", "rows.bias", "kind_of", "own_of"):
        first, second = attrgetter(name)(one), attrgetter(name)(other)
        assert np.array_equal(first[here], second[there]), name
        assert np.array_equal(first[-1], second[-1]), name  # the end, and the beginning
        assert len(first) == len(mine) + 1
    hidden = np.random.default_rng(0).normal(size=one.rows.whole.shape[1]).astype(np.float32)
    assert one.parts is not None
    for kind in range(len(mine.kinds)):
        for span in mine.spans(kind):
            scores = one.rows.whole[slice(*span)] @ hidden + one.rows.bias[slice(*span)]
            assert np.allclose(one.parts.products(hidden, one.rows.spelt, span), scores, atol=1e-4)
    assert one.reader.names is not None
    assert other.reader.names is not None
    texts = ["german korean steel", "north korea peru", "carriers in prussia", "western europe"]
    for text in texts:
        for found, wanted in zip(
            one.reader.names.find(split(text)), other.reader.names.find(split(text)), strict=True
        ):
            assert found[:2] == wanted[:2]
            assert {mine.tokens[i] for i in found.ids} == {theirs.tokens[i] for i in wanted.ids}


@settings(max_examples=25)
@given(data=st.data())
def test_changes_one_by_one_are_changes_at_once(
    loaded: tuple[LivingTiny, Weights], data: st.DataObject
) -> None:
    base, weights = loaded
    domain, current, changes = base, weights, Changes()
    for _ in range(data.draw(st.integers(1, 4))):
        there = {t for t in domain.vocabulary.tokens if t.startswith(("COU_", "SEC_"))}
        removable = sorted(there - {"COU_FRANCE", "SEC_STEEL"})
        removed = data.draw(st.lists(st.sampled_from(removable), unique=True, max_size=3))
        changes = changes.removing(removed)
        fresh = [v for v in NEW if v.token not in there - {*removed}]
        added = (
            data.draw(st.lists(st.sampled_from(fresh), unique=True, max_size=3)) if fresh else []
        )
        changes = changes.adding(added)
        now = replace(base.with_changes(changes), before=domain)
        current = changed_weights(current, domain, now)
        domain = now
    at_once = base.with_changes(changes)
    other = changed_weights(weights, base, at_once)
    assert_alike(current, domain.vocabulary, other, at_once.vocabulary)
    parser = RuntimeParser(current, domain.automaton("lr"))
    twin = RuntimeParser(other, at_once.automaton("lr"))
    for query in ("french steel", "peruvian steel airlines", "steel not korean"):
        assert parser.parse(query).tokens == twin.parse(query).tokens


def test_a_row_that_is_new_is_its_kinds_with_its_name(loaded: tuple[LivingTiny, Weights]) -> None:
    base, weights = loaded
    names = weights.reader.names
    assert names is not None
    frequencies, tokens = weights.frequencies, base.vocabulary.tokens
    called = {token: names.phrases(token) for token in tokens}
    words = {word for phrases in called.values() for words in phrases for word in words}
    composed = names.rows_of(called, frequencies.counts(words), frequencies.tokens)
    assert np.allclose(composed, weights.rows.spelt[:-1], atol=1e-6)
    now = base.with_changes(Changes(tuple(NEW[:2])))
    wider = changed_weights(weights, base, now)
    peru = now.vocabulary.id("COU_PERU")
    unseen = base.vocabulary.id("COU_NETHERLANDS")
    assert weights.own_of[unseen] == wider.own_of[peru] == 0
    new, old = wider.rows, weights.rows
    assert np.array_equal(new.whole[peru, : wider.learnt], old.whole[unseen, : weights.learnt])
    assert new.bias[peru] == old.bias[unseen]
    assert np.linalg.norm(new.spelt[peru]) == pytest.approx(1, abs=1e-4)


def test_rows_that_were_learnt_one_by_one_can_go_but_not_come(tmp_path: Path) -> None:
    base = DOMAINS["bracketed"]
    weights = weights_of(base, "learnt", tmp_path)
    with pytest.raises(FixedVocabulary, match="a row for each token of tiny and cannot compose"):
        changed_weights(weights, base, base.with_changes(Changes(tuple(NEW[:1]))))
    now = base.with_changes(Changes((), ("COU_GERMANY",)))
    narrower = changed_weights(weights, base, now)
    japan = now.vocabulary.id("COU_JAPAN")
    assert np.array_equal(
        narrower.rows.whole[japan], weights.rows.whole[base.vocabulary.id("COU_JAPAN")]
    )
    parser = RuntimeParser(narrower, now.automaton("lr"))
    assert "COU_GERMANY" not in parser.parse("german steel").tokens
