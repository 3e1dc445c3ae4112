"""`grammax eqs`: check, next and find."""

import json
import sys

import pytest
from typer.testing import CliRunner

from grammax.cli.app import app

STEEL = (
    "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY))) "
    "(FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE)) "
    "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))"
)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["eqs", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_check_prints_the_form_as_in_figure_1_and_what_it_means() -> None:
    code, out, _ = run("check", STEEL)
    assert code == 0
    assert out.startswith("(AND\n    (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY)))\n")
    assert "companies domiciled in Western Europe, except Germany, in the steel sector" in out


def test_check_refuses_an_ill_typed_form_with_its_type() -> None:
    code, out, err = run("check", "(FLD_DOMICILE GE 2)")
    assert (code, out) == (1, "")
    assert "FLD_DOMICILE (Country of domicile) is of the type COUNTRY" in err
    assert "admits EQ, NEQ" in err


@pytest.mark.parametrize(
    ("form", "meant"),
    [
        ("(FLD_DOMICLE EQ COU_GERMANY)", "FLD_DOMICILE"),
        ("(FLD_DOMICILE EQ COU_GERMNY)", "COU_GERMANY"),
    ],
)
def test_check_asks_did_you_mean(form: str, meant: str) -> None:
    code, _, err = run("check", form)
    assert code == 1
    assert f"Did you mean {meant}" in err


@pytest.mark.parametrize("form", ["", "(", "(FLD_PRICE GR", "(((", "é日本", "(FLD_PRICE GR 5))"])
def test_check_says_where_a_text_is_no_logical_form(form: str) -> None:
    code, out, err = run("check", form)
    assert (code, out) == (1, "")
    assert "Traceback" not in err
    assert err


def test_check_as_json() -> None:
    code, out, _ = run("check", STEEL, "--json")
    report = json.loads(out)
    assert code == 0
    assert report["tokens"][:3] == ["(", "AND", "("]
    assert report["problems"] == []
    _, out, _ = run("check", "(FLD_DOMICILE GE 2)", "--json")
    assert [problem["code"] for problem in json.loads(out)["problems"]] == [
        "operator",
        "value-type",
    ]


def test_next_shows_what_may_follow_by_kind_with_counts() -> None:
    code, out, _ = run("next", "(AND (FLD_DOMICILE EQ enumValue(")
    assert code == 0
    assert "COUNTRY_VALUE" in out
    assert "of 56,307 tokens, in 1 span" in out  # 98 stand for what a query fills


def test_next_explains_a_token() -> None:
    code, out, _ = run("next", "(FLD_DOMICILE", "--token", "GE")
    assert code == 0
    assert out.startswith('GE cannot follow "( FLD_DOMICILE"')


def test_next_refuses_a_prefix_that_cannot_be() -> None:
    code, _, err = run("next", "(FLD_DOMICILE GE")
    assert code == 1
    assert "GE cannot follow" in err


def test_looser_grammars_permit_more() -> None:
    sizes = {}
    for grammar in ("lr", "superset", "unrolled", "paper"):
        _, out, _ = run(
            "next", "(FLD_DOMICILE EQ", "--grammar", grammar, "--json", "--size", "2000"
        )
        sizes[grammar] = json.loads(out)["permitted"]
    assert sizes["lr"] == sizes["unrolled"] == sizes["superset"] < sizes["paper"]


def test_find_by_alias_with_a_typo() -> None:
    code, out, _ = run("find", "market cap", "-n", "1", "--json")
    assert code == 0
    assert [match["token"] for match in json.loads(out)["matches"]] == ["FLD_MKT_CAP"]
    _, out, _ = run("find", "Germny", "--size", "2000")
    assert "COU_GERMANY" in out


def test_find_nothing_is_no_crash() -> None:
    code, out, err = run("find", "qqqqzzzzxxxx", "--size", "2000")
    assert (code, out) == (1, "")
    assert "Nothing in the catalogue" in err


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ibis", None)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    code, _, err = run("run", "(top 1 FLD_MKT_CAP)", "--sql")
    assert code == 2
    assert 'pip install "grammax[eqs]"' in err
