"""Values of rows: numbers, texts, conditions and lists.

A number is an array of doubles, in which NaN is unknown. A text is a code into a sorted list, -1 if
unknown, so that codes compare as their texts do. A condition is two arrays: where it is true, and
where it is false; where it is neither, it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int32]
Truths: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.intp]
UNKNOWN: Final = -1  # the code of a missing text
_SEPARATOR: Final = "\0"  # no text of a catalogue or of a table has one


@final
class Condition(NamedTuple):
    """Rows of which something is true, and rows of which it is false."""

    true: Truths
    false: Truths

    @classmethod
    def known(cls, true: Truths) -> Condition:
        """A condition that is never unknown."""
        return cls(true, ~true)


@final
class Texts:
    """A text for each row: `codes` into the sorted texts, which are decoded when needed."""

    def __init__(self, codes: Codes, encoded: bytes | NDArray[np.uint8]) -> None:
        self.codes = codes
        self._encoded = encoded

    @classmethod
    def of(cls, given: Iterable[str | None]) -> Texts:
        """A column of texts.

        >>> Texts.of(["b", None, "a", "b"]).codes.tolist()
        [1, -1, 0, 1]
        """
        rows = list(given)
        listed = sorted({text for text in rows if text is not None})
        codes = {text: code for code, text in enumerate(listed)}
        found = [UNKNOWN if text is None else codes[text] for text in rows]
        return cls(np.array(found, np.int32), _encoded(listed))

    @property
    def encoded(self) -> NDArray[np.uint8]:
        """All texts, as bytes for a file."""
        return np.frombuffer(bytes(self._encoded), np.uint8)

    @cached_property
    def listed(self) -> list[str]:
        """The texts by code."""
        return bytes(self._encoded).decode().split(_SEPARATOR)[:-1]

    @cached_property
    def code_of(self) -> Mapping[str, int]:
        """The code of each text."""
        return {text: code for code, text in enumerate(self.listed)}

    @cached_property
    def is_known(self) -> Truths:
        return np.asarray(self.codes >= 0)

    @cached_property
    def _places(self) -> Indices:
        """The codes in the type that indexing takes without a conversion."""
        return self.codes.astype(np.intp)

    @cached_property
    def order(self) -> Numbers:
        """Numbers that are ordered as the texts are; NaN where there is none."""
        return np.where(self.is_known, self.codes, np.nan)

    @cached_property
    def alphabetical(self) -> Numbers:
        """Numbers that are ordered as the texts are without regard to capitals; NaN if unknown."""
        ranks = {text: rank for rank, text in enumerate(sorted({t.lower() for t in self.listed}))}
        by_code = np.array([*(float(ranks[text.lower()]) for text in self.listed), np.nan])
        return by_code[self._places]

    def with_codes(self, codes: NDArray[np.integer[Any]]) -> Texts:
        """Another column of the same texts."""
        made = Texts(codes.astype(np.int32), self._encoded)
        made.listed = self.listed
        return made

    def among(self, texts: Iterable[str]) -> Condition:
        """Whether a text is one of these."""
        codes = [code for text in texts if (code := self.code_of.get(text)) is not None]
        if len(codes) == 1:
            true = np.asarray(self.codes == codes[0])
        else:
            wanted = np.zeros(len(self.listed) + 1, np.bool_)  # the last is that of unknown texts
            wanted[codes] = True
            true = wanted[self._places]
        return Condition(true, self.is_known & ~true)

    def containing(self, text: str) -> Condition:
        """Whether a text has another one in it, whatever the capitals of both."""
        part = text.lower()
        wanted = np.array([*(part in each.lower() for each in self.listed), False])
        true = wanted[self._places]
        return Condition(true, self.is_known & ~true)

    def mapped(self, values: Mapping[str, float]) -> Numbers:
        """A number for each text, NaN for the others."""
        by_code = np.full(len(self.listed) + 1, np.nan)
        for text, value in values.items():
            if text in self.code_of:
                by_code[self.code_of[text]] = value
        return by_code[self.codes]

    def renamed(self, groups: Mapping[str, Sequence[str]]) -> Texts:
        """The first group that lists each text."""
        names = sorted(groups)
        by_code = np.full(len(self.listed) + 1, UNKNOWN, np.int32)
        for group, texts in reversed([*groups.items()]):
            codes = [code for text in texts if (code := self.code_of.get(text)) is not None]
            by_code[codes] = names.index(group)
        return Texts(by_code[self.codes], _encoded(names))

    def cells(self, index: Indices) -> list[str | None]:
        """The texts of some rows."""
        listed = self.listed
        return [None if code < 0 else listed[code] for code in self.codes[index].tolist()]


@final
class Lists:
    """Several texts for each row: those of row `i` are `values.codes[starts[i] : starts[i + 1]]`.

    `joined` has them in one text, in alphabetical order.
    """

    def __init__(self, starts: Indices, values: Texts, joined: Texts) -> None:
        self.starts, self.values, self.joined = starts, values, joined

    @classmethod
    def of(cls, rows: Sequence[Iterable[str]]) -> Lists:
        """A column of lists."""
        given = [sorted(row) for row in rows]
        sizes = np.fromiter(map(len, given), np.intp, len(given))
        starts = np.concatenate([np.zeros(1, np.intp), np.cumsum(sizes)])
        values = Texts.of(text for row in given for text in row)
        return cls(starts, values, Texts.of(", ".join(row) or None for row in given))

    @cached_property
    def _rows(self) -> Indices:
        """The row of each text."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def hold(self, texts: Iterable[str]) -> Condition:
        """Whether a row has any of these texts."""
        found = np.zeros(len(self.starts) - 1, np.bool_)
        found[self._rows[self.values.among(texts).true]] = True
        return Condition.known(found)

    def expanded(self, index: Indices) -> tuple[Indices, Codes]:
        """For some rows: which of them, and the code, of each of their texts."""
        sizes = (self.starts[1:] - self.starts[:-1])[index]
        which = np.repeat(np.arange(len(index)), sizes)
        ends = np.cumsum(sizes)
        within = np.arange(len(which)) - np.repeat(ends - sizes, sizes)
        return which, self.values.codes[self.starts[index][which] + within]


def _encoded(texts: Iterable[str]) -> bytes:
    return "".join(f"{text}{_SEPARATOR}" for text in texts).encode()


def cells_of(value: Any, index: Indices) -> list[Any]:
    """The cells of some rows; None for unknown values."""
    if isinstance(value, Texts):
        return value.cells(index)
    numbers = value[index]
    found = numbers.tolist()
    return [None if n != n else n for n in found] if np.isnan(numbers).any() else found
