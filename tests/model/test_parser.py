"""Text → logical form: complete and grammatical for any text and any network."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the parser needs PyTorch")

import warnings  # noqa: E402
from dataclasses import replace  # noqa: E402

from model.networks import SHORT, SMALL, an_untrained, few, trained  # noqa: E402
from model.tiny import OPEN, TINY, TinyDomain  # noqa: E402

from grammax.head.cached_rows import CachedRows  # noqa: E402
from grammax.head.every_row import EveryRow  # noqa: E402
from grammax.head.gathered_rows import GatheredRows  # noqa: E402
from grammax.head.masked_rows import MaskedRows  # noqa: E402
from grammax.model.parser import TorchParser, output_layer  # noqa: E402
from grammax.reading.parse import QueryNotice  # noqa: E402
from grammax.reading.reader import EmptyQuery  # noqa: E402
from grammax.search import NoScore, Unconstrained  # noqa: E402

PARSER = TorchParser.for_domain(trained().network, TINY)
TEXTS = [pair.query for pair in TINY.train[::5]]
WAYS = {
    "parse": lambda text: PARSER.parse(text),
    "best": lambda text: PARSER.best(text, 2)[0],
    "parse_batch": lambda text: PARSER.parse_batch([text])[0],
}


def test_a_query_becomes_its_logical_form() -> None:
    for pair in TINY.train[::7]:
        parse = PARSER.parse(pair.query)
        assert parse.tokens == pair.tokens
        assert PARSER.read(pair.query).text == pair.query


def test_the_tightest_grammar_is_used() -> None:
    assert PARSER.automaton is TINY.automaton("lr")


@pytest.mark.parametrize("decisions_only", [False, True])
@pytest.mark.parametrize("rows", ["composed", "learnt"])
@pytest.mark.parametrize("domain", [TINY, OPEN], ids=["bracketed", "open"])
def test_an_untrained_network_is_grammatical_and_within_its_budget(
    domain: TinyDomain, rows: str, decisions_only: bool
) -> None:
    for seed, budget in ((0, 12), (1, 30)):
        model = replace(SMALL, rows=rows, decisions_only=decisions_only, budget=budget)
        network = an_untrained(few(8, domain), model, replace(SHORT, seed=seed))
        parser = TorchParser.for_domain(network, domain)
        for text in ("german steel", "banks", "top 10"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", QueryNotice)
                found = [parser.parse(text), *parser.best(text, 3), *parser.parse_batch([text] * 2)]
            for parse in found:
                assert domain.grammatical(parse.tokens)
                assert len(parse.tokens) <= budget


def test_many_queries_are_parsed_as_each_alone() -> None:
    texts = (TEXTS * 9)[:70]  # more than go side by side
    for text, parse in zip(texts, PARSER.parse_batch(texts), strict=True):
        alone = PARSER.parse(text)
        assert parse.tokens == alone.tokens
        assert parse.log_probability == pytest.approx(alone.log_probability, abs=1e-4)
    assert PARSER.parse_batch([]) == []


def test_the_best_logical_form_comes_first() -> None:
    for text in TEXTS:
        found = PARSER.best(text, 4)
        logs = [parse.log_probability for parse in found]
        assert logs == sorted(logs, reverse=True)
        assert len({parse.tokens for parse in found}) == 4
        assert logs[0] >= PARSER.parse(text).log_probability - 1e-4


@pytest.mark.parametrize("head", [GatheredRows, CachedRows, MaskedRows])
def test_heads_are_interchangeable(head: type) -> None:
    layer = output_layer(PARSER.network)
    other = TorchParser(PARSER.network, PARSER.automaton, head(layer))
    for one, two in zip(PARSER.parse_batch(TEXTS), other.parse_batch(TEXTS), strict=True):
        assert one.tokens == two.tokens
    assert other.parse(TEXTS[0]).tokens == PARSER.parse(TEXTS[0]).tokens


def test_the_output_layer_is_the_network_s_and_has_a_row_for_the_end() -> None:
    layer, rows = output_layer(PARSER.network), PARSER.network.rows.layer()
    assert torch.equal(layer.weight, rows.weight)
    assert torch.equal(layer.bias, rows.bias)
    assert layer.end == len(TINY.vocabulary)
    assert not layer.weight.requires_grad


def test_without_a_grammar_all_rows_compete() -> None:
    free = Unconstrained(TINY.vocabulary)
    parser = TorchParser(PARSER.network, free, EveryRow(output_layer(PARSER.network)))
    assert set(parser.parse("german steel").scored) == {len(TINY.vocabulary) + 1}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", ["", "   ", "\x00"])
def test_an_empty_query_is_refused(text: str, way: str) -> None:
    with pytest.raises(EmptyQuery):
        WAYS[way](text)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("german steel " * 5_000, "200 of its words are read, and the rest is cut"),
        ("german steel " * 100_000, "the query is too long"),
        (
            "zeppelin qwerty",
            "no word of this query is known: zeppelin qwerty",
        ),
        ("\ud800 日本 🚀", "no word of this query is known: 日本 🚀"),
        ("german" + " " * 99_999 + "steel", "1 of its words are read"),
    ],
    ids=["10,000 words", "a megabyte", "unknown", "foreign", "far apart"],
)
def test_an_unusual_query_is_told_and_parsed_all_the_same(
    way: str, text: str, message: str
) -> None:
    with pytest.warns(QueryNotice, match=message) as told:
        parse = WAYS[way](text)
    assert TINY.grammatical(parse.tokens)
    assert {warning.filename for warning in told} == {__file__}


def test_notices_are_short() -> None:
    with pytest.warns(QueryNotice) as told:
        PARSER.parse("x" * 100_000)
    assert len(told) == 2
    assert all(len(str(warning.message)) < 300 for warning in told)


def test_a_usual_query_is_told_nothing_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PARSER.parse("german zeppelin")


def test_a_damaged_network_is_refused() -> None:
    network = an_untrained(few(8))
    with torch.no_grad():
        network.decoder.weight_ih_l0.fill_(float("nan"))
    with pytest.raises(NoScore, match="NaN"):
        TorchParser.for_domain(network, TINY).parse("german steel")


def test_parsing_leaves_the_network_as_it_was() -> None:
    network = an_untrained(few(8))
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    TorchParser.for_domain(network, TINY).parse("german steel")
    assert all(torch.equal(tensor, before[n]) for n, tensor in network.state_dict().items())
    assert all(parameter.requires_grad for parameter in network.parameters())
