"""A second schema: films with a genre, a grade, a length, a year and a director.

`SCHEMA` and `catalogue()` are all that grammars, corpus and English need. `ROWS` are 59 well-known
films as data to be asked: titles, directors, one or two genres each, the grade of the Motion
Picture Association, the length of the cinema version in minutes, and the year of the premiere.
There is no unit, no measure and no history, in contrast to equity search.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.schema import Completions, Entity, EnumType, NumberType, Phrase, Schema

SCHEMA = Schema(
    "films",
    Entity("film", "films", key="title"),
    enums=(
        EnumType("GENRE", "GEN_", "genre"),
        EnumType("GRADE", "GRD_", "grade", ordered=True),
        EnumType("DIRECTOR", "DIR_", "director", plural=False),
    ),
    numbers=(
        NumberType("MINUTES", size=True, decimals=0, unit="minutes"),
        NumberType("YEAR", decimals=0),
    ),
    many=frozenset({"FLD_GENRE"}),
    phrases={"FLD_DIRECTOR": Phrase("directed by {}")},
    completions=Completions(at_start=("films directed by", "top 10"), anywhere=("directed by",)),
)

FIELDS = (
    Field("FLD_GENRE", "GENRE", "Genre", ("category",)),
    Field("FLD_LENGTH", "MINUTES", "Length", ("running time", "runtime", "duration")),
    Field("FLD_YEAR", "YEAR", "Year", ("release year", "year of release")),
    Field("FLD_DIRECTOR", "DIRECTOR", "Director", ("filmmaker",)),
    Field("FLD_GRADE", "GRADE", "Grade", ("age rating", "MPA rating")),
)

GENRES = {
    "Drama": ("dramas",), "Comedy": ("comedies",), "Action": (), "Thriller": ("thrillers",),
    "Science fiction": ("sci-fi", "scifi"), "Crime": (), "Adventure": (), "Romance": ("romances",),
    "Horror": (), "War": (), "Animation": ("animated",), "Fantasy": (), "Western": ("westerns",),
    "Musical": ("musicals",), "Documentary": ("documentaries",),
}  # fmt: skip
GRADES = ("R", "PG-13", "PG", "G")
"""From the strictest to the mildest."""


class Film(NamedTuple):
    """A row of the table; a film may have several genres."""

    title: str
    director: str
    genres: tuple[str, ...]
    grade: str
    length: int
    year: int


ROWS = (
    Film("The Godfather", "Francis Ford Coppola", ("Crime", "Drama"), "R", 175, 1972),
    Film("The Godfather Part II", "Francis Ford Coppola", ("Crime", "Drama"), "R", 202, 1974),
    Film("Apocalypse Now", "Francis Ford Coppola", ("Drama", "War"), "R", 147, 1979),
    Film("Lost in Translation", "Sofia Coppola", ("Comedy", "Drama"), "R", 102, 2003),
    Film("Marie Antoinette", "Sofia Coppola", ("Drama",), "PG-13", 123, 2006),
    Film("Jaws", "Steven Spielberg", ("Adventure", "Thriller"), "PG", 124, 1975),
    Film("Raiders of the Lost Ark", "Steven Spielberg", ("Action", "Adventure"), "PG", 115, 1981),
    Film("E.T.", "Steven Spielberg", ("Adventure", "Science fiction"), "PG", 115, 1982),
    Film("Jurassic Park", "Steven Spielberg", ("Adventure", "Science fiction"), "PG-13", 127, 1993),
    Film("Schindler's List", "Steven Spielberg", ("Drama", "War"), "R", 195, 1993),
    Film("Saving Private Ryan", "Steven Spielberg", ("Drama", "War"), "R", 169, 1998),
    Film(
        "Minority Report", "Steven Spielberg", ("Science fiction", "Thriller"), "PG-13", 145, 2002
    ),
    Film("Taxi Driver", "Martin Scorsese", ("Crime", "Drama"), "R", 114, 1976),
    Film("Raging Bull", "Martin Scorsese", ("Drama",), "R", 129, 1980),
    Film("Goodfellas", "Martin Scorsese", ("Crime", "Drama"), "R", 145, 1990),
    Film("The Departed", "Martin Scorsese", ("Crime", "Thriller"), "R", 151, 2006),
    Film("Hugo", "Martin Scorsese", ("Adventure", "Drama"), "PG", 126, 2011),
    Film("2001: A Space Odyssey", "Stanley Kubrick", ("Science fiction",), "G", 149, 1968),
    Film("The Shining", "Stanley Kubrick", ("Horror",), "R", 146, 1980),
    Film("Full Metal Jacket", "Stanley Kubrick", ("Drama", "War"), "R", 116, 1987),
    Film("Rear Window", "Alfred Hitchcock", ("Thriller",), "PG", 112, 1954),
    Film("Vertigo", "Alfred Hitchcock", ("Romance", "Thriller"), "PG", 128, 1958),
    Film("Psycho", "Alfred Hitchcock", ("Horror", "Thriller"), "R", 109, 1960),
    Film("The Birds", "Alfred Hitchcock", ("Horror",), "PG-13", 119, 1963),
    Film("Alien", "Ridley Scott", ("Horror", "Science fiction"), "R", 117, 1979),
    Film("Blade Runner", "Ridley Scott", ("Science fiction", "Thriller"), "R", 117, 1982),
    Film("Gladiator", "Ridley Scott", ("Action", "Drama"), "R", 155, 2000),
    Film("The Martian", "Ridley Scott", ("Adventure", "Science fiction"), "PG-13", 144, 2015),
    Film("The Terminator", "James Cameron", ("Action", "Science fiction"), "R", 107, 1984),
    Film("Aliens", "James Cameron", ("Action", "Science fiction"), "R", 137, 1986),
    Film("Titanic", "James Cameron", ("Drama", "Romance"), "PG-13", 194, 1997),
    Film("Avatar", "James Cameron", ("Action", "Science fiction"), "PG-13", 162, 2009),
    Film("Reservoir Dogs", "Quentin Tarantino", ("Crime", "Thriller"), "R", 99, 1992),
    Film("Pulp Fiction", "Quentin Tarantino", ("Crime", "Drama"), "R", 154, 1994),
    Film("Kill Bill: Volume 1", "Quentin Tarantino", ("Action", "Crime"), "R", 111, 2003),
    Film("Memento", "Christopher Nolan", ("Thriller",), "R", 113, 2000),
    Film("The Dark Knight", "Christopher Nolan", ("Action", "Crime"), "PG-13", 152, 2008),
    Film("Inception", "Christopher Nolan", ("Action", "Science fiction"), "PG-13", 148, 2010),
    Film("Interstellar", "Christopher Nolan", ("Adventure", "Science fiction"), "PG-13", 169, 2014),
    Film("Oppenheimer", "Christopher Nolan", ("Drama",), "R", 180, 2023),
    Film("Lady Bird", "Greta Gerwig", ("Comedy", "Drama"), "R", 94, 2017),
    Film("Little Women", "Greta Gerwig", ("Drama", "Romance"), "PG", 135, 2019),
    Film("Barbie", "Greta Gerwig", ("Comedy",), "PG-13", 114, 2023),
    Film("The Piano", "Jane Campion", ("Drama", "Romance"), "R", 121, 1993),
    Film("Point Break", "Kathryn Bigelow", ("Action", "Crime"), "R", 122, 1991),
    Film("The Hurt Locker", "Kathryn Bigelow", ("Thriller", "War"), "R", 131, 2008),
    Film("Zero Dark Thirty", "Kathryn Bigelow", ("Thriller",), "R", 157, 2012),
    Film("Toy Story", "John Lasseter", ("Animation", "Comedy"), "G", 81, 1995),
    Film("Cars", "John Lasseter", ("Animation", "Comedy"), "G", 116, 2006),
    Film("Finding Nemo", "Andrew Stanton", ("Adventure", "Animation"), "G", 100, 2003),
    Film("WALL-E", "Andrew Stanton", ("Animation", "Science fiction"), "G", 98, 2008),
    Film("My Neighbor Totoro", "Hayao Miyazaki", ("Animation", "Fantasy"), "G", 86, 1988),
    Film("Spirited Away", "Hayao Miyazaki", ("Animation", "Fantasy"), "PG", 125, 2001),
    Film("Snowpiercer", "Bong Joon-ho", ("Action", "Science fiction"), "R", 126, 2013),
    Film("Parasite", "Bong Joon-ho", ("Drama", "Thriller"), "R", 132, 2019),
    Film("Crouching Tiger, Hidden Dragon", "Ang Lee", ("Action", "Romance"), "PG-13", 120, 2000),
    Film("Brokeback Mountain", "Ang Lee", ("Drama", "Romance"), "R", 134, 2005),
    Film("Annie Hall", "Woody Allen", ("Comedy", "Romance"), "PG", 93, 1977),
    Film("Some Like It Hot", "Billy Wilder", ("Comedy", "Romance"), "PG", 121, 1959),
)


def token(prefix: str, name: str) -> str:
    """The token of a value: "GEN_SCIENCE_FICTION"."""
    return prefix + name.upper().replace(" ", "_").replace("-", "_")


@cache
def catalogue(measure: str | None = None) -> Catalogue:
    """The fields and values of the films; directors are those of the rows.

    With a `measure`, "largest" means that field.
    """
    values = [Value(token("GEN_", name), "GENRE", name, more) for name, more in GENRES.items()]
    values += [
        Value(token("GRD_", name), "GRADE", name, rank=rank)
        for rank, name in enumerate(GRADES, start=1)
    ]
    for name in dict.fromkeys(film.director for film in ROWS):
        surname = () if name.endswith("Coppola") else (name.split()[-1],)
        values.append(Value(token("DIR_", name), "DIRECTOR", name, surname))
    return Catalogue.from_entries(replace(SCHEMA, measure=measure), FIELDS, values)
