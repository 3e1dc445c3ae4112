"""Judging predictions, one by one and by splits, in equity search."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

import pytest

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.domain import equity_search
from grammax.evaluation import Report, SplitReport, evaluate, judge
from grammax.language.domain import Pair, Tokens
from grammax.tables.domain import TableDomain

GERMAN = ("(", "FLD_DOMICILE", "EQ", "COU_GERMANY", ")")
STEEL = ("(", "FLD_EQS_SECTOR", "EQ", "SEC_GICS_STEEL", ")")
ILL_TYPED = ("(", "FLD_DOMICILE", "EQ", "SEC_GICS_STEEL", ")")
CUT = GERMAN[:-1]
BOTH = ("(", "AND", *GERMAN, *STEEL, ")")
TURNED = ("(", "AND", *STEEL, *GERMAN, ")")
PAIR = Pair("german", GERMAN)


@dataclass
class Store:
    """Answers that are given, and what was asked."""

    alike: frozenset[Tokens] = frozenset()
    asked: list[tuple[Tokens, Tokens]] = field(default_factory=list)
    opened: int = 0

    def same(self, one: Tokens, other: Tokens) -> bool:
        self.asked.append((one, other))
        return {one, other} <= self.alike

    @contextmanager
    def open(self) -> Iterator[Store]:
        self.opened += 1
        yield self
        self.opened -= 1


@pytest.fixture(scope="module")
def domain() -> TableDomain:
    made = equity_search(load_catalogue(2_000), train=40, test=10, hard=0)
    return made.with_parts(written=tuple)


def test_order_does_not_matter_for_an_exact_match(domain: TableDomain) -> None:
    outcome = judge(domain, Pair("german steel", BOTH), TURNED, None)
    assert (outcome.exact, outcome.mistake, outcome.denotation) == (True, None, None)
    assert (outcome.grammatical, outcome.well_typed) == (True, True)


def test_an_ungrammatical_prediction_is_not_compared(domain: TableDomain) -> None:
    store = Store(frozenset({CUT, GERMAN}))
    outcome = judge(domain, PAIR, CUT, store)
    assert (outcome.exact, outcome.denotation) == (False, False)
    assert (outcome.grammatical, outcome.well_typed) == (False, False)
    assert outcome.mistake == "ungrammatical"
    assert store.asked == []


def test_an_ill_typed_prediction_is_grammatical_all_the_same(domain: TableDomain) -> None:
    outcome = judge(domain, PAIR, ILL_TYPED, None)
    assert (outcome.exact, outcome.grammatical, outcome.well_typed) == (False, True, False)
    assert outcome.mistake == domain.mistake(ILL_TYPED, GERMAN)


def test_a_denotation_can_be_right_where_the_match_is_not_exact(domain: TableDomain) -> None:
    outcome = judge(domain, PAIR, BOTH, Store(frozenset({GERMAN, BOTH})))
    assert (outcome.exact, outcome.denotation) == (False, True)
    assert outcome.mistake is not None
    assert judge(domain, PAIR, STEEL, Store()).denotation is False


def test_an_exact_match_asks_for_no_answer(domain: TableDomain) -> None:
    store = Store()
    assert judge(domain, PAIR, GERMAN, store).denotation is True
    assert store.asked == []


def test_every_query_is_parsed_once_and_progress_is_told(domain: TableDomain) -> None:
    pairs = [Pair(f"query {number}", GERMAN) for number in range(150)]
    parsed: list[str] = []
    told: list[tuple[str, int]] = []

    def parse_batch(queries: Sequence[str]) -> list[Tokens]:
        parsed.extend(queries)
        return [GERMAN if query.endswith("7") else STEEL for query in queries]

    outcomes = evaluate(
        domain,
        parse_batch,
        {"one": pairs, "two": pairs[:3]},
        denotation=False,
        progress=lambda name, done: told.append((name, done)),
    )
    assert parsed == [pair.query for pair in [*pairs, *pairs[:3]]]
    assert [outcome.query for outcome in outcomes["one"]] == [pair.query for pair in pairs]
    assert sum(outcome.exact for outcome in outcomes["one"]) == 15
    assert sum(done for name, done in told if name == "one") == 150
    assert len([done for name, done in told if name == "one"]) > 2
    assert sum(done for name, done in told if name == "two") == 3


def test_a_parser_that_loses_a_query_is_noticed(domain: TableDomain) -> None:
    with pytest.raises(ValueError, match="shorter"):
        evaluate(domain, lambda queries: [GERMAN], {"test": [PAIR, PAIR]}, denotation=False)


def test_the_store_is_open_only_while_denotations_are_wanted(
    domain: TableDomain, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(frozenset({GERMAN, BOTH}))
    monkeypatch.setattr(TableDomain, "answers", lambda _: store.open())
    seen: list[int] = []

    def parse_batch(queries: Sequence[str]) -> list[Tokens]:
        seen.append(store.opened)
        return [BOTH for _ in queries]

    (with_store,) = evaluate(domain, parse_batch, {"test": [PAIR]})["test"]
    (without,) = evaluate(domain, parse_batch, {"test": [PAIR]}, denotation=False)["test"]
    assert (with_store.denotation, without.denotation) == (True, None)
    assert (seen, store.opened) == ([1, 0], 0)


def test_a_domain_without_answers_has_no_denotations(
    domain: TableDomain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TableDomain, "answers", lambda _: None)
    (outcome,) = evaluate(domain, lambda _: [STEEL], {"test": [PAIR]})["test"]
    assert outcome.denotation is None


def test_a_report_counts_what_was_judged(domain: TableDomain) -> None:
    store = Store(frozenset({GERMAN, BOTH}))
    predicted = [GERMAN, GERMAN, CUT, CUT, CUT, ILL_TYPED, BOTH, STEEL]
    outcomes = [judge(domain, PAIR, tokens, store) for tokens in predicted]
    report = SplitReport.from_outcomes("test", outcomes)
    assert report.exact is not None
    assert report.denotation is not None
    assert (report.queries, report.exact.value, report.denotation.value) == (8, 2 / 8, 3 / 8)
    assert report.exact.low < 2 / 8 < report.exact.high
    assert (report.ungrammatical, report.ill_typed) == (3, 1)
    assert report.mistakes["ungrammatical"] == 3
    assert sum(report.mistakes.values()) == 6
    assert list(report.mistakes.values()) == sorted(report.mistakes.values(), reverse=True)


def test_a_report_becomes_json(domain: TableDomain) -> None:
    outcomes = evaluate(
        domain, lambda _: [CUT], {"test": [PAIR], "unseen_values": []}, denotation=False
    )
    report = Report.from_outcomes(domain, outcomes, model="m.safetensors", grammar="lr")
    assert json.loads(json.dumps(asdict(report))) == {
        "domain": "eqs",
        "version": domain.version,
        "model": "m.safetensors",
        "grammar": "lr",
        "beam": 1,
        "splits": [
            {
                "split": "test",
                "queries": 1,
                "exact": {"value": 0.0, "low": 0.0, "high": 0.0},
                "denotation": None,
                "ungrammatical": 1,
                "ill_typed": 0,
                "mistakes": {"ungrammatical": 1},
            },
            {
                "split": "unseen_values",
                "queries": 0,
                "exact": None,
                "denotation": None,
                "ungrammatical": 0,
                "ill_typed": 0,
                "mistakes": {},
            },
        ],
    }


def test_sorts_of_mistake_are_listed_over_all_splits(domain: TableDomain) -> None:
    sorts = judge(domain, PAIR, STEEL, None).mistake
    splits = {"one": [PAIR], "two": [PAIR, PAIR]}
    predictions = iter([[STEEL], [CUT, CUT]])
    outcomes = evaluate(domain, lambda _: next(predictions), splits, denotation=False)
    report = Report.from_outcomes(domain, outcomes, model="", grammar="lr")
    assert report.mistakes == ("ungrammatical", sorts)
