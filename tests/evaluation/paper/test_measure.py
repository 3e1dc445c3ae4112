"""What is measured, and how rows take turns. Nothing here depends on how long anything takes."""

from __future__ import annotations

from contextlib import suppress
from itertools import groupby, pairwise
from statistics import fmean, stdev

import pytest

torch = pytest.importorskip("torch", reason="the table is measured with PyTorch")

from evaluation.paper.small import RUNS, small_domain, small_rows, small_table  # noqa: E402

from grammax.automaton.walk import accepts_tokens  # noqa: E402
from grammax.errors import TokenNotPermitted  # noqa: E402
from grammax.evaluation.paper import measure as measuring  # noqa: E402
from grammax.evaluation.paper.figures import Measured, table_figures  # noqa: E402
from grammax.evaluation.paper.measure import NothingToMeasure, measure  # noqa: E402
from grammax.evaluation.paper.rows import TableRow  # noqa: E402
from grammax.model.parser import TorchParser  # noqa: E402
from grammax.search import Decoded  # noqa: E402

DOMAIN = small_domain()
PAIRS = DOMAIN.pairs("test")
UNDER_GRAMMAR = [row for row in small_rows() if row.grammar is not None]
UNLIMITED = ("NSP-M", "NSP-G(all)", "NSP-GC(all)", "Spans, paper")


def named(name: str) -> TableRow:
    return next(row for row in small_rows() if row.name == name)


def parsed(row: TableRow) -> list[Decoded]:
    return [row.parser.parse(pair.query) for pair in PAIRS]


def test_every_row_is_measured_in_order_over_all_queries_and_runs() -> None:
    assert list(small_table()) == [row.name for row in small_rows()]
    for figures in small_table().values():
        assert (figures.queries, len(figures.by_run)) == (len(PAIRS), RUNS)
        assert all(seconds > 0 for seconds in figures.by_run)
    assert small_table()["NSP"].speedup == 1


def test_rows_take_turns_block_by_block_and_the_first_moves_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measuring, "BLOCK", 4)
    monkeypatch.setattr(measuring, "_warm_up", lambda *_: None)
    asked: list[tuple[TorchParser, str]] = []
    parse = TorchParser.parse

    def noted(parser: TorchParser, text: str) -> Decoded:
        asked.append((parser, text))
        return parse(parser, text)

    monkeypatch.setattr(TorchParser, "parse", noted)
    rows = small_rows()[-3:]
    measure(DOMAIN, rows, PAIRS, runs=2)
    parsers = [row.parser for row in rows]
    turns = [
        (parsers.index(parser), [text for _, text in group])
        for parser, group in groupby(asked, key=lambda each: each[0])
    ]
    rounds = [turns[start : start + len(rows)] for start in range(0, len(turns), len(rows))]
    queries = [pair.query for pair in PAIRS]
    for number, (turn, block) in enumerate(
        zip(rounds, [queries[:4], queries[4:]] * 2, strict=True)
    ):
        assert [row for row, _ in turn] == [(number + i) % len(rows) for i in range(len(rows))]
        assert all(texts == block for _, texts in turn)


def test_caches_are_full_before_the_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    row = named("NSP-GC(all)")
    row.parser.head.clear()
    parse = TorchParser.parse

    def noted(parser: TorchParser, text: str) -> Decoded:
        found = parse(parser, text)
        kept.append(parser.head.memory_bytes)
        return found

    monkeypatch.setattr(TorchParser, "parse", noted)
    measure(DOMAIN, [row], PAIRS, runs=2)
    assert len(kept) == 3 * len(PAIRS)
    assert len(set(kept[len(PAIRS) - 1 :])) == 1


def test_progress_is_told_of_every_query_and_threads_are_as_before() -> None:
    told: list[tuple[str, int]] = []

    def tell(what: str, done: int) -> None:
        told.append((what, done))
        assert torch.get_num_threads() == 1

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        measure(DOMAIN, small_rows()[-1:], PAIRS, 2, tell)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert sum(done for _, done in told) == 2 * len(PAIRS)
    assert told[-1][0] == "run 2 of 2"


def test_without_queries_there_is_nothing_to_measure() -> None:
    with pytest.raises(NothingToMeasure, match="no test queries of eqs"):
        measure(DOMAIN, small_rows(), [], 1)


@pytest.mark.parametrize("row", UNDER_GRAMMAR, ids=lambda row: row.name)
def test_permitted_is_what_the_grammar_permits_on_the_way(row: TableRow) -> None:
    automaton, sizes = row.parser.automaton, []
    for parse in parsed(row):
        state = automaton.start
        for token in parse.ids:
            sizes.append(automaton.next_tokens(state).size)
            state = automaton.pass_token(state, token)
    assert small_table()[row.name].permitted == fmean(sizes)


def test_forced_tokens_are_not_multiplied_and_others_as_the_head_does() -> None:
    table, all_rows = small_table(), len(DOMAIN.vocabulary) + 1
    assert table["NSP"].permitted == len(DOMAIN.vocabulary)
    assert table["NSP"].multiplied == all_rows
    assert table["NSP"].length == fmean(len(parse.tokens) for parse in parsed(named("NSP")))
    steps = [size for parse in parsed(named("NSP-M")) for size in parse.permitted]
    choices = [size for size in steps if size > 1]
    assert table["NSP-M"].multiplied == all_rows * len(choices) / len(steps)
    assert table["Spans, paper"].multiplied == sum(choices) / len(steps)
    limited = [size if size < 500 else all_rows for size in choices]
    assert table["NSP-G(500)"].multiplied == sum(limited) / len(steps)
    assert table["NSP-GC(500)"].multiplied == table["NSP-G(500)"].multiplied


def test_the_same_grammar_without_a_limit_gives_the_same_tokens_under_every_head() -> None:
    found = [[parse.tokens for parse in parsed(named(name))] for name in UNLIMITED]
    assert all(one == other for one, other in pairwise(found))


def test_cached_rows_keep_memory_and_no_others_do() -> None:
    kept = {name: figures.memory_mb for name, figures in small_table().items()}
    assert 0 < kept["NSP-GC(500)"] < kept["NSP-GC(10⁴)"] == kept["NSP-GC(all)"]
    assert {name for name, memory in kept.items() if memory} == {
        "NSP-GC(500)", "NSP-GC(10⁴)", "NSP-GC(all)",
    }  # fmt: skip


def test_the_share_that_a_grammar_accepts_is_counted() -> None:
    table = small_table()
    for row in UNDER_GRAMMAR:
        automaton, count = DOMAIN.automaton(row.grammar), 0
        for pair in PAIRS:
            with suppress(TokenNotPermitted):
                count += automaton.accepts(automaton.read(pair.tokens))
        assert table[row.name].accepted_percent == pytest.approx(100 * count / len(PAIRS))
    assert table["Spans, paper"].accepted_percent < 100
    assert table["Spans, lr"].accepted_percent == table["NSP"].accepted_percent == 100


def test_ungrammatical_sentences_and_exact_matches_are_counted() -> None:
    row = named("Spans, lr")
    found = parsed(row)
    expected = [pair._replace(tokens=found[0].tokens) for pair in PAIRS[:1]] + PAIRS[1:]
    (figures,) = table_figures(DOMAIN, expected, [Measured(row, found, (1.0,))])
    right = sum(DOMAIN.same(f.tokens, p.tokens) for f, p in zip(found, expected, strict=True))
    assert right >= 1
    assert figures.exact_match_percent == pytest.approx(100 * right / len(PAIRS))
    assert (figures.ungrammatical, figures.deviation) == (0, 0.0)
    free = [parse.tokens for parse in parsed(named("NSP"))]
    wrong = sum(not DOMAIN.grammatical(tokens) for tokens in free)
    assert small_table()["NSP"].ungrammatical == wrong > 0


def test_seconds_are_told_over_the_runs_and_the_speed_up_by_medians() -> None:
    row = named("Spans, lr")
    found = parsed(row)
    first = Measured(row, found, (8.0,))
    figures = table_figures(DOMAIN, PAIRS, [first, Measured(row, found, (1.0, 2.0, 6.0))])[1]
    assert (figures.seconds, figures.median, figures.speedup) == (3.0, 2.0, 4.0)
    assert figures.deviation == stdev([1.0, 2.0, 6.0])


def test_rows_are_compared_on_the_forms_that_all_grammars_accept() -> None:
    table = small_table()
    automaton = DOMAIN.automaton("paper")
    shared = [pair for pair in PAIRS if accepts_tokens(automaton, pair.tokens)]
    assert 0 < len(shared) < len(PAIRS)
    for row in small_rows():
        right = [DOMAIN.same(row.parser.parse(p.query).tokens, p.tokens) for p in shared]
        assert table[row.name].shared_queries == len(shared)
        assert table[row.name].shared_exact_match_percent == pytest.approx(100 * fmean(right))


def test_without_such_forms_there_is_no_share_of_them() -> None:
    pairs = [pair for pair in PAIRS if not accepts_tokens(DOMAIN.automaton("paper"), pair.tokens)]
    row = named("Spans, paper")
    found = [row.parser.parse(pair.query) for pair in pairs]
    (figures,) = table_figures(DOMAIN, pairs, [Measured(row, found, (1.0,))])
    assert (figures.shared_queries, figures.shared_exact_match_percent) == (0, None)
