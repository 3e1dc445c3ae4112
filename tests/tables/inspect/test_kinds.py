"""Columns are also called by what their values are, and values by their other names."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammax.tables.inspect.concepts import concepts, find, general
from grammax.tables.inspect.inspection import inspect
from grammax.tables.known_values.kinds import kind_of, other_names
from grammax.tables.own.domain import open_table
from grammax.tables.semantics import SemanticClass


def table(folder: Path, text: str) -> Path:
    file = folder / "people.csv"
    file.write_text(text)
    return file


PEOPLE = """name,origin,sex,day,shade,state
Ann,Germany,F,Mon,red,CA
Bob,France,M,Tue,blue,NY
Cid,US,M,Wed,green,TX
Dee,UK,F,Mon,red,CA
"""


def test_columns_are_called_by_what_their_values_are(tmp_path: Path) -> None:
    found = {column.name: column for column in inspect(table(tmp_path, PEOPLE)).columns}
    assert {"country", "nation"} <= set(found["origin"].names)
    assert "gender" in found["sex"].names
    assert "weekday" in found["day"].names
    assert {"color", "colour"} <= set(found["shade"].names)


def test_a_column_of_that_name_keeps_it(tmp_path: Path) -> None:
    text = "name,country,origin\nA,Peru,Chile\nB,Spain,Italy\nC,Peru,Spain\n"
    found = {column.name: column for column in inspect(table(tmp_path, text)).columns}
    assert "country" not in found["origin"].names


def test_values_have_their_other_names(tmp_path: Path) -> None:
    with open_table(table(tmp_path, PEOPLE)) as opened:
        values = {value.name: value.aliases for value in opened.catalogue.values.values()}
    assert {"women", "Female"} <= set(values["F"])
    assert "men" in values["M"]
    assert "german" in values["Germany"]
    assert {"usa", "american"} <= set(values["US"])
    assert {"britain", "british"} <= set(values["UK"])
    assert "California" in values["CA"]
    assert "Monday" in values["Mon"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["Germany", "Peru"], "country"),
        (["German", "French"], "country"),
        (["Texas", "Ohio"], "state"),
        (["London", "Paris"], "city"),
        (["Asia", "Europe"], "continent"),
        (["jan", "feb"], "month"),
        (["m", "f"], "gender"),
        (["usd", "eur"], "currency"),
        (["a", "b"], ""),
        (["Peru"], ""),
        (["Peru", "x", "y"], ""),
    ],
)
def test_the_kind_of_values(values: list[str], kind: str) -> None:
    assert kind_of(values) == kind


def test_codes_are_those_of_the_kind() -> None:
    assert other_names("CA")[0] == "Canada"
    assert other_names("CA", "state")[0] == "California"


def test_there_are_many_concepts_and_each_line_is_whole() -> None:
    every = concepts()
    assert len(every) >= 900
    assert len({concept.name for concept in every}) == len(every)
    for concept in every:
        assert all(verb.count("{}") == 1 for verb in concept.verbs), concept.name
        assert all("{e}" in question for question in concept.asked), concept.name


@pytest.mark.parametrize(
    ("name", "semantic", "verb"),
    [
        ("alma mater", "organisation", "that graduated from {}"),
        ("university", "organisation", "that studied at {}"),
        ("city", "place", "living in {}"),
        ("employer", "organisation", "employed by {}"),
        ("actor", "person", "with {} in it"),
        ("team", "organisation", "playing for {}"),
        ("departure airport", "place", "departing from {}"),
        ("allergy", "category", "allergic to {}"),
        ("supervisor", "person", "reporting to {}"),
        ("field of study", "category", "majoring in {}"),
    ],
)
def test_concepts_have_the_verbs_that_people_use(name: str, semantic: str, verb: str) -> None:
    found = find(tuple(name.split()), {SemanticClass(semantic)})
    assert found is not None
    assert verb in found.concept.verbs


def test_a_narrow_concept_knows_the_wider_one() -> None:
    found = find(("starting", "salary"), {SemanticClass.MONEY})
    assert found is not None
    wider = general(found.concept)
    assert wider is not None
    assert wider.name == "salary"
