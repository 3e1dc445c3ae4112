"""`grammax.load` and what it gives: logical forms, how sure, from which words, and answers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import FrozenInstanceError, dataclass, replace
from pathlib import Path

import pytest
from model.tiny import OPEN, TINY, UNSEEN_PAIRS, TinyDomain

import grammax
from grammax.confidence import Calibration, Features, Usage
from grammax.confidence.logistic import Logistic
from grammax.domains import NoModel, UnknownDomain
from grammax.files import CACHE_VARIABLE
from grammax.language.capabilities import Connectable, NoOwnTables
from grammax.language.domain import Tokens
from grammax.model.header import OtherVersion
from grammax.parser import Alternative, NothingToAsk, Parsed, Parser
from grammax.reading.reader import EmptyQuery
from grammax.runtime.parser import RuntimeParser

DOMAINS = {"bracketed": TINY, "open": OPEN}
QUERIES = [
    *(pair.query for pair in (*TINY.train[:12], *UNSEEN_PAIRS[:3])),
    "German, or dutch steel?",
    "cars cars cars",
]


@pytest.fixture(scope="module", params=DOMAINS)
def model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[TinyDomain, Path]]:
    """A domain, and the file of a model that has learnt a little of it."""
    pytest.importorskip("torch", reason="models are trained with PyTorch")
    from model.networks import SHORT, a_trainer

    from grammax.training.checkpoint import save_checkpoint

    folder = tmp_path_factory.mktemp("model")
    domain = DOMAINS[request.param]
    trainer = a_trainer(domain, config=replace(SHORT, epochs=4, batch=8))
    for _ in range(4):
        trainer.run()
    save_checkpoint(folder / "model.safetensors", trainer, [], final=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(folder))
        yield domain, folder / "model.safetensors"


@pytest.fixture(scope="module")
def tiny(model: tuple[TinyDomain, Path]) -> Parser:
    return Parser(*model)


def test_a_parse_tells_its_form_and_what_it_cost(tiny: Parser) -> None:
    automaton = tiny.domain.automaton("lr")
    the_end = {0} if tiny.domain is TINY else {0, 1}  # whether it competes
    for query in QUERIES:
        found = tiny.parse(query)
        assert found.text == query
        assert found.lf == " ".join(found.tokens)
        assert automaton.accepts(automaton.read(found.tokens))
        assert 0 < found.confidence <= 1
        assert found.best == (Alternative(found.lf, found.tokens, found.confidence),)
        assert len(found.permitted) == len(found.scored)
        assert len(found.scored) - len(found.tokens) in the_end
        for permitted, scored in zip(found.permitted, found.scored, strict=True):
            if scored:
                assert scored > 1
                assert scored - permitted in the_end
            else:
                assert permitted == 1
        assert min(found.seconds) > 0


def test_sources_are_words_of_the_query_and_forced_tokens_have_none(tiny: Parser) -> None:
    for query in QUERIES:
        found = tiny.parse(query)
        assert len(found.sources) == len(found.tokens)
        for place, sources in enumerate(found.sources):
            assert bool(sources) == bool(found.scored[place])
            assert list(sources) == sorted(set(sources))
            assert set(sources) <= set(range(len(found.words)))
            assert found.words_of(place) == tuple(found.words[source] for source in sources)


def test_the_best_are_those_of_a_beam(tiny: Parser, model: tuple[TinyDomain, Path]) -> None:
    runtime = RuntimeParser.load(model[1], tiny.domain)
    for query in QUERIES:
        best = tiny.parse(query, best=3).best
        assert len({one.tokens for one in best}) == 3
        assert list(best) == sorted(best, key=lambda one: -one.probability)
        assert all(0 < one.probability < 1 for one in best)
        beam = runtime.best(runtime.read(query), 3)
        assert [one.tokens for one in best] == [parse.tokens for parse in beam]


def test_many_are_parsed_as_each_alone(tiny: Parser) -> None:
    for one, other in zip(tiny.parse_batch(QUERIES), map(tiny.parse, QUERIES), strict=True):
        assert (one.text, one.lf, one.tokens) == (other.text, other.lf, other.tokens)
        assert (one.permitted, one.scored) == (other.permitted, other.scored)
        assert one.words == other.words
        assert one.confidence == pytest.approx(other.confidence, abs=1e-4)
        assert one.sources == ((),) * len(one.tokens)
    assert tiny.parse_batch([]) == []


def test_a_parse_does_not_change(tiny: Parser) -> None:
    found = tiny.parse("german steel")
    with pytest.raises(FrozenInstanceError):
        found.lf = "( )"  # type: ignore[misc]
    assert found == replace(found)
    assert hash(found) == hash(replace(found))


def test_a_query_without_a_word_is_refused(tiny: Parser) -> None:
    for texts in ([" "], ["german steel", ""]):
        with pytest.raises(EmptyQuery, match="there is no word"):
            tiny.parse(texts[-1])
        with pytest.raises(EmptyQuery, match="there is no word"):
            tiny.parse_batch(texts)


def test_a_domain_and_a_model_of_ones_own_can_be_loaded(model: tuple[TinyDomain, Path]) -> None:
    domain, path = model
    wanted = Parser(domain, path).parse("german steel").lf
    assert grammax.load(domain, path).parse("german steel").lf == wanted
    assert grammax.load(domain, str(path)).parse("german steel").lf == wanted
    with pytest.raises(OtherVersion):
        grammax.load(replace(domain, version="two"), path)


def test_what_cannot_be_loaded_is_told() -> None:
    with pytest.raises(UnknownDomain, match=r"unknown domain 'nope': give .*eqs"):
        grammax.load("nope")
    with pytest.raises(NoModel, match="no model comes with the domain 'tiny'"):
        grammax.load(TINY)
    with pytest.raises(FileNotFoundError, match="no such checkpoint"):
        grammax.load(TINY, "nowhere.safetensors")


def test_a_domain_without_a_store_has_nothing_to_ask(tiny: Parser) -> None:
    with pytest.raises(NothingToAsk, match=f"{tiny.domain.name!r} has no data to answer from"):
        tiny.ask("german steel")


def test_a_domain_that_maps_no_tables_refuses_them(model: tuple[TinyDomain, Path]) -> None:
    with pytest.raises(NoOwnTables, match=r"'.*' cannot answer from mine\.toml"):
        grammax.load(*model, tables="mine.toml")


class Mapped(TinyDomain, Connectable):
    """A domain that notes which tables it is connected to."""

    tables: Path | None = None

    def connected(self, tables: Path) -> Mapped:
        made = Mapped(self.grammar, self.train, name=self.name)
        object.__setattr__(made, "tables", tables)
        return made


def test_tables_of_ones_own_are_connected(model: tuple[TinyDomain, Path]) -> None:
    domain, path = model
    given = Mapped(domain.grammar, domain.train, name=domain.name)
    found = grammax.load(given, path, tables="mine.toml").domain
    assert isinstance(found, Mapped)
    assert found.tables == Path("mine.toml")


@dataclass(frozen=True)
class Echo:
    """Answers with the tokens themselves."""

    def answer(self, tokens: Tokens, limit: int) -> Tokens:
        return tokens[:limit]

    def same(self, one: Tokens, other: Tokens) -> bool:
        return one == other


class Echoing(TinyDomain):
    """A domain with a store, and what happened to it."""

    events: list[str] = []  # noqa: RUF012

    def answers(self) -> AbstractContextManager[Echo]:  # type: ignore[override]
        @contextmanager
        def opened() -> Iterator[Echo]:
            self.events.append("opened")
            yield Echo()
            self.events.append("closed")

        return opened()


def test_a_store_is_opened_when_it_is_asked_and_closed_at_the_end(
    model: tuple[TinyDomain, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Echoing, "events", [])
    given, path = model
    domain = Echoing(given.grammar, given.train, name=given.name)
    with Parser(domain, path) as parser:
        parsed = parser.parse("german steel")
        assert domain.events == []
        first, second = parser.ask("german steel"), parser.ask("german steel", rows=2)
        assert domain.events == ["opened"]
    assert domain.events == ["opened", "closed"]
    assert (first.parsed.lf, first.answer) == (parsed.lf, parsed.tokens[:20])
    assert second.answer == parsed.tokens[:2]
    parser.close()
    assert parser.ask("german steel").answer == first.answer
    parser.close()
    assert domain.events == ["opened", "closed"] * 2


ABSTAINING = Calibration(
    is_query=Logistic(-9.0, (0.0,) * 3, (0.0,) * 3),
    is_right=Logistic(-9.0, (0.0,) * len(Features._fields), (0.0,) * len(Features._fields)),
    least_query=0.5,
    least_confidence=0.5,
    usage=Usage(frozenset(), frozenset()),
)


def test_where_the_parser_abstains_nothing_is_answered_unless_it_is_forced(
    model: tuple[TinyDomain, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Echoing, "events", [])
    given, path = model
    domain = Echoing(given.grammar, given.train, name=given.name)
    with Parser(domain, path) as parser:
        monkeypatch.setattr(parser, "_calibration", ABSTAINING)
        asked = parser.ask("german steel")
        assert (asked.answer, asked.seconds) == (None, 0.0)
        assert asked.parsed.abstains
        assert len(asked.parsed.best) == 3
        assert domain.events == []  # the store is not even opened
        forced = parser.ask("german steel", 4, best=2, force=True)
        assert forced.parsed.abstains
        assert forced.answer == forced.parsed.tokens[:4]
        assert len(forced.parsed.best) == 2


def test_parsing_is_found_in_the_package_and_imported_when_it_is_used() -> None:
    assert {"load", "Parser", "Parsed", "Grammar"} <= set(dir(grammax))
    assert (grammax.Parser, grammax.Parsed) == (Parser, Parsed)
    with pytest.raises(AttributeError, match="no attribute 'parse_quickly'"):
        _ = grammax.parse_quickly
    code = "import sys, grammax; print('grammax.parser' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
