"""Folders of a table of films, as `grammax new` writes them."""

from __future__ import annotations

from pathlib import Path

from grammax.tables.own.folder import write_folder

FILMS = """title,director,genre,country,released,runtime_min,gross,rating,color
Amelie,Jean-Pierre Jeunet,Comedy,France,2001-04-25,122,174200000,8.3,yes
La Strada,Federico Fellini,Drama,Italy,1954-09-06,108,,8.0,no
Alien,Ridley Scott,Horror,USA,1979-05-25,117,188000000,8.5,yes
Blade Runner,Ridley Scott,Science Fiction,USA,1982-06-25,117,41800000,8.1,yes
Metropolis,Fritz Lang,Science Fiction,Germany,1927-01-10,153,1300000,8.3,no
Das Boot,Wolfgang Petersen,War,Germany,1981-09-17,149,84900000,8.4,yes
"""


def films(folder: Path) -> Path:
    """The folder of a schema, with comments that a person wrote."""
    (folder / "films.csv").write_text(FILMS, encoding="utf-8")
    made = folder / "films"
    write_folder(made, str(folder / "films.csv")).close()
    schema = made / "schema.toml"
    text = schema.read_text().replace('label = "gross"', 'label = "gross"  # in dollars?')
    schema.write_text("# Our films; ask Ann.\n" + text)
    return made
