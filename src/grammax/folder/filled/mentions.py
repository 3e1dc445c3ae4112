"""`FilledMentions`: the numbers, dates and texts of a query, with the tokens that they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, final

from grammax.folder.filled import numbers, texts
from grammax.folder.open_kinds import FilledKind
from grammax.language.answer import Tokens
from grammax.language.filling import SLOTS, Mention, slots

_QUOTED: Final = 8  # quoted texts of a query that can be used
_WORDS: Final = 64  # and words
_CHARACTERS: Final = 5_000  # of a query that are read

Readings = tuple[tuple[str, Tokens], ...]


@final
class FilledMentions:
    """Finds what fills some kinds in a query. Immutable, shared between threads.

    Numbers and dates come first, then what is quoted, then all words, if there is a kind for them.

    >>> reader = FilledMentions([FilledKind("AGE", "integer"), FilledKind("NAME", "text")])
    >>> [mention.readings for mention in reader.read("Ann, 41")][:2]
    [(('AGE', ('41',)),), (('NAME:first', ('Ann',)), ('NAME:last', ('Ann',)))]
    """

    def __init__(self, kinds: Sequence[FilledKind]) -> None:
        self.kinds = tuple(kinds)
        self._of_number = [kind for kind in kinds if kind.fill in ("number", "integer")]
        self._of_date = [kind for kind in kinds if kind.fill == "date"]
        self._quoted = [kind for kind in kinds if kind.fill == "quoted"]
        self._worded = [kind for kind in kinds if kind.fill in ("word", "text")]

    @property
    def slots(self) -> Mapping[str, Tokens]:
        """The slots of each kind of the grammar that they fill."""
        before = SLOTS if self._of_number or self._of_date else 0
        counts = {"quoted": before + _QUOTED}
        words = before + _QUOTED * bool(self._quoted) + _WORDS
        counts |= {"word": words, "text": words}
        return {
            name: slots(name, counts.get(kind.fill, SLOTS))
            for kind in self.kinds
            if kind.fill != "name"
            for name in kind.slot_kinds
        }

    def read(self, text: str) -> list[Mention]:
        """The mentions of a query."""
        text = text[:_CHARACTERS]
        found = list(self._numeric(text))[:SLOTS]
        if self._quoted:
            found += list(self._in_quotes(text))[:_QUOTED]
        if self._worded:
            found += list(self._words(text))[:_WORDS]
        return found

    def unread(self, text: str) -> list[tuple[int, int]]:
        """The characters of numbers and dates that could not be read, such as "1.2.3"."""
        return numbers.unread(text) if self._of_number or self._of_date else []

    def _numeric(self, text: str) -> Iterator[Mention]:
        if not self._of_number and not self._of_date:
            return
        for start, stop, number, date in numbers.numerics(text):
            readings = [(k.kind, (k.token(date),)) for k in self._of_date if date is not None]
            if number is not None:
                for kind in self._of_number:
                    if kind.text(kind.token(number)) is not None:  # 2.5 is no integer
                        readings.append((kind.kind, (kind.token(number),)))
            if readings:
                yield Mention(start, stop, tuple(readings))

    def _in_quotes(self, text: str) -> Iterator[Mention]:
        for start, stop in texts.quoted(text):
            readings = tuple((k.kind, (k.token(text[start:stop]),)) for k in self._quoted)
            yield Mention(start, stop, readings, one_word=False)

    def _words(self, text: str) -> Iterator[Mention]:
        for start, stop in texts.words(text):
            yield Mention(start, stop, self._word_readings(text[start:stop]), one_word=False)

    def _word_readings(self, word: str) -> Readings:
        found: list[tuple[str, Tokens]] = []
        for kind in self._worded:
            token = (kind.token(word),) if kind.fill == "word" else (word,)
            found += [(name, token) for name in kind.slot_kinds]
        return tuple(found)
