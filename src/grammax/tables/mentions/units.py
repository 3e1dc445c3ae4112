"""The names, codes and signs of units, such as currencies, beside a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Self, final

from grammax.tables.catalogue.entries import Value
from grammax.tables.mentions.lexer import Lexed
from grammax.tables.mentions.words import COMPARED, COMPARISONS, COUNTS, SUFFIXES

_NEVER: Final = frozenset(("all", "top", "sum", "mark", "gold"))
"""Names and codes of units that are words of queries: units in capitals only, after a number."""

_ENGLISH: Final = frozenset(
    ("try", "cup", "mad", "pen", "bam", "bob", "gel", "mop", "sos", "cop", "won", "real",
     "ft")
)  # fmt: skip
"""Others that are words of English as well: units in capitals, or beside a denomination."""

_VERBS: Final = frozenset(("won", "real", "ft"))
"""Those of them that often follow a number: "over 10 won"."""

_NO_UNIT_BEFORE: Final = {
    "euro": frozenset(("area", "zone", "stoxx", "countries", "members")),
    "real": frozenset(("estate", "time")),
    "dollar": frozenset(("general", "tree", "volume")),
}  # fmt: skip
"""Words that make another name of the unit before them: "euro area"."""

_CODE: Final = 3  # letters of a code, and of abbreviations such as "rs"


class _Name(NamedTuple):
    unit: str
    is_common: bool  # whether the unit has other names than its code


@final
class UnitNames:
    """Finds units before and after a number.

    >>> dollar = Value("CUR_USD", "CURRENCY", "US Dollar", ("usd", "$", "us$"))
    >>> names = UnitNames([dollar])
    >>> names.after(Lexed("5 us dollars"), 1, False), names.before(Lexed("US$5"), 2, "5", False)
    (('CUR_USD', 3), ('CUR_USD', 0))
    """

    __slots__ = ("_apart", "_names", "_starts")

    def __init__(self, units: Iterable[Value], symbols: Mapping[str, str] | None = None) -> None:
        self._names: dict[tuple[str, ...], _Name] = {}
        self._starts: dict[str, int] = {}  # the first word → the words of the longest name
        for unit in units:
            found = _Name(unit.token, len(unit.aliases) > 1)
            for name in (unit.name, *unit.aliases, (symbols or {}).get(unit.token, "")):
                self._add(name, found)
        self._apart = frozenset(self._starts) - _ENGLISH - _NEVER  # first words of units apart

    @classmethod
    def empty(cls) -> Self:
        """No units."""
        return cls(())

    @property
    def nouns(self) -> frozenset[str]:
        """Names of one word, which may follow "a": "dollar"."""
        words = (name[0] for name in self._names if len(name) == 1)
        return frozenset(word for word in words if len(word) > _CODE and word.isalpha())

    def is_code(self, word: str) -> bool:
        """Whether a word is the code of a unit, and no other word: "usd" in "usd5"."""
        other = word in _ENGLISH or word in _NEVER
        return len(word) <= _CODE and not other and (word,) in self._names

    def split(self, word: str) -> tuple[str, str] | None:
        """A denomination and a unit that are one word: "musd" → "m", CUR_USD."""
        for count in (2, 1, 3):
            name = self._names.get((word[count:],))
            if name is not None and len(word) - count >= _CODE and word[:count] in SUFFIXES:
                return word[:count], name.unit
        return None

    def is_sign(self, word: str) -> bool:
        """Whether a token is a sign, such as "$"."""
        return not word.isalpha() and (word,) in self._names

    def after(
        self, lexed: Lexed, index: int, is_large: bool, before: str = ""
    ) -> tuple[str, int] | None:
        """The unit whose name begins at a token, and the index after it.

        `is_large` says that a denomination or a fraction stands before it. `before` is the word
        before the number: after "over", even a rare code is a unit.
        """
        words = lexed.words
        longest = self._starts.get(words[index])
        if longest is None or not lexed.near(index):
            return None
        for count in range(longest, 0, -1):
            name = self._names.get(tuple(words[index : index + count]))
            if name is None:
                continue
            if count > 1 or _is_unit(lexed, index, name, is_large, before):
                return None if _is_before(lexed, index, count) else (name.unit, index + count)
        return None

    def before(
        self, lexed: Lexed, index: int, numeral: str, is_large: bool
    ) -> tuple[str, int] | None:
        """The unit that ends before a token, and the index of its first token."""
        last = index - 1
        if last < 0 or not lexed.near(index):
            return None
        word = lexed.words[last]
        if not word.isalpha():
            return self._sign_before(lexed, last)
        name = self._names.get((word,))
        if name is None or len(word) > _CODE + 1 or word in COUNTS or word in _NEVER:
            return None
        if word in _ENGLISH:
            capitals = is_large and lexed.text[lexed.starts[last]].isupper()
            fits = capitals or lexed.before(last) in COMPARISONS
        elif is_large or lexed.before(last) in COMPARED:
            fits = True
        else:
            year = len(numeral) == 4 and numeral.isdigit() and numeral[:2] in ("19", "20")
            fits = name.is_common and len(word) <= _CODE and not year
        return (name.unit, last) if fits else None

    def apart(self, lexed: Lexed, numbers: Iterable[tuple[int, int]]) -> str | None:
        """The only unit that a text has apart from its numbers, given by their characters.

        >>> euro = Value("CUR_EUR", "CURRENCY", "Euro", ("eur", "€", "euros"))
        >>> UnitNames([euro]).apart(Lexed("budget in euros above 5"), [(22, 23)])
        'CUR_EUR'
        """
        if self._apart.isdisjoint(lexed.words):  # as in most texts
            return None
        taken = {at for start, stop in numbers for at in range(start, stop)}
        found: set[str] = set()
        for index, word in enumerate(lexed.words[: lexed.count]):
            if word not in self._apart or lexed.starts[index] in taken:
                continue
            is_said = lexed.before(index) == "in" and word.isalpha() and len(word) >= _CODE
            for count in range(self._starts[word] if is_said else 1, 0, -1):
                name = self._names.get(tuple(lexed.words[index : index + count]))
                is_code = count == 1 and len(word) == _CODE and self.is_code(word)
                if name is None or not name.is_common or not (is_said or is_code):
                    continue
                if lexed.words[index + count] not in _NO_UNIT_BEFORE.get(word, ()):
                    found.add(name.unit)
                break
        return found.pop() if len(found) == 1 else None

    def _sign_before(self, lexed: Lexed, last: int) -> tuple[str, int] | None:
        """ "$", or "hk$"."""
        word = lexed.words[last]
        if lexed.glued(last) and last > 0:
            name = self._names.get((lexed.words[last - 1], word))
            if name is not None:
                return name.unit, last - 1
        name = self._names.get((word,))
        return None if name is None else (name.unit, last)

    def _add(self, name: str, found: _Name) -> None:
        lexed = Lexed(name)
        words = tuple(lexed.words[: lexed.count])
        if not words:
            return
        for form in (words, _plural(words)):
            self._names.setdefault(form, found)
            self._starts[form[0]] = max(len(form), self._starts.get(form[0], 0))


def _is_unit(lexed: Lexed, index: int, name: _Name, is_large: bool, before: str) -> bool:
    """Whether a single word is a unit here, and no other word or abbreviation."""
    word = lexed.words[index]
    if not word.isalpha():
        return True
    if lexed.words[index + 1] in _NO_UNIT_BEFORE.get(word, ()):
        return False
    capitals = lexed.text[lexed.starts[index] : lexed.stops[index]].isupper()
    if capitals or word in _NEVER:
        return capitals
    if word in _ENGLISH:
        return is_large or (word not in _VERBS and before in COMPARISONS)
    return is_large or name.is_common or before in COMPARED or len(word) > _CODE


def _is_before(lexed: Lexed, index: int, count: int) -> bool:
    """Whether the unit belongs to the number after it: "top 5 $10bn", "usd 5-usd 10"."""
    after = index + count
    if not lexed.words[after][:1].isdigit():
        return False
    return lexed.glued(after) or (lexed.glued(index) and lexed.words[index - 1] == "-")


def _plural(words: tuple[str, ...]) -> tuple[str, ...]:
    last = words[-1]
    if len(last) <= _CODE or not last.isalpha() or last.endswith("s"):
        return words
    return (*words[:-1], f"{last}s")
