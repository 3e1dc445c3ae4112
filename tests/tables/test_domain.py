"""Equity search as a domain: its pairs, and how predictions are compared with them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.domain import equity_search, load
from grammax.errors import GrammaxError
from grammax.grammar import Sampler
from grammax.language.domain import Pair, Tokens
from grammax.language.filling import slots
from grammax.tables import grammar as grammars
from grammax.tables.answers.answers import StoreAnswers
from grammax.tables.domain import TableDomain
from grammax.tables.form.tree import LogicalForm
from grammax.tables.lexicon import BETWEEN, CLOSE, FILLED, OPEN, ZERO
from grammax.tables.query.store import Prepared
from grammax.tables.query.translate import Query

CHINESE = "( FLD_DOMICILE EQ COU_CHINA )"
LARGE = "( FLD_MKT_CAP GR 5 BILLION CUR_USD )"
BOTH = f"( AND {CHINESE} {LARGE} )"


def small(seed: int = 0) -> TableDomain:
    return equity_search(load_catalogue(2_000), seed, train=60, test=10, hard=0)


@pytest.fixture(scope="module")
def domain() -> TableDomain:
    return small()


def tokens(text: str) -> Tokens:
    return tuple(text.split())


def test_pairs_are_of_the_sizes_that_were_asked_for(domain: TableDomain) -> None:
    sizes = {split: len(domain.pairs(split)) for split in domain.splits}
    assert (sizes.pop("train"), sizes.pop("test")) == (60, 10)
    assert set(sizes.values()) == {0}
    assert all(isinstance(pair, Pair) for pair in domain.pairs("train"))


def test_the_seed_decides_the_pairs(domain: TableDomain) -> None:
    assert small().pairs("train") == domain.pairs("train")
    assert small(seed=1).pairs("train") != domain.pairs("train")


def test_an_unknown_split_is_told(domain: TableDomain) -> None:
    with pytest.raises(GrammaxError, match=r"no split 'dev'; its splits are train, test, unseen"):
        domain.pairs("dev")


@pytest.mark.parametrize("grammar", load().grammars)
def test_every_pair_is_a_sentence_of_every_grammar(grammar: str, domain: TableDomain) -> None:
    automaton = domain.automaton(grammar)
    assert automaton.vocabulary is domain.vocabulary
    if grammar != "paper":  # which knows no times, ranks, units or fields as values
        for pair in domain.pairs("train"):
            assert automaton.accepts(automaton.read(pair.tokens)), pair


def test_every_pair_is_grammatical_and_well_typed(domain: TableDomain) -> None:
    for pair in domain.pairs("train"):
        assert domain.grammatical(pair.tokens)
        assert domain.well_typed(pair.tokens)


def test_later_grammars_are_tighter(domain: TableDomain) -> None:
    """Grammars are named from loosest to tightest, typed and untyped ones each in order."""
    for untyped, typed in (("superset-untyped", "superset"), ("lr-untyped", "lr")):
        loose, tight = domain.automaton(untyped), domain.automaton(typed)
        assert domain.grammars.index(untyped) < domain.grammars.index(typed)
        for pair in domain.pairs("test"):
            for stop in range(len(pair.tokens)):
                wide = loose.next_tokens(loose.read(pair.tokens[:stop]))
                narrow = tight.next_tokens(tight.read(pair.tokens[:stop]))
                assert narrow.kind_numbers <= wide.kind_numbers


def test_an_automaton_is_made_once(domain: TableDomain) -> None:
    assert domain.automaton("lr") is domain.automaton("lr")
    with pytest.raises(GrammaxError, match=r"no grammar 'llr'; its grammars are paper, .*lr"):
        domain.automaton("llr")


def test_a_form_opens_and_closes_with_the_brackets(domain: TableDomain) -> None:
    for pair in domain.pairs("train"):
        assert (pair.tokens[0], pair.tokens[-1]) == ("(", ")")


def test_fields_and_values_are_called_by_names_and_other_tokens_what_they_are(
    domain: TableDomain,
) -> None:
    assert {"Germany", "German"} <= {w.capitalize() for w in domain.wordings("COU_GERMANY")}
    assert "market cap" in {wording.casefold() for wording in domain.wordings("FLD_MKT_CAP")}
    assert {"billion", "bn"} <= set(domain.wordings("BILLION"))
    assert {"August", "Aug"} <= set(domain.wordings("AUG"))
    for token in ("AND", "5", "DESC"):
        assert tuple(domain.wordings(token)) == (token,)
    filled = {slot for kind in FILLED for slot in slots(kind)}
    nameless = {token for token in domain.vocabulary.tokens if not domain.wordings(token)}
    assert nameless == {OPEN, CLOSE, ZERO, BETWEEN, *filled}


def test_another_catalogue_is_another_version(domain: TableDomain) -> None:
    other = equity_search(load_catalogue(2_100))
    assert other.version != domain.version
    assert small().version == domain.version


def test_written_pairs_are_those_that_the_catalogue_can_express(domain: TableDomain) -> None:
    here, elsewhere = ("chinese", "(FLD_DOMICILE EQ COU_CHINA)"), ("x", "(FLD_X GR 5)")
    pairs = domain.with_parts(written=lambda: (here, elsewhere)).written_pairs()
    assert [pair.query for pair in pairs] == ["chinese"]
    assert 0 < len(domain.written_pairs()) < len(load().written_pairs())
    assert all(domain.well_typed(pair.tokens) for pair in domain.written_pairs())


def test_the_default_domain_has_the_whole_catalogue() -> None:
    domain = load()
    assert domain.catalogue is load_catalogue() or domain.version == load_catalogue().version
    assert len(domain.vocabulary) > 50_000


@pytest.mark.parametrize(
    "other",
    [
        BOTH,
        f"( AND {LARGE} {CHINESE} )",
        f"( AND {CHINESE} ( FLD_MKT_CAP GR 5 0 0 0 MILLION CUR_USD ) )",
        f"( AND {CHINESE} {LARGE} {CHINESE} )",
        f"( AND ( NOT ( NOT {CHINESE} ) ) {LARGE} )",
    ],
)
def test_forms_that_differ_in_order_or_notation_are_the_same(
    other: str, domain: TableDomain
) -> None:
    assert domain.same(tokens(BOTH), tokens(other))
    assert domain.same(tokens(other), tokens(BOTH))


@pytest.mark.parametrize(
    "other",
    [
        f"( AND {CHINESE} ( FLD_MKT_CAP GE 5 BILLION CUR_USD ) )",
        f"( AND {CHINESE} ( FLD_MKT_CAP GR 5 BILLION ) )",
        f"( OR {CHINESE} {LARGE} )",
        CHINESE,
        f"( AND {CHINESE}",
        "COU_CHINA",
        "",
    ],
)
def test_other_forms_are_not_the_same(other: str, domain: TableDomain) -> None:
    assert not domain.same(tokens(BOTH), tokens(other))
    assert not domain.same(tokens(other), tokens(BOTH))


@pytest.mark.parametrize(
    "text",
    [
        "",
        ")",
        "( AND ( FLD_DOMICILE EQ COU_CHINA ) )",
        "( FLD_DOMICILE EQ",
        "( FLD_X EQ COU_CHINA )",
    ],
)
def test_what_is_no_logical_form_is_not_grammatical(text: str, domain: TableDomain) -> None:
    assert not domain.grammatical(tokens(text))


@pytest.mark.parametrize(
    "text", ["( FLD_DOMICILE EQ SEC_GICS_ENERGY )", "( FLD_DIVIDEND_YIELD GR 5 CUR_USD )"]
)
def test_a_form_may_be_grammatical_and_not_well_typed(text: str, domain: TableDomain) -> None:
    assert domain.grammatical(tokens(text))
    assert not domain.well_typed(tokens(text))


def test_any_sentence_of_the_grammar_without_types_can_be_judged(domain: TableDomain) -> None:
    sampler = Sampler(grammars.grammar(domain.catalogue.lexicon, typed=False))
    drawn = [tuple(sampler.draw(Random(seed))) for seed in range(60)]
    judged = set()
    for one, other in zip(drawn, [*drawn[1:], drawn[0]], strict=True):
        assert domain.grammatical(one)
        assert domain.same(one, one)
        domain.same(one, other)
        judged.add(domain.well_typed(one))
        assert domain.mistake(one, other) in MISTAKES
    assert judged == {True, False}


MISTAKES = ("unseen field or value", "unseen composition", "number", "other")


def test_mistakes_are_sorted(domain: TableDomain) -> None:
    seen = domain.corpus.seen
    country = sorted(t for t in seen if t.startswith("COU_"))
    unseen = next(t for t in domain.vocabulary.tokens if t.startswith("COU_") and t not in seen)
    simple = "( AND ( FLD_DOMICILE EQ {} ) ( FLD_MKT_CAP GR {} BILLION CUR_USD ) )"
    deep = "( NOT ( NOT ( NOT ( FLD_DOMICILE EQ {} ) ) ) )"
    expected = tokens(simple.format(country[0], "5"))
    assert {"BILLION", "CUR_USD", "FLD_MKT_CAP", "FLD_DOMICILE"} <= seen
    for predicted, wanted, sort in [
        (expected, tokens(simple.format(unseen, "5")), "unseen field or value"),
        (expected, tokens(deep.format(country[0])), "unseen composition"),
        (tokens(simple.format(country[0], "7 5")), expected, "number"),
        (tokens(simple.format(country[1], "5")), expected, "other"),
        ((), expected, "other"),
        (tokens(simple.format(unseen, "5")), expected, "other"),
    ]:
        assert domain.mistake(predicted, wanted) == sort


class FakeMarket:
    """Knows which countries are where; counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.catalogue = load_catalogue()

    def prepare(self, lf: LogicalForm, limit: int) -> Prepared:
        return Prepared(Query(str(lf), (), None), (), None, None)  # type: ignore[arg-type]

    def run(self, prepared: Prepared) -> list[tuple[object, ...]]:
        self.asked += 1
        text = prepared.query.expression
        if "COU_GERMANY" in text:
            raise GrammaxError("the market is closed")
        rows: list[tuple[object, ...]] = [("AAPL", 3.0), ("MSFT", 2.0)]
        rows = rows if "COU_UNITED_STATES" in text else []
        return rows[::-1] if "bottom" in text else rows


AMERICAN = tokens("( FLD_DOMICILE EQ COU_UNITED_STATES )")
NOT_CHINESE = tokens("( NOT ( FLD_DOMICILE EQ COU_CHINA ) )")


def test_forms_that_list_the_same_equities_have_the_same_answer() -> None:
    answers = StoreAnswers(FakeMarket())  # type: ignore[arg-type]
    twice = tokens("( NOT ( NOT ( FLD_DOMICILE EQ COU_UNITED_STATES ) ) )")
    assert answers.same(AMERICAN, AMERICAN)
    assert answers.same(AMERICAN, twice)
    assert not answers.same(AMERICAN, NOT_CHINESE)


def test_the_order_of_equities_and_the_columns_are_part_of_an_answer() -> None:
    answers = StoreAnswers(FakeMarket())  # type: ignore[arg-type]
    american = "( FLD_DOMICILE EQ COU_UNITED_STATES )"
    upwards = tokens(f"( AND {american} ( bottom 2 FLD_MKT_CAP ) )")
    shown = tokens(f"( AND {american} ( display FLD_PE_RATIO ) )")
    assert not answers.same(AMERICAN, upwards)
    assert not answers.same(AMERICAN, shown)


def test_what_is_not_answered_has_no_answer_in_common() -> None:
    answers = StoreAnswers(FakeMarket())  # type: ignore[arg-type]
    closed = tokens("( FLD_DOMICILE EQ COU_GERMANY )")
    closed_too = tokens("( NOT ( FLD_DOMICILE EQ COU_GERMANY ) )")
    assert not answers.same(closed, closed_too)
    assert not answers.same(closed, AMERICAN)
    assert not answers.same(AMERICAN, tokens("( FLD_DOMICILE EQ"))


def test_the_market_is_asked_once_for_each_form() -> None:
    market = FakeMarket()
    answers = StoreAnswers(market)  # type: ignore[arg-type]
    for _ in range(3):
        answers.same(AMERICAN, NOT_CHINESE)
    assert market.asked == 2


@pytest.mark.slow
def test_the_market_of_the_domain_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path))
    with load().answers() as answers:
        both = "( AND ( FLD_DOMICILE EQ COU_GERMANY ) ( FLD_INDEX EQ IDX_DAX ) )"
        swapped = "( AND ( FLD_INDEX EQ IDX_DAX ) ( FLD_DOMICILE EQ COU_GERMANY ) )"
        assert answers.same(tokens(both), tokens(swapped))
        assert not answers.same(tokens(both), tokens("( FLD_INDEX EQ IDX_DAX )"))
