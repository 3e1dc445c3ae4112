"""Values and fields that are added and removed under the shipped model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest
from model.tiny import TINY

import grammax
from grammax import NewValue, Parser
from grammax.domains.eqs.market.file import MarketError
from grammax.language.capabilities import Updatable
from grammax.language.changes import ChangeNotice, Changes, ChangesRefused, FixedVocabulary
from grammax.language.changes_file import write_changes
from grammax.tables.domain import TableDomain
from grammax.tables.form.text import read, to_tokens

WAKANDA = NewValue("Wakanda", "country", ("wakandan",))
STEEL = "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL))"


@pytest.fixture(scope="module")
def parser() -> Parser:
    return grammax.load("eqs")


def countries(parser: Parser, query: str, best: int = 1) -> set[str]:
    """All countries in the best logical forms."""
    found = parser.parse(query, best).best
    return {token for one in found for token in one.tokens if token.startswith("COU_")}


def problems(change: object, *given: object) -> list[str]:
    """What is wrong with a change that is refused."""
    with pytest.raises(ChangesRefused) as refused:
        change(*given)  # type: ignore[operator]
    assert str(refused.value).startswith("nothing was changed:\n")
    return [problem.message for problem in refused.value.problems]


def test_a_new_value_is_predicted_at_once_by_name_and_alias(parser: Parser) -> None:
    wider = parser.with_values([WAKANDA])
    wanted = f"(AND (FLD_DOMICILE EQ enumValue(COU_WAKANDA)) {STEEL})"
    for query in ("wakandan steel", "steel in Wakanda", "WAKANDAN steel makers"):
        assert wider.parse(query).lf == wanted
        assert [found.lf for found in wider.parse_batch([query])] == [wanted]
        assert wider.parse(query, best=3).best[0].lf == wanted
        assert "COU_WAKANDA" not in countries(parser, query, 5)
    found, old = (one.parse("steel western europe not german") for one in (wider, parser))
    assert (found.lf, found.sources) == (old.lf, old.sources)
    assert found.confidence == pytest.approx(old.confidence, abs=0.01)


def test_results_tell_the_version_of_their_catalogue(parser: Parser) -> None:
    base = parser.domain.version
    assert parser.parse("steel").version == base
    wider = parser.with_values([WAKANDA])
    assert wider.parse("steel").version == wider.domain.version
    assert wider.domain.version.startswith(f"{base}+")
    other = parser.with_values([NewValue("Genovia", "country")])
    assert other.domain.version != wider.domain.version
    both = [wider.with_values([NewValue("Genovia", "country")]), other.with_values([WAKANDA])]
    assert len({one.domain.version for one in both}) == 1
    assert wider.without_values(["COU_WAKANDA"]).domain.version == base
    assert wider.without_values(["COU_WAKANDA"]).domain is parser.domain


def test_a_new_field_of_a_known_type_is_predicted(parser: Parser) -> None:
    field = NewValue("Vibranium revenue", "money field", ("vibranium sales",))
    wider = parser.with_values([field, NewValue("Country of mining", "country field")])
    lf = wider.parse("steel with vibranium sales > $5bn").lf
    assert lf == f"(AND {STEEL} (FLD_VIBRANIUM_REVENUE GR 5 BILLION CUR_USD))"
    kinds = {value.token: value.kind for value in wider.domain.changes.added}  # type: ignore[attr-defined]
    assert kinds == {
        "FLD_VIBRANIUM_REVENUE": "MONEY_FIELD",
        "FLD_COUNTRY_OF_MINING": "COUNTRY_FIELD",
    }
    tokens = to_tokens(read("(FLD_COUNTRY_OF_MINING EQ enumValue(COU_GERMANY))"))
    assert wider.domain.grammatical(tokens)
    assert wider.domain.well_typed(tokens)
    assert not parser.domain.grammatical(tokens)


def test_a_removed_value_is_never_predicted(parser: Parser) -> None:
    queries = ["german steel", "steel not in germany", "Germany", "german banks or german cars"]
    assert all("COU_GERMANY" in countries(parser, query) for query in queries)
    narrower = parser.without_values(["COU_GERMANY"])
    vocabulary = narrower.domain.vocabulary
    assert "COU_GERMANY" not in vocabulary
    assert "COU_GERMANY" not in vocabulary.tokens
    for query in queries:
        assert "COU_GERMANY" not in countries(narrower, query, 10)
    tokens = to_tokens(read("(FLD_DOMICILE EQ COU_GERMANY)"))
    assert not narrower.domain.grammatical(tokens)
    assert parser.domain.grammatical(tokens)
    assert "COU_GERMANY" in countries(parser, "german steel")  # this one stays as it is


def test_all_other_values_are_found_as_before(parser: Parser) -> None:
    """Rows have moved: those of the last of a kind, into the places of what was removed."""
    tokens = parser.domain.vocabulary.tokens_of("COUNTRY_VALUE")
    gone = [t for t in tokens if t.startswith(("COU_A", "COU_G"))]
    changed = parser.without_values(gone).with_values([WAKANDA])
    for query in ["japanese steel", "italian banks", "utilities in Zimbabwe", "s&p 500 p/e < 10"]:
        assert changed.parse(query).lf == parser.parse(query).lf
        old, new = parser.parse(query, 2).best, changed.parse(query, 2).best
        assert new[0].probability == pytest.approx(old[0].probability, abs=0.05)
    kept = [token for token in tokens if token not in gone]
    before, after = parser._runtime.weights, changed._runtime.weights
    old_rows = parser.domain.vocabulary.ids(kept)
    new_rows = changed.domain.vocabulary.ids(kept)
    assert old_rows != new_rows
    assert np.array_equal(before.rows.whole[old_rows], after.rows.whole[new_rows])
    assert np.array_equal(before.rows.bias[old_rows], after.rows.bias[new_rows])
    assert np.array_equal(before.kind_of[old_rows], after.kind_of[new_rows])
    assert np.array_equal(before.own_of[old_rows], after.own_of[new_rows])
    assert before.parts is not None
    assert after.parts is not None
    hidden = np.random.default_rng(0).normal(size=before.rows.whole.shape[1]).astype(np.float32)
    (span, *_) = changed.domain.vocabulary.spans(
        changed.domain.vocabulary.kind_number("COUNTRY_VALUE")
    )
    scores = after.rows.whole[slice(*span)] @ hidden + after.rows.bias[slice(*span)]
    assert np.allclose(after.parts.products(hidden, after.rows.spelt, span), scores, atol=1e-3)


def test_what_is_removed_and_added_again_just_so_is_as_it_was(parser: Parser) -> None:
    name, *aliases = parser.domain.wordings("COU_GERMANY")
    again = parser.without_values(["COU_GERMANY", "COU_FRANCE"]).with_values(
        [NewValue(name, "country", tuple(aliases), "COU_GERMANY")]
    )
    assert again.domain.changes == Changes((), ("COU_FRANCE",))  # type: ignore[attr-defined]
    found, wanted = again.parse("german steel"), parser.parse("german steel")
    assert found.lf == wanted.lf
    assert found.confidence == pytest.approx(wanted.confidence, abs=0.01)


def test_a_token_can_be_given_to_something_else(parser: Parser) -> None:
    other = parser.without_values(["COU_GERMANY"]).with_values(
        [NewValue("Ruritania", "country", ("ruritanian",), "COU_GERMANY")]
    )
    assert countries(other, "ruritanian steel") == {"COU_GERMANY"}
    assert countries(other, "german steel") != {"COU_GERMANY"}


def test_many_small_changes_are_one_large_one(parser: Parser) -> None:
    values = [NewValue(f"Place {word}ia", "country") for word in ("Al", "Be", "Cy", "Do", "Ep")]
    values += [NewValue(f"{word}co Industries", "company") for word in ("Zyl", "Qua", "Vix")]
    mixed = [value for pair in zip(values, reversed(values), strict=True) for value in pair]
    step = parser
    for value in dict.fromkeys(mixed):
        step = step.with_values([value])
    once = parser.with_values(values)
    assert step.domain.version == once.domain.version
    for query in ("steel in place beia", "vixco industries market cap", "german steel"):
        assert step.parse(query).lf == once.parse(query).lf
    assert countries(once, "steel in place beia") == {"COU_PLACE_BEIA"}


def test_a_vocabulary_in_many_pieces_is_laid_out_anew(
    parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grammax.tables.domain.changing._FRAGMENTS", 3)
    step = parser
    for number in range(6):
        step = step.with_values([NewValue(f"Islands of {'uvwxyz'[number]}ia", "country")])
        assert step.domain.vocabulary.fragments <= 3
    for number in range(6):
        token = f"COU_ISLANDS_OF_{'UVWXYZ'[number]}IA"
        assert countries(step, f"steel in islands of {'uvwxyz'[number]}ia") == {token}


def test_names_work_in_reading_and_writing_logical_forms(parser: Parser) -> None:
    domain = parser.with_values([WAKANDA, NewValue("A--", "S&P rating")]).domain
    lf = f"(AND (FLD_DOMICILE NEQ enumValue(COU_WAKANDA)) {STEEL})"
    tokens = to_tokens(read(lf))
    assert domain.text(tokens) == lf
    assert domain.grammatical(tokens)
    assert domain.well_typed(tokens)
    assert domain.wordings("COU_WAKANDA") == ("Wakanda", "wakandan")
    assert domain.same(tokens, to_tokens(read(f"(AND {STEEL} (FLD_DOMICILE NEQ COU_WAKANDA))")))
    assert not domain.same(tokens, to_tokens(read(STEEL)))
    wrong = to_tokens(read("(FLD_EQS_SECTOR EQ enumValue(COU_WAKANDA))"))
    assert domain.grammatical(wrong)
    assert not domain.well_typed(wrong)
    for name in domain.grammars:
        automaton = domain.automaton(name)
        equality = to_tokens(read("(FLD_DOMICILE EQ COU_WAKANDA)"))
        assert automaton.accepts(automaton.read(equality))
        assert automaton.engine is parser.domain.automaton(name).engine  # type: ignore[attr-defined]


def test_of_a_new_value_the_market_has_no_equities(parser: Parser) -> None:
    values = [WAKANDA, NewValue("A--", "S&P rating"), NewValue("Vibranium revenue", "money field")]
    with parser.with_values(values).without_values(["COU_FRANCE"]) as wider:
        assert len(wider.ask("wakandan steel").answer) == 0
        assert len(wider.ask("german banks").answer) > 0
        with wider.domain.answers() as answers:  # type: ignore[union-attr]
            rated = "(AND (FLD_SP_RATING {} SPR_A) (display FLD_DOMICILE))"
            assert len(answers.answer(to_tokens(read(rated.format("GR"))), 50)) > 0
            assert len(answers.answer(to_tokens(read("(FLD_SP_RATING LE SPR_A_2)")), 5)) >= 0
            banks = answers.answer(to_tokens(read("(FLD_DOMICILE EQ COU_WESTERN_EUROPE)")), 500)
            assert len(banks) > 0
            with pytest.raises(MarketError, match=r"FLD_VIBRANIUM_REVENUE was added .* no data"):
                answers.answer(to_tokens(read("(FLD_VIBRANIUM_REVENUE GR 5)")), 5)


# Bad input


def test_an_existing_name_or_token_is_refused_and_all_are_told(parser: Parser) -> None:
    found = problems(
        parser.with_values,
        [
            NewValue("Germany", "country"),
            NewValue("gerMANY ", "COUNTRY"),
            WAKANDA,
            NewValue("Wakanda", "country"),
            NewValue("Elsewhere", "country", token="COU_FRANCE"),
            NewValue("Market capitalisation", "money field"),
        ],
    )
    assert found[0] == (
        "'Germany' is the name of COU_GERMANY already. Give a token, if it is another one of the "
        "same name."
    )
    assert "'gerMANY' is the name of COU_GERMANY" in found[1]
    assert "'Wakanda' is the name of COU_WAKANDA already" in found[2]
    assert found[3] == "the token COU_FRANCE exists already. Remove it first, or give another one."
    assert "'Market capitalisation' is the name of FLD_MKT_CAP" in found[4]
    assert len(found) == 5


def test_of_two_values_of_one_name_the_first_is_meant(parser: Parser) -> None:
    twins = [
        NewValue("Freedonia", "country", token="COU_FREEDONIA"),
        NewValue("Freedonia", "country", token="COU_FREEDONIA_NORTH"),
    ]
    both = parser.with_values(twins)
    assert countries(both, "steel in freedonia", 3) == {"COU_FREEDONIA"}
    other = both.without_values(["COU_FREEDONIA"])
    assert countries(other, "steel in freedonia", 3) == {"COU_FREEDONIA_NORTH"}


def test_an_alias_of_two_values_means_the_one_that_was_there_first(parser: Parser) -> None:
    shared = parser.with_values(
        [
            NewValue("Wakanda", "country", ("vibranian",)),
            NewValue("Vibra", "country", ("vibranian",)),
        ]
    )
    assert countries(shared, "vibranian steel", 3) == {"COU_WAKANDA"}
    assert countries(shared, "steel in vibra", 3) == {"COU_VIBRA"}
    old = parser.with_values([NewValue("Prussia", "country", ("german",))])
    assert countries(old, "german steel", 3) == {"COU_GERMANY"}


@pytest.mark.parametrize("name", ["", "  \t ", "\u200b", "7"])
def test_a_name_that_names_nothing_is_refused(parser: Parser, name: str) -> None:
    (found,) = problems(parser.with_values, [NewValue(name, "country")])
    assert "empty" in found or "names nothing in a query" in found or "printed" in found


def test_names_that_cannot_be_kept_are_refused(parser: Parser) -> None:
    given = [
        NewValue("a|b", "country"),
        NewValue("a\x1bb", "country"),
        NewValue("x" * 201, "country"),
        NewValue("Fine", "country", ("bad|alias",)),
        NewValue(3, "country"),  # type: ignore[arg-type]
        NewValue("Fine", "country", "fine"),  # type: ignore[arg-type]
    ]
    found = problems(parser.with_values, given)
    wanted = [
        "a bar",
        "cannot be printed",
        "201 characters",
        "alias 'bad",
        "not a text",
        "not a list",
    ]
    assert len(found) == len(given)
    assert all(part in message for part, message in zip(wanted, found, strict=True))


def test_an_unknown_kind_is_refused_with_those_that_are(parser: Parser) -> None:
    found = problems(
        parser.with_values,
        [NewValue("Mars", "planet"), NewValue("Mars", "contry"), NewValue("Mars", "")],
    )
    assert found[0].startswith("there is no kind 'planet' for 'Mars'; kinds are COUNTRY, SECTOR,")
    assert "did you mean country" in found[1]
    assert found[2].startswith("'Mars' has no kind")


@pytest.mark.parametrize("token", ["WAKANDA", "COU_", "COU_A B", "COU_(A)", "CIT_WAKANDA"])
def test_a_token_of_another_form_is_refused(parser: Parser, token: str) -> None:
    (found,) = problems(parser.with_values, [replace(WAKANDA, token=token)])
    assert f"{token!r} cannot be a token of COUNTRY_VALUE: those begin with COU_" in found


@pytest.mark.parametrize(
    ("name", "token"),
    [
        ("🚀", "ISS_U1F680"),
        ("Rocket 🚀 Corp", "ISS_ROCKET_CORP"),
        ("شركة الفضاء", "ISS_شركة_الفضاء"),
        ("תעשיות חלל", "ISS_תעשיות_חלל"),
        ("\u202bתעשיות\u202c", None),
        ("株式会社宇宙", "ISS_株式会社宇宙"),
        ("Société Zédé-Ünal", "ISS_SOCIETE_ZEDE_UNAL"),
    ],
)
def test_names_in_any_script_are_found(parser: Parser, name: str, token: str | None) -> None:
    if token is None:
        assert "cannot be printed" in problems(parser.with_values, [NewValue(name, "company")])[0]
        return
    found = parser.with_values([NewValue(name, "company")]).parse(f"market cap of {name}")
    assert found.lf == f"(AND (FLD_ISSUER EQ enumValue({token})) (display FLD_MKT_CAP))"
    assert to_tokens(read(found.lf)) == found.tokens


def test_names_of_one_spelling_have_tokens_of_their_own(parser: Parser) -> None:
    domain = parser.domain
    assert isinstance(domain, Updatable)
    wider = domain.with_values([NewValue("Zed-Zed", "company"), NewValue("Zed Zed", "company")])
    assert [value.token for value in wider.changes.added] == ["ISS_ZED_ZED", "ISS_ZED_ZED_2"]


def test_removing_twice_and_what_is_not_there_is_refused(parser: Parser) -> None:
    narrower = parser.without_values(["COU_FRANCE"])
    assert problems(narrower.without_values, ["COU_FRANCE"]) == ["COU_FRANCE was removed already."]
    found = problems(parser.without_values, ["COU_ITALY", "COU_ITALY", "COU_FRANC", "AND"])
    assert found[0] == "COU_ITALY is given twice: it can be removed once."
    assert found[1].startswith("there is no field or value 'COU_FRANC'. Did you mean COU_FRANCE")
    assert found[2] == "AND is a fixed token of the language and cannot be removed."
    assert "COU_ITALY" in parser.domain.vocabulary


def test_the_last_value_of_a_kind_stays(parser: Parser) -> None:
    styles = parser.domain.vocabulary.tokens_of("STYLE_VALUE")
    (found,) = problems(parser.without_values, styles)
    assert found.startswith(f"{styles[-1]} is the last of STYLE_VALUE")
    assert "FLD_EQS_SECTOR is the last of SECTOR_FIELD" in problems(
        parser.without_values, ["FLD_EQS_SECTOR"]
    )[0]  # fmt: skip
    last = parser.without_values(styles[1:])
    assert last.domain.vocabulary.tokens_of("STYLE_VALUE") == styles[:1]
    other = last.with_values([NewValue("Momentum", "investment style")])
    assert "STY_MOMENTUM" in other.without_values(styles[:1]).parse("momentum stocks").tokens


def test_a_domain_or_model_that_does_not_change_says_so(tmp_path: Path) -> None:
    with pytest.raises(FixedVocabulary, match="'tiny' do not change"):
        grammax.load(TINY, tmp_path / "none", catalogue=Changes())


# Time, threads, files


def test_a_change_writes_its_own_rows_and_no_others(parser: Parser) -> None:
    """The cost grows with the change, not with the vocabulary (benchmarks/living.py)."""
    many = [NewValue(f"Zyl {n} Industries", "company", (f"zyl {n}",)) for n in range(1_000)]
    for values in ([WAKANDA], many):
        rows = parser.with_values(values)._runtime.weights.rows
        assert len(rows.written) == len(values) + 1  # and that of the end


@pytest.mark.slow
def test_a_hundred_thousand_values_at_once(parser: Parser) -> None:
    values = [NewValue(f"Zyl {n} Industries", "company", (f"zyl {n}",)) for n in range(100_000)]
    wider = parser.with_values(values)
    assert wider.parse("market cap of zyl 77123").tokens[5] == "ISS_ZYL_77123_INDUSTRIES"
    more = wider.with_values([WAKANDA])
    assert countries(more, "wakandan steel") == {"COU_WAKANDA"}


def test_a_running_query_keeps_the_parser_that_it_began_with(parser: Parser) -> None:
    with_it = parser.with_values([WAKANDA])
    without_it = with_it.without_values(["COU_WAKANDA"])
    query = with_it._runtime.read("wakandan steel")  # is read, and then the value is removed
    assert "COU_WAKANDA" in with_it._runtime.search.parse(query).tokens
    assert "COU_WAKANDA" not in without_it.parse("wakandan steel").tokens
    assert without_it.domain.version == parser.domain.version


def test_threads_see_whole_parsers_while_values_come_and_go(parser: Parser) -> None:
    in_use, done = [parser], Event()  # swapped in one assignment, as a service does
    versions = {parser.domain.version: False, parser.with_values([WAKANDA]).domain.version: True}
    seen: list[tuple[str, bool]] = []
    errors: list[Exception] = []

    def ask() -> None:
        try:
            while not done.is_set():
                found = in_use[0].parse("wakandan steel")
                seen.append((found.version, "COU_WAKANDA" in found.tokens))
        except Exception as error:
            errors.append(error)

    threads = [Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        in_use[0] = in_use[0].with_values([WAKANDA])
        in_use[0] = in_use[0].without_values(["COU_WAKANDA"])
    done.set()
    for thread in threads:
        thread.join()
    assert errors == []
    assert all(versions[version] == predicted for version, predicted in seen)
    assert in_use[0].domain.version == parser.domain.version
    assert [found.lf for found in in_use[0].parse_batch(["steel"])] == [STEEL]


def test_changes_that_were_kept_are_loaded(parser: Parser, tmp_path: Path) -> None:
    wider = parser.with_values([WAKANDA]).without_values(["COU_FRANCE"])
    domain = wider.domain
    assert isinstance(domain, TableDomain)
    write_changes(tmp_path / "kept.jsonl", "eqs", domain.base.version, domain.changes)
    for catalogue in (tmp_path / "kept.jsonl", str(tmp_path / "kept.jsonl"), domain.changes):
        again = grammax.load("eqs", catalogue=catalogue)
        assert again.domain.version == domain.version
        assert again.parse("wakandan steel").lf == wider.parse("wakandan steel").lf
    assert grammax.load(domain).parse("wakandan steel").lf == wider.parse("wakandan steel").lf


def test_kept_changes_that_are_none_any_more_are_told(parser: Parser) -> None:
    domain = parser.domain
    assert isinstance(domain, Updatable)
    there = NewValue("France", "COUNTRY_VALUE", ("french",), "COU_FRANCE")
    kept = Changes((there, replace(WAKANDA, token="COU_WAKANDA")), ("COU_ATLANTIS",))
    with pytest.warns(ChangeNotice, match="2 of 3 changes are skipped"):
        changed = domain.with_changes(kept)
    assert [value.token for value in changed.changes.added] == ["COU_WAKANDA"]


def test_what_was_added_is_searched_for(parser: Parser) -> None:
    domain = parser.with_values([WAKANDA]).domain
    assert isinstance(domain, Updatable)
    assert domain.search("wakandan", 3)[0] == (
        "COU_WAKANDA", "COUNTRY_VALUE", "Wakanda", ("wakandan",)
    )  # fmt: skip
    assert domain.search("qqqqqqqq", 3) == []
