"""Pairs as they are trained on: exactly what a search asks, in batches that the seed decides."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from model.tiny import OPEN, TINY, TinyDomain, a_reader

from grammax.head import Candidate, Options
from grammax.language.domain import Pair
from grammax.reading.reader import EmptyQuery, Query
from grammax.search import Unconstrained, greedy
from grammax.search.protocol import Run
from grammax.training.examples import Example, UntrainablePair, batches, examples

BOTH = pytest.mark.parametrize("domain", [TINY, OPEN], ids=["bracketed", "open"])


@dataclass
class Guide:
    """A head that wants certain tokens, and a decoder that notes what it is told."""

    tokens: int
    wanted: list[int]
    asked: list[Options] = field(default_factory=list)
    told: list[Run] = field(default_factory=list)
    memory_bytes = 0
    size = 1

    @property
    def end(self) -> int:
        return self.tokens

    def start(self, query: str) -> None:
        return None

    def step(self, state: None, run: Run) -> None:
        self.told.append(run)

    def hidden(self, state: None) -> None:
        return None

    def scores(self, hidden: None, options: Options) -> Guide:
        self.asked.append(options)
        return self

    def best(self, count: int, among: object = None) -> list[Candidate]:
        return [(self.wanted[len(self.asked) - 1], 0.0)]


def made(domain: TinyDomain, grammar: str = "lr", decisions_only: bool = False) -> list[Example]:
    return examples(domain.train, a_reader(domain), domain.automaton(grammar), decisions_only)


@BOTH
@pytest.mark.parametrize("decisions_only", [False, True])
@pytest.mark.parametrize("grammar", ["superset", "lr", "none"])
def test_examples_are_what_the_search_will_see(
    domain: TinyDomain, grammar: str, decisions_only: bool
) -> None:
    free = Unconstrained(domain.vocabulary)
    automaton = free if grammar == "none" else domain.automaton(grammar)
    given = examples(domain.train, a_reader(domain), automaton, decisions_only)
    for pair, (_, runs, targets, options) in zip(domain.train, given, strict=True):
        chosen = [target for target, choice in zip(targets, options, strict=True) if choice]
        guide = Guide(len(domain.vocabulary), chosen)
        found = greedy(
            guide, guide, automaton, "", budget=len(pair.tokens), decisions_only=decisions_only
        )
        assert found.tokens == pair.tokens
        assert guide.asked == [choice for choice in options if choice]
        assert runs[0] == ()
        assert guide.told == list(runs[1 : 1 + len(guide.told)])
        last = max(step for step, choice in enumerate(options) if choice)
        assert len(guide.told) == last


def test_forced_tokens_have_no_options() -> None:
    automaton = TINY.automaton("lr")
    for pair, (_, _, targets, options) in zip(TINY.train, made(TINY), strict=True):
        assert [TINY.vocabulary.tokens[target] for target in targets] == list(pair.tokens)
        state = automaton.start
        for target, choice in zip(targets, options, strict=True):
            assert (choice is None) == (automaton.next_tokens(state).size == 1)
            state = automaton.pass_token(state, target)
        assert options[0] is None


def test_decisions_only_leaves_forced_tokens_out() -> None:
    for whole, short in zip(made(TINY), made(TINY, decisions_only=True), strict=True):
        steps = zip(whole.targets, whole.options, strict=True)
        decisions = [(target, choice) for target, choice in steps if choice is not None]
        assert decisions == list(zip(short.targets, short.options, strict=True))
        assert 0 < len(short.targets) < len(whole.targets)
        read = [token for run in short.runs for token in run]
        skipped = whole.targets.index(short.targets[0])
        assert read == list(whole.targets[skipped : skipped + len(read)])


def test_the_end_is_learnt_where_the_grammar_leaves_it_open() -> None:
    end = len(OPEN.vocabulary)
    for pair, (_, _, targets, options) in zip(OPEN.train, made(OPEN), strict=True):
        assert targets[-1] == end
        assert len(targets) == len(pair.tokens) + 1
        may_end = [choice is not None and choice.may_end for choice in options]
        complete = [False, *(token.startswith(("COU_", "SEC_")) for token in pair.tokens)]
        assert may_end == complete
    assert all(end not in targets for _, _, targets, _ in made(TINY))


def test_a_token_is_no_longer_forced_where_the_sentence_may_end_instead() -> None:
    """After a clause `and` is the only token, and the end its only rival."""
    domicile = made(OPEN)[0]
    assert domicile.options[-1] is not None
    assert domicile.options[-1].permitted.size == 1
    assert domicile.options[-1].may_end


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("( AND", r"'odd query' is not complete: \( AND"),
        ("( FLD_SECTOR EQ COU_JAPAN )", "'odd query' does not fit the grammar: .*COU_JAPAN"),
        ("( FLD_SECTOR EQ SEC_STEEL ) )", r"'odd query' does not fit the grammar: .*\)"),
        ("( FLD_SECTOR EQ SEC_GOLD )", "'odd query' does not fit the grammar: .*SEC_GOLD"),
        ("", "'odd query' is not complete"),
    ],
)
def test_a_pair_that_does_not_fit_the_grammar_is_named(text: str, message: str) -> None:
    pair = Pair("odd query", tuple(text.split()))
    with pytest.raises(UntrainablePair, match=message):
        examples([*TINY.train[:2], pair], a_reader(), TINY.automaton("lr"), decisions_only=False)


def test_a_pair_without_a_query_is_refused() -> None:
    with pytest.raises(EmptyQuery):
        examples([Pair(" ", TINY.train[0].tokens)], a_reader(), TINY.automaton("lr"), False)


def numbered(count: int) -> list[Example]:
    """Examples of 1 to 7 targets and 1 to 11 words; each query begins with its number."""
    found = []
    for number in range(count):
        words = tuple(map(str, range(number, number + 1 + number * 3 % 11)))
        query = Query("", words, (0,) * len(words), (), cut=False)
        steps = 1 + number * 5 % 7
        found.append(Example(query, ((0,),) * steps, (0,) * steps, (None,) * steps))
    return found


def numbers(batch: list[Example]) -> list[int]:
    return [int(example.query.words[0]) for example in batch]


@pytest.mark.parametrize(("count", "size"), [(1, 4), (4, 4), (5, 4), (1_000, 16), (97, 1), (3, 99)])
def test_an_epoch_has_every_pair_once(count: int, size: int) -> None:
    found = batches(numbered(count), size, np.random.default_rng(0))
    assert sorted(number for batch in found for number in numbers(batch)) == list(range(count))
    assert all(1 <= len(batch) <= size for batch in found)
    assert len(found) <= count // size + 1


def test_no_pairs_are_no_batches() -> None:
    assert batches([], 4, np.random.default_rng(0)) == []


def drawn(seed: object) -> list[list[int]]:
    return [numbers(batch) for batch in batches(numbered(200), 8, np.random.default_rng(seed))]


def test_the_seed_decides_the_batches() -> None:
    assert drawn((0, 3)) == drawn((0, 3))
    assert drawn((0, 3)) != drawn((0, 4))
    assert drawn((0, 3)) != drawn((1, 3))


def test_batches_are_shuffled_and_their_pairs_similar_in_length() -> None:
    given = numbered(800)
    found = batches(given, 8, np.random.default_rng(1))
    targets = [max(len(example.targets) for example in batch) for batch in found]
    words = [max(len(example.query.words) for example in batch) for batch in found]
    assert np.mean(targets) < 0.75 * 7
    assert np.mean(words) < 0.75 * 11
    assert targets != sorted(targets)
    assert numbers(found[0]) != sorted(numbers(found[0]))
