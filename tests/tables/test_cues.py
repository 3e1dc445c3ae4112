"""Words that refer to columns by their class, their concept and the words of their names."""

from __future__ import annotations

import pytest
from tables.corpus.tables import hotels, students, table

from grammax.tables.domain import TableDomain
from grammax.tables.wording.cues import class_cues


@pytest.mark.parametrize(
    ("name", "semantic", "cues"),
    [
        ("Age", "AGE", ["how old", "oldest", "youngest", "older", "years old"]),
        ("Price", "MONEY", ["how much", "cheapest", "most expensive", "cost", "costs", "fare"]),
        ("Salary", "MONEY", ["pay", "wage", "earn", "earns", "best paid", "earning"]),
        ("Release date", "DATE", ["when", "released", "latest", "newest", "oldest", "since"]),
        ("Model year", "YEAR", ["when", "newest", "oldest", "year"]),
        ("Length of stay", "DURATION", ["how long", "longest", "shorter", "stay"]),
        ("Stars", "RATING", ["best", "worst", "top rated", "rated", "star"]),
        ("World rank", "RANK", ["ranked", "top ranked", "best"]),
        ("Weight", "PHYSICAL", ["weigh", "weighs", "heavy", "heavier", "heaviest", "lightest"]),
        ("Director", "PERSON", ["who", "directed", "directors"]),
        ("Advisor", "PERSON", ["who", "advised"]),
        ("Manufacturer", "ORGANISATION", ["who", "made", "brand"]),
        ("City", "PLACE", ["where", "lives in", "located", "town", "cities"]),
        ("Phone number", "CODE", ["phone", "number"]),
        ("Title", "NAME", ["called", "named", "name"]),
    ],
)
def test_cues_of_classes(name: str, semantic: str, cues: list[str]) -> None:
    values = ["a", "b"] if semantic in ("PERSON", "ORGANISATION", "PLACE", "CODE", "NAME") else []
    catalogue = table(("row", "rows"), {name: (semantic, values)})
    (field,) = catalogue.fields.values()
    found = class_cues(field, catalogue.schema)
    assert set(cues) <= set(found), found


def test_a_field_is_not_meant_by_words_of_other_classes() -> None:
    age = class_cues(students().fields["FLD_AGE"], students().schema)
    assert not {"cheapest", "who", "where", "heaviest", "latest"} & set(age)


def test_the_noun_of_the_rows_refers_to_no_field() -> None:
    cues = class_cues(students().fields["FLD_STUDENT_ID"], students().schema)
    assert "id" in cues
    assert "student" not in cues
    assert "students" not in cues


def test_values_have_no_cues_but_a_boolean_field_makes_its_values_available() -> None:
    domain = TableDomain(hotels())
    assert domain.cues("V7_YES_0") == ()
    assert "cheapest" in domain.cues("FLD_PRICE_PER_NIGHT")
    values = domain.catalogue.values_of("T7_PARKING")
    assert domain.grounding.implied["T7_PARKING_FIELD"] == values


def test_the_name_of_a_row_is_always_available() -> None:
    assert TableDomain(students()).grounding.always == ("FLD_NAME",)
