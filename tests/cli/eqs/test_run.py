"""`grammax eqs run` and `grammax eqs corpus`."""

import csv
import io
import json
from pathlib import Path

from typer.testing import CliRunner

from grammax.cli.app import app

MARKET = "(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_RETURN_ON_CAP))"


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["eqs", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_run_prints_a_table_with_synthetic_columns_marked() -> None:
    code, out, _ = run("run", MARKET, "--limit", "3", "--explain")
    assert code == 0
    assert out.startswith("companies in the S&P 500, showing return on capital")
    assert "Return on capital (%)*" in out
    assert "3 of 503 equities" in out
    assert "* Synthetic:" in out


def test_real_columns_are_not_marked() -> None:
    _, out, _ = run("run", "(FLD_DOMICILE EQ enumValue(COU_LUXEMBOURG))", "--limit", "2")
    assert "Country of domicile" in out
    assert "*" not in out


def test_run_as_json_and_as_csv_hold_the_same_rows() -> None:
    _, out, _ = run("run", "(top 4 FLD_MKT_CAP)", "--json")
    report = json.loads(out)
    assert len(report["rows"]) == 4
    assert [column["synthetic"] for column in report["columns"]] == [False, False, True]
    _, out, _ = run("run", "(top 4 FLD_MKT_CAP)", "--csv")
    header, *rows = csv.reader(io.StringIO(out))
    assert header == ["Ticker", "Name", "Market capitalisation (USD)*"]
    assert [row[0] for row in rows] == [row[0] for row in report["rows"]]


def test_sql_is_shown_for_any_dialect() -> None:
    for dialect in ("duckdb", "postgres", "trino"):
        code, out, _ = run("run", MARKET, "--sql", "--dialect", dialect)
        assert code == 0
        assert "SELECT" in out
    code, _, err = run("run", MARKET, "--sql", "--dialect", "cobol")
    assert code == 1
    assert "There is no dialect 'cobol'" in err


def test_an_empty_answer_is_said() -> None:
    code, out, _ = run("run", "(FLD_MKT_CAP GR 999 TRILLION CUR_USD)")
    assert code == 0
    assert "No equity satisfies this." in out


def test_an_ill_typed_form_is_refused() -> None:
    code, out, err = run("run", "(FLD_DOMICILE GE 2)")
    assert (code, out) == (1, "")
    assert "is of the type COUNTRY" in err


def test_names_that_look_like_sql_run_nothing() -> None:
    code, _, err = run("run", "(FLD_DOMICILE EQ enumValue(COU_X';DROP_TABLE_equity;--))")
    assert code == 1
    assert err
    assert run("run", "(top 1 FLD_MKT_CAP)")[0] == 0


def test_the_corpus_is_written_per_split(tmp_path: Path) -> None:
    sizes = ("--train", "60", "--test", "10", "--size", "2000")
    code, out, _ = run("corpus", "-o", str(tmp_path), *sizes)
    assert code == 0
    assert len(out.splitlines()) == 5
    lines = (tmp_path / "train.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 60
    assert {"query", "lf", "tokens"} <= json.loads(lines[0]).keys()
    _, again, _ = run("corpus", *sizes)
    assert again.splitlines() == lines


def test_an_unknown_split_names_the_known_ones() -> None:
    code, _, err = run(
        "corpus", "--split", "dev", "--train", "60", "--test", "10", "--size", "2000"
    )
    assert code == 2
    assert "train, test, unseen_values" in err


def test_statistics_tell_lengths_and_permitted_tokens() -> None:
    sizes = ("--train", "60", "--test", "10", "--size", "2000")
    code, out, _ = run("corpus", "--statistics", *sizes)
    assert code == 0
    assert "lr typed" in out
    _, out, _ = run("corpus", "--statistics", "--json", *sizes)
    report = json.loads(out)
    assert {"splits", "grammars", "sample"} <= report.keys()
