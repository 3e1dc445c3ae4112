"""A column of yes and no that a follow-up names: "in color only" is "in color: yes"."""

from __future__ import annotations

import re
from typing import Final

from grammax.reading.normal import plain_word
from grammax.reading.words import split
from grammax.tables import lexicon as words
from grammax.tables.domain import TableDomain
from grammax.tables.form.text import from_tokens
from grammax.tables.form.tree import LogicalForm

_ONLY: Final = re.compile(r"\b(?:only|just|keep|in)\b", re.IGNORECASE)
_SMALL: Final = frozenset(("in", "is", "are", "that", "which", "the", "ones"))


def only_yes(domain: TableDomain, text: str, rest: str) -> LogicalForm | None:
    """The condition that a column of yes and no is yes, if `rest` of a text is a name of it."""
    if not _ONLY.search(text):
        return None
    nouns = {plain_word(noun.lower()) for noun in domain.nouns}
    wanted = [word for word in _plain(rest) if word not in nouns]
    for token, field in domain.catalogue.fields.items():
        if field.type not in domain.catalogue.value_types:
            continue
        if not any(_plain(name) == wanted for name in domain.wordings(token)):
            continue
        values = domain.catalogue.values_of(field.type)
        yes = next((value for value in values if "yes" in domain.wordings(value)), None)
        if yes is not None and len(values) == 2:
            made = (words.OPEN, token, "EQ", yes, words.CLOSE)
            return from_tokens(made, domain.catalogue)
    return None


def _plain(text: str) -> list[str]:
    return [plain_word(word) for word in split(text.lower()) if word not in _SMALL]
