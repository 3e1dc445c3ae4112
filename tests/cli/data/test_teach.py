"""`grammax teach`: what is taught is written, told, listed, forgotten, and used at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.data.tables import films, grammax, needs_model

from grammax.cli.train.command import _corrected_pairs, _taught_pairs
from grammax.domains import load_domain
from grammax.service.corrections import Correction
from grammax.service.settings import Settings
from grammax.tables.domain import TableDomain
from grammax.tables.own.folder import open_named

pytestmark = needs_model


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    films(tmp_path)
    assert grammax("new", "films", "--from", "films.csv")[0] == 0
    return Path("films")


def lf_of(query: str) -> str:
    code, out, err = grammax("ask", "films", query, "--json")
    assert code == 0, err
    lf: str = json.loads(out)["lf"]
    return lf


def test_a_phrase_is_used_at_once(folder: Path) -> None:
    code, out, _ = grammax("teach", folder, "--phrase", "costly film", "--means", "budget > 20m")
    assert code == 0
    assert out.splitlines()[0] == ("'costly film' means films whose budget is above 20 million.")
    where = out.splitlines()[1]
    assert where.startswith("films/schema.toml, line ")
    assert where.endswith(" [taught.phrases]")
    assert lf_of("costly films from germany") == (
        "(AND (FLD_BUDGET_USD GR 20 MILLION) (FLD_COUNTRY EQ enumValue(COU_GERMANY)))"
    )


def test_names_are_used_at_once(folder: Path) -> None:
    assert grammax("teach", folder, "--column", "runtime", "--name", "spooltime")[0] == 0
    column = ("--column", "country", "--value", "USA")
    assert grammax("teach", folder, *column, "--name", "stateside", "--name", "yankee")[0] == 0
    assert grammax("teach", folder, "--row", "--name", "flick")[0] == 0
    assert lf_of("average spooltime of stateside flicks") == (
        "(AND (FLD_COUNTRY EQ enumValue(COU_USA)) (average FLD_RUNTIME_MIN))"
    )


def test_what_was_taught_is_listed_and_forgotten(folder: Path) -> None:
    code, out, err = grammax("teach", folder, "--list")
    assert (code, out) == (0, "")
    assert "Nothing was taught in films yet" in err
    grammax("teach", folder, "--row", "--name", "flick")
    code, out, _ = grammax("teach", folder, "--column", "rating", "--class", "number", "--json")
    assert json.loads(out)[0]["change"] == "rating is number."
    _, out, _ = grammax("teach", folder, "--list", "--json")
    assert [(each["kind"], each["word"]) for each in json.loads(out)] == [
        ("class", "rating"), ("row", "flick"),
    ]  # fmt: skip
    assert "schema.toml, line" in grammax("teach", folder, "--list")[1]
    code, out, _ = grammax("teach", folder, "--forget", "flick")
    assert (code, out.splitlines()[0]) == (0, "'flick' no longer means a row.")


def test_a_pair_says_that_it_takes_training(folder: Path) -> None:
    code, out, _ = grammax("teach", folder, "the dearest film", "--lf", "(top 1 FLD_BUDGET_USD)")
    assert code == 0
    assert "after the next `grammax train films`" in out
    assert out.splitlines()[1] == "films/pairs.jsonl, line 1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is nothing to teach: give one of --list, --forget"),
        (["--list", "--row", "--name", "x"], "--list and --name do not go together"),
        (["--phrase", "epic"], "a phrase needs both"),
        (["a query"], "a pair needs both"),
        (["--class", "money"], "say which column"),
        (["--name", "x"], "say what the name is of"),
        (["--row"], "say how it is called: --name NAME"),
        (["--row", "--column", "rating", "--name", "x"], "say what the name is of"),
    ],
)
def test_options_that_do_not_fit_are_told(folder: Path, arguments: list[str], message: str) -> None:
    code, _, err = grammax("teach", folder, *arguments)
    assert code == 2
    assert message in " ".join(err.replace("│", " ").split())


def test_a_file_is_not_taught_but_a_folder_of_it(tmp_path: Path) -> None:
    code, _, err = grammax("teach", films(tmp_path), "--row", "--name", "flick")
    assert code == 1
    assert "Make one with `grammax new films --from" in err


def test_a_training_takes_taught_pairs_and_corrections_by_default(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grammax("teach", folder, "the dearest film", "--lf", "(top 1 FLD_BUDGET_USD)")
    grammax("teach", folder, "--row", "--name", "flick")
    with open_named(str(folder)) as table:
        domain = table.domain()
        tokens = domain.read("(FLD_COUNTRY EQ COU_USA)")
        made = Correction("1", "2020", "flicks of the usa", domain.text(tokens), tokens, "v")
        (folder / "corrections.jsonl").write_text(json.dumps(made.record()) + "\n")
        taught, corrected = _taught_pairs(domain), _corrected_pairs(None, domain)
    assert {pair.query for pair in taught} == {"the dearest film"}
    assert [(pair.query, pair.tokens) for pair in corrected] == [("films of the usa", tokens)]
    told = capsys.readouterr().err
    assert "pairs.jsonl: 1 taught pairs to learn from" in told
    assert "corrections.jsonl: 1 corrections to learn from" in told


def test_a_training_finds_what_the_service_of_a_domain_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAMMAX_HOME", str(tmp_path))
    domain = load_domain("eqs")
    assert isinstance(domain, TableDomain)
    assert _corrected_pairs(None, domain) == []
    tokens = domain.read("(FLD_DOMICILE EQ COU_GERMANY)")
    made = Correction("1", "2020", "teutonia", domain.text(tokens), tokens, "v")
    Settings().corrections_path.write_text(json.dumps(made.record()) + "\n")
    assert [pair.query for pair in _corrected_pairs(None, domain)] == ["teutonia"]


def test_a_training_without_pairs_says_nothing_of_them(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_named(str(folder)) as table:
        domain = table.domain()
        assert [*_taught_pairs(domain), *_corrected_pairs(None, domain)] == []
    assert capsys.readouterr().err == ""
