"""What a correction teaches: a word that was not understood, and what the person made of it.

A person corrects the reading of "flicks from the states" by replacing a column or a value. The
words that the reading did not cover, or took for something else, may be names of what is new in
the form; and a word that nothing in the form stands for may be another noun for a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from grammax.language.capabilities import Entry, Explainable, Updatable
from grammax.language.domain import Tokens
from grammax.reading.english import function_words
from grammax.reading.words import split

_FIELD = "field"
_MOST: Final = 3
_LONGEST: Final = 3  # words of a name
_SEARCHED: Final = 20  # columns and values that a word may be the name of

Search = Callable[[str, int], Sequence[Entry]]


class Offer(NamedTuple):
    """A word that may be taught: it names a token, or a row if the token is empty."""

    word: str
    token: str
    field: str  # of a value: the token of the column that it was compared with
    meaning: str  # in English


class Reading(Protocol):
    """A parse: what the words of a query were taken for."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the query."""

    @property
    def typos(self) -> tuple[tuple[int, str], ...]:
        """Positions of corrected words, and what was typed there."""

    @property
    def uncovered(self) -> tuple[int, ...]:
        """Positions of words that the form does not cover."""

    @property
    def tokens(self) -> Tokens:
        """The form."""

    @property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """For each token the positions of the words that it came from."""


def offers(
    domain: Explainable, reading: Reading, corrected: Tokens, search: Search | None = None
) -> list[Offer]:
    """What may be taught after the form of a reading was corrected, the likeliest first.

    `search` finds columns and values by their names: by default the domain's own search. A folder
    has no columns: its values are tokens of the kinds in which values come and go.
    """
    found = list(_renamed(domain, reading, corrected))
    if not found and domain.same(reading.tokens, corrected):
        noun = domain.nouns[0]
        found = [Offer(word, "", "", noun) for word in _lost(reading) if " " not in word]
    find = search or domain.search
    return [offer for offer in found if not _is_known(domain, offer.word, find)][:_MOST]


def _renamed(domain: Explainable, reading: Reading, corrected: Tokens) -> Iterator[Offer]:
    """Words of what the correction replaced, or that were not understood, for what is new."""
    named = f" {' '.join(reading.words)} "
    new = [
        token
        for token in _new_names(domain, reading.tokens, corrected)
        if not any(f" {' '.join(split(name))} " in named for name in domain.wordings(token))
    ]
    gone = _new_names(domain, corrected, reading.tokens)
    lost = _lost(reading)
    for token in new:
        alike = [each for each in gone if _sort(domain, each) == _sort(domain, token)]
        words = _words_of(reading, alike[0]) if alike else ""
        if words:
            gone.remove(alike[0])
        elif lost:
            words = lost.pop(0)
        if words:
            field = _compared_field(domain, corrected, token)
            label = domain.label(token)
            column = f" ({domain.label(field).lower()})" if field else ""
            yield Offer(words, token, field, f"{label.lower() if not field else label}{column}")


def _new_names(domain: Explainable, before: Tokens, after: Tokens) -> list[str]:
    """Columns and values that a form has and another has not; a value before its column."""
    new = [token for token in dict.fromkeys(after) if token not in before]
    values = [token for token in new if _sort(domain, token) not in ("", _FIELD)]
    compared = {_compared_field(domain, after, value) for value in values}
    fields = [token for token in new if _is_field(domain, token) and token not in compared]
    return values + fields


def _compared_field(domain: Explainable, tokens: Tokens, value: str) -> str:
    """The column that a value is compared with; none if the token is a column itself."""
    if _is_field(domain, value):
        return ""
    before = reversed(tokens[: tokens.index(value)])
    return next((token for token in before if _is_field(domain, token)), "")


def _is_field(domain: Explainable, token: str) -> bool:
    return _sort(domain, token) == _FIELD


def _sort(domain: Explainable, token: str) -> str:
    """What sort of token may get a name in place of another; empty if it gets none."""
    return domain.sort_of(token) if isinstance(domain, Updatable) else ""


def _words_of(reading: Reading, token: str) -> str:
    """The words that a token of the reading came from, if they are few and neighbours."""
    places = reading.sources[reading.tokens.index(token)]
    said = [at for at in places if _says_something(reading.words[at])]
    return _name(reading, said)


def _lost(reading: Reading) -> list[str]:
    """Runs of words that the reading does not cover."""
    runs: list[list[int]] = []
    for at in reading.uncovered:
        if not _says_something(reading.words[at]):
            continue
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return [name for run in runs if (name := _name(reading, run))]


def _name(reading: Reading, places: Sequence[int]) -> str:
    """Neighbouring words as they were typed; empty if they are too many for a name."""
    words = {**dict(enumerate(reading.words)), **dict(reading.typos)}
    if not 0 < len(places) <= _LONGEST or places[-1] - places[0] >= len(places):
        return ""
    return " ".join(words[at] for at in places)


def _says_something(word: str) -> bool:
    return word not in function_words() and any(letter.isalpha() for letter in word)


def _is_known(domain: Explainable, word: str, search: Search) -> bool:
    """Whether a column, a value or a row is called so: such a word keeps its meaning."""
    wanted = split(word)
    names = (*domain.nouns, *(entry.name for entry in search(word, _SEARCHED)))
    return any(split(name) == wanted for name in names)
