"""Classes, units and names of columns, from names and values."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.tables.inspect.classify import classify
from grammax.tables.inspect.concepts import concepts
from grammax.tables.inspect.description import ColumnDescription, ValueType
from grammax.tables.inspect.inspection import inspect, report
from grammax.tables.inspect.profile import facts_of
from grammax.tables.inspect.tokens import distinct_names, distinct_prefixes, distinct_tokens
from grammax.tables.semantics import Better, SemanticClass


def column(name: str, cells: list[object], entity: str = "") -> ColumnDescription:
    kinds = {bool: ValueType.BOOLEAN, int: ValueType.INTEGER, float: ValueType.NUMBER}
    type_ = kinds.get(type(cells[0]), ValueType.TEXT)
    return classify(name, facts_of(type_, cells, len(cells)), entity).column


INTEGERS = [3, 40, 40, 12, 7]
FRACTIONS = [3.5, 40.25, 12.0, 7.1]
TEXTS = ["x y", "z", "z", "x y", "z"]


@pytest.mark.parametrize(
    ("name", "cells", "semantic", "unit"),
    [
        ("price", FRACTIONS, "money", ""),
        ("unitPrice", FRACTIONS, "money", ""),
        ("price (USD)", FRACTIONS, "money", "USD"),
        ("total_amt", FRACTIONS, "money", ""),
        ("salary_eur", INTEGERS, "money", "EUR"),
        ("weight_kg", FRACTIONS, "physical", "kg"),
        ("length in minutes", INTEGERS, "duration", "minutes"),
        ("length", FRACTIONS, "physical", ""),
        ("runtime", INTEGERS, "duration", "minutes"),
        ("duration_ms", INTEGERS, "duration", "milliseconds"),
        ("horsepower", INTEGERS, "physical", "hp"),
        ("qty", INTEGERS, "count", ""),
        ("num_seats", INTEGERS, "count", ""),
        ("number of doors", INTEGERS, "count", ""),
        ("review_count", INTEGERS, "count", ""),
        ("widgets", INTEGERS, "count", ""),
        ("avg_rating", FRACTIONS, "rating", ""),
        ("imdbScore", FRACTIONS, "rating", ""),
        ("rank", INTEGERS, "rank", ""),
        ("discount_pct", INTEGERS, "percent", "%"),
        ("age", INTEGERS, "age", "years"),
        ("release_year", [1999, 2001], "year", ""),
        ("yr", [1999, 2001], "year", ""),
        ("lat", FRACTIONS, "coordinate", ""),
        ("customer_id", INTEGERS, "code", ""),
        ("speed_mph", INTEGERS, "physical", "mph"),
        ("zq", FRACTIONS, "number", ""),
        ("director", TEXTS, "person", ""),
        ("author_name", TEXTS, "person", ""),
        ("publisher", TEXTS, "organisation", ""),
        ("country", TEXTS, "place", ""),
        ("homeCity", TEXTS, "place", ""),
        ("genre", TEXTS, "category", ""),
        ("title", TEXTS, "name", ""),
        ("is_active", [0, 1, 1], "boolean", ""),
        ("smoker", [0, 1, 1], "boolean", ""),
        ("open", [True, False], "boolean", ""),
        ("made in", ["France", "Spain", "Peru", "France", "elsewhere"], "place", ""),
        ("contact", ["a@b.org", "c@d.com"], "email", ""),
        ("where to look", ["https://a.org/x", "http://b.org"], "url", ""),
        ("front", ["https://a.org/x.jpg", "b.png"], "image", ""),
        ("reach us", ["+49 30 1234567", "(030) 765-4321"], "phone", ""),
        ("remark", ["a long text about one thing " * 5, "another " * 30], "text", ""),
        ("ref", ["A-1", "B-2", "C-33"] * 1 + [f"D-{n}" for n in range(20)], "code", ""),
    ],
)  # fmt: skip
def test_classes(name, cells, semantic, unit) -> None:
    found = column(name, cells)
    assert (str(found.semantic), found.unit) == (semantic, unit)


def test_what_follows_from_a_concept() -> None:
    price, rating, rank = (column(name, INTEGERS) for name in ("price", "rating", "rank"))
    assert (price.better, price.additive, price.more, price.less) == (
        Better.SMALLER, False, "expensive", "cheap",
    )  # fmt: skip
    assert (rating.better, rank.better) == (Better.GREATER, Better.SMALLER)
    assert column("revenue", FRACTIONS).additive
    assert column("director", TEXTS).verb == "directed by {}"


def test_ranges_decide_where_a_name_does_not() -> None:
    assert column("year", [3, 4]).semantic is not SemanticClass.YEAR
    assert column("age", [1200, 4]).semantic is not SemanticClass.AGE
    guessed = column("zq", [1990, 2004])
    assert guessed.semantic is SemanticClass.YEAR
    assert "taken as years" in guessed.doubt
    assert column("acceptance rate", [0.25, 0.5]).unit == "fraction"


def test_the_entity_is_left_out_of_labels() -> None:
    found = column("film_title", TEXTS, "film")
    assert (found.label, found.semantic) == ("title", SemanticClass.NAME)
    assert "film title" in found.names
    assert column("order_date", TEXTS, "order").label == "date"


def test_several_values_in_a_cell() -> None:
    genres = column("genres", ["Crime|Drama", "Drama", "Comedy|Crime", "Comedy"])
    assert genres.many == "|"
    assert column("place", ["Paris, France", "Rome, Italy", "Nice, France"]).many == ""


def test_scales_are_ordered() -> None:
    assert column("priority", ["high", "low", "medium", "low"]).order == ("low", "medium", "high")
    assert column("colour", ["red", "blue", "red", "blue"]).order == ()


def test_concepts_are_well_formed() -> None:
    names = [concept.name for concept in concepts()]
    assert len(names) >= 200
    assert len(names) == len({*names})
    assert all(not concept.verb or concept.verb.count("{}") == 1 for concept in concepts())


FILMS = """\
Title;Director;Genre;Release Date;Runtime (min);Budget;IMDB Rating;Country;In Colour;Poster
Alien;Ridley Scott;Horror, Sci-Fi;25/05/1979;117;$11,000,000;8.5;United Kingdom;yes;http://x.org/1.jpg
Amelie;Jean-Pierre Jeunet;Comedy, Romance;25/04/2001;122;$10,000,000;8.3;France;yes;http://x.org/2.jpg
Psycho;Alfred Hitchcock;Horror;08/09/1960;109;$806,947;8.5;United States;no;http://x.org/3.jpg
Airplane!;Jim Abrahams;Comedy;02/07/1980;88;$3,500,000;7.7;United States;yes;http://x.org/4.jpg
Solaris;Andrei Tarkovsky;Sci-Fi, Romance;20/03/1972;167;n/a;8.1;Russia;yes;http://x.org/5.jpg
"""


def test_films(tmp_path) -> None:
    (tmp_path / "films.csv").write_text(FILMS)
    found = inspect(tmp_path / "films.csv")
    assert {each.name: (str(each.semantic), each.unit) for each in found.columns} == {
        "Title": ("name", ""), "Director": ("person", ""), "Genre": ("category", ""),
        "Release Date": ("date", ""), "Runtime (min)": ("duration", "minutes"),
        "Budget": ("money", "USD"), "IMDB Rating": ("rating", ""), "Country": ("place", ""),
        "In Colour": ("boolean", ""), "Poster": ("image", ""),
    }  # fmt: skip
    genre = found.column("Genre")
    assert genre.many == ", "
    assert dict(genre.facts.values) == {"Horror": 2, "Comedy": 2, "Romance": 2, "Sci-Fi": 2}
    assert (found.entity.label, found.entity.key) == ("Title", "Title")
    assert found.column("Budget").facts.nulls == 1
    assert "from 806947 to 11000000" in report(found)


@given(st.lists(st.text(max_size=8), max_size=12))
def test_tokens_and_names_are_unique(names) -> None:
    for found in (distinct_tokens("FLD_", names), distinct_names(names), distinct_prefixes(names)):
        assert len(found) == len({each.casefold() for each in found}) == len(names)
    assert all(
        token.isascii() and token.startswith("FLD_") for token in distinct_tokens("FLD_", names)
    )
    prefixes = distinct_prefixes(names)
    assert not [(a, b) for a in prefixes for b in prefixes if a != b and b.startswith(a)]


def test_columns_with_the_same_values_share_a_type(tmp_path: Path) -> None:
    cities = ["Paris", "Rome", "Oslo", "Lima", "Cairo", "Delhi"]
    rows = [f"F{n},{cities[n % 6]},{cities[(n + 1) % 6]},red" for n in range(12)]
    path = tmp_path / "flights.csv"
    path.write_text("\n".join(["flight_no,origin_city,destination_city,colour", *rows]))
    found = inspect(path)
    origin, destination = found.column("origin_city"), found.column("destination_city")
    assert origin.values_of == destination.values_of == "CITY"
    assert origin.prefix == destination.prefix
    assert found.column("colour").values_of not in ("", "CITY")
