"""`Columns`: the arrays of a source, by field; and the file that they are mapped from.

The rows of all columns are those of the entities, in the order of their keys. A series has a row of
the matrix for each quarter. The file is one block of arrays, described by a list at its end:
opening it reads that list, and a query reads the pages that it needs. All processes that map the
file share its memory.

The list and each array have a checksum (CRC-32). Those of series, which are nearly the whole file,
are compared when a series is first read, all others when the file is opened.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar, final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from grammax.errors import GrammaxError
from grammax.files import replacing
from grammax.tables.memory.values import Indices, Lists, Numbers, Texts

X = TypeVar("X")
_MAGIC: Final = b"grammax columns 2\n"
_ALIGNED: Final = 64  # bytes; every array begins at a multiple of it
_DIGITS: Final = 12  # of the length of the list, and of its checksum, at the very end


class NoColumns(GrammaxError):
    """A file that does not have the arrays it should have."""


@final
@dataclass(frozen=True)
class Columns:
    """The columns of `count` entities: texts, numbers and lists by field, series by field, rates.

    Series have the shape (quarters, entities), and begin with the quarter `first`; `fiscal` is how
    many quarters the fiscal year of each entity is ahead of the calendar. Rates have a number for
    each quarter. `info` is what the file says of itself.
    """

    count: int
    texts: Mapping[str, Texts]
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    lists: Mapping[str, Lists] = field(default_factory=dict)
    series: Mapping[str, Numbers] = field(default_factory=dict)
    rates: Mapping[str, Numbers] = field(default_factory=dict)
    first: int = 0
    fiscal: Indices = field(default_factory=lambda: np.zeros(0, np.intp))
    info: Mapping[str, str] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all; columns are taken one after the other."""
        listed = []
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as scratch, scratch.open("wb") as file:
            file.write(_MAGIC)
            for name, array in self._arrays():
                file.write(bytes(-file.tell() % _ALIGNED))
                data = np.ascontiguousarray(array).tobytes()
                listed.append([name, array.dtype.str, array.shape, file.tell(), crc32(data)])
                file.write(data)
            head = {"count": self.count, "first": self.first, "info": self.info, "arrays": listed}
            text = json.dumps(head).encode()
            file.write(text + b"%0*d%0*d" % (_DIGITS, len(text), _DIGITS, crc32(text)))

    def _arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        yield "fiscal", self.fiscal
        for name, texts in self.texts.items():
            yield from _of_texts(f"texts/{name}", texts)
        for name, lists in self.lists.items():
            yield f"lists/{name}/starts", lists.starts
            yield from _of_texts(f"lists/{name}/values", lists.values)
            yield from _of_texts(f"lists/{name}/joined", lists.joined)
        for kind in ("numbers", "rates", "series"):
            for name, array in getattr(self, kind).items():
                yield f"{kind}/{name}", array

    @classmethod
    def read(cls, path: Path) -> Columns:
        """Map a file; raises `NoColumns` if it is damaged, as reading a damaged series does."""
        try:
            with path.open("rb") as file:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            if mapped[: len(_MAGIC)] != _MAGIC:
                raise ValueError("it begins otherwise")
            end = len(mapped) - 2 * _DIGITS
            text = mapped[end - int(mapped[end:-_DIGITS]) : end]
            if crc32(text) != int(mapped[-_DIGITS:]):
                raise ValueError("its list is damaged")
            head = json.loads(text)
            sums = {name: int(checksum) for name, *_, checksum in head["arrays"]}
            arrays = {
                name: _array(mapped, dtype, tuple(shape), at)
                for name, dtype, shape, at, _ in head["arrays"]
            }
            for name in arrays:
                if not name.startswith("series/"):
                    _require_intact(name, arrays[name], sums[name])
            return cls(
                count=int(head["count"]),
                texts=_by_name("texts", arrays, _texts),
                numbers=_by_name("numbers", arrays, _itself),
                lists=_by_name("lists", arrays, _lists),
                series=_CheckedSeries(_by_name("series", arrays, _itself), sums),
                rates=_by_name("rates", arrays, _itself),
                first=int(head["first"]),
                fiscal=arrays["fiscal"],
                info={str(key): str(value) for key, value in head["info"].items()},
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise NoColumns(f"{path} cannot be read as columns: {error}") from error


def _array(mapped: mmap.mmap, dtype: str, shape: tuple[int, ...], at: int) -> NDArray[Any]:
    kind = np.dtype(dtype)
    if kind.hasobject:
        raise ValueError(f"it has an array of the type {dtype}")
    return np.frombuffer(mapped, kind, int(np.prod(shape)), at).reshape(shape)


def _require_intact(name: str, array: NDArray[Any], checksum: int) -> None:
    if crc32(array.data if array.size else b"") != checksum:
        raise ValueError(f"its array {name} is damaged")


@final
class _CheckedSeries(Mapping[str, Numbers]):
    """Series of a file, each of which is checked when it is first read."""

    def __init__(self, series: Mapping[str, Numbers], sums: Mapping[str, int]) -> None:
        self._series, self._sums = series, sums
        self._intact: set[str] = set()

    def __getitem__(self, token: str) -> Numbers:
        found = self._series[token]
        if token not in self._intact:
            try:
                _require_intact(f"series/{token}", found, self._sums[f"series/{token}"])
            except ValueError as error:
                raise NoColumns(f"A file of columns cannot be used: {error}") from error
            self._intact.add(token)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._series)

    def __len__(self) -> int:
        return len(self._series)


def _by_name(
    kind: str,
    arrays: Mapping[str, NDArray[Any]],
    make: Callable[[str, Mapping[str, NDArray[Any]]], X],
) -> dict[str, X]:
    """The columns of a kind by field."""
    names = dict.fromkeys(
        "/".join(name.split("/")[:2]) for name in arrays if name.startswith(f"{kind}/")
    )
    return {name.partition("/")[2]: make(name, arrays) for name in names}


def _itself(name: str, arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    return arrays[name]


def _of_texts(name: str, texts: Texts) -> Iterator[tuple[str, NDArray[Any]]]:
    yield f"{name}/codes", texts.codes
    yield f"{name}/encoded", texts.encoded


def _texts(name: str, arrays: Mapping[str, NDArray[Any]]) -> Texts:
    return Texts(arrays[f"{name}/codes"], arrays[f"{name}/encoded"])


def _lists(name: str, arrays: Mapping[str, NDArray[Any]]) -> Lists:
    values, joined = (_texts(f"{name}/{part}", arrays) for part in ("values", "joined"))
    return Lists(arrays[f"{name}/starts"], values, joined)
