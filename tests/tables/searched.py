"""Films with texts that are searched."""

from __future__ import annotations

from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.schema import Entity, EnumType, NumberType, Schema, TextType


def films(searched: bool = True) -> Catalogue:
    """A table of films, with or without columns that are searched."""
    return Catalogue.from_entries(
        Schema(
            "films",
            Entity("film", "films", key="title"),
            enums=(EnumType("GENRE", "GEN_", "genre", semantic="CATEGORY"),),
            numbers=(NumberType("COUNT", semantic="COUNT"),),
            texts=(TextType("TITLE", "NAME", searched), TextType("MAIL", "EMAIL", searched)),
            history=False,
        ),
        [
            Field("FLD_GENRE", "GENRE", "Genre"),
            Field("FLD_VOTES", "COUNT", "Votes"),
            Field("FLD_TITLE", "TITLE", "Title"),
            Field("FLD_MAIL", "MAIL", "Email"),
        ],
        [Value("GEN_DRAMA", "GENRE", "Drama"), Value("GEN_WAR", "GENRE", "War")],
    )
