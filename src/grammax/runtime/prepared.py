"""What is made once of a model and a domain, and kept: the output layer, and where names are found.

Both follow from the checkpoint and the vocabulary, and take seconds to make. They are kept in the
cache folder as plain arrays, are mapped into memory when they are asked for again, and are shared
by all processes. Without a folder to keep them in they are made each time.

The files have room for more rows. A model whose vocabulary changes maps them once more, for itself
alone, and writes what is new there: 100 MB need not be copied for a row.
"""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from grammax.files import CacheError, CacheNotice, cache_folder, replacing
from grammax.language.domain import Domain
from grammax.reading.name_index import NameIndex
from grammax.runtime.recurrence import Array
from grammax.vocabulary import Ids

_FORMAT: Final = 2  # raised whenever other arrays are made of the same checkpoint
_KEPT: Final = 3  # of a domain, the newest
_LIST: Final = "arrays.json"  # names, types and shapes
_ROOM: Final = 4_096  # rows that can be added without a copy: 7 MB
_ROOMY: Final = ("rows", "spelt")
_FEW: Final = 50  # words that are looked for in the text, before all are taken from it in 10 ms
_BETWEEN: Final = "\n"  # words have no white space


@final
class Holders:
    """How many tokens have a word in a name; kept as arrays, and read when first asked for."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.arrays = arrays

    @classmethod
    def of(cls, counts: Mapping[str, int], tokens: int) -> Holders:
        """Words with their numbers of tokens, of all of which there are so many."""
        words = sorted(counts)
        text = _BETWEEN.join(words).encode("utf-8", "surrogatepass")
        held = np.array([counts[word] for word in words], np.int32)
        total = np.array([tokens], np.int32)
        return cls({"words": np.frombuffer(text, np.uint8), "held": held, "total": total})

    @property
    def tokens(self) -> int:
        """How many tokens there were."""
        return int(self.arrays["total"][0])

    def counts(self, words: Collection[str]) -> dict[str, int]:
        """Those of some words, as far as they are known."""
        if len(words) > _FEW or "_counts" in vars(self):
            return {word: self._counts[word] for word in words if word in self._counts}
        found, text = {}, b"\n%b\n" % self.arrays["words"].tobytes()
        for word in words:
            place = text.find(b"\n%b\n" % word.encode("utf-8", "surrogatepass"))
            if place >= 0:
                found[word] = int(self.arrays["held"][text.count(b"\n", 0, place)])
        return found

    @cached_property
    def _counts(self) -> dict[str, int]:
        words = self.arrays["words"].tobytes().decode("utf-8", "surrogatepass").split(_BETWEEN)
        return dict(zip(words, self.arrays["held"].tolist(), strict=False))


class Prepared(NamedTuple):
    """All of a model that is as large as its vocabulary."""

    rows: Array  # (V + 1, d), in kind order
    bias: Array  # (V + 1)
    spelt: Array  # (V + 1, s): the last columns of `rows`, side by side
    names: NameIndex | None  # none where the model looks for none
    holders: Holders  # of words
    folder: Path | None = None  # where it is kept
    written: Ids = np.zeros(0, np.int64)  # places of rows that are others than those in the folder

    def with_rows(self, count: int, places: Ids, rows: Array, bias: Array) -> Prepared:
        """With other rows and biases at some places, `count` rows in all; names stay the same."""
        wide, narrow = self._roomy("rows", count), self._roomy("spelt", count)
        biases = np.zeros(count, np.float32)
        kept = min(count, len(self.bias))
        biases[:kept] = self.bias[:kept]
        wide[places], biases[places] = rows, bias
        narrow[places] = rows[:, rows.shape[1] - narrow.shape[1] :]
        for array in (wide, narrow, biases):
            array.setflags(write=False)
        written = np.array(sorted({*self.written.tolist(), *places.tolist()}), np.int64)
        return self._replace(rows=wide, spelt=narrow, bias=biases, written=written)

    def _roomy(self, name: str, count: int) -> Array:
        """An array's rows in memory that can be written to, cut or with room up to `count`."""
        array: Array = getattr(self, name)
        again = self.written[self.written < count]
        if self.folder is not None:
            try:
                found: Array = _mapped(self.folder / f"{name}.npy", "c")
                if len(found) >= count and found.shape[1] == array.shape[1]:
                    found[again] = array[again]
                    return found[:count]
            except (OSError, ValueError):  # it was removed meanwhile
                pass
        copied = np.zeros((count, array.shape[1]), np.float32)
        kept = min(count, len(array))
        copied[:kept] = array[:kept]
        return copied


def prepared_folder(path: Path, domain: Domain) -> Path:
    """Where it is kept, or would be; `CacheError` if there is no place for it."""
    digest = blake2b(f"{_FORMAT} {domain.version} ".encode(), digest_size=12)
    digest.update(path.read_bytes())
    return cache_folder() / "prepared" / f"{domain.name}-{digest.hexdigest()}"


def prepared(path: Path, domain: Domain, make: Callable[[], Prepared]) -> Prepared:
    """What is kept of the checkpoint at `path`, or what `make` makes, which is then kept."""
    try:
        folder = prepared_folder(path, domain)
    except CacheError as error:
        return _unkept(make(), error)
    if folder.is_dir():
        try:
            return _read(folder)
        except Exception:  # of a damaged file NumPy says so in many ways
            shutil.rmtree(folder, ignore_errors=True)
    found = make()
    try:
        _write(folder, found)
        return _read(folder)
    except (OSError, ValueError) as error:
        return _unkept(found, error)


def _unkept(found: Prepared, error: Exception) -> Prepared:
    warnings.warn(
        f"what was made of the model cannot be kept, so the next start is slow too: {error}",
        CacheNotice,
        stacklevel=4,
    )
    return found


def _write(folder: Path, found: Prepared) -> None:
    """Whole or not at all: another process may be reading, or writing the same."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = found._asdict()
    for name in ("names", "holders", "folder", "written"):
        del arrays[name]
    arrays |= found.holders.arrays
    for name in _ROOMY:
        room = np.zeros((_ROOM, arrays[name].shape[1]), arrays[name].dtype)
        arrays[name] = np.concatenate([arrays[name], room])
    if found.names is not None:
        arrays |= found.names.arrays
    try:
        with replacing(folder) as scratch:
            scratch.mkdir()
            for name, array in arrays.items():
                np.save(scratch / f"{name}.npy", array, allow_pickle=False)
            listed = {name: _form(array) for name, array in arrays.items()}
            (scratch / _LIST).write_text(json.dumps(listed), encoding="utf-8")
    except OSError:
        if not folder.is_dir():  # if it is, another process was faster
            raise
    _forget(folder)


def _read(folder: Path) -> Prepared:
    listed = json.loads((folder / _LIST).read_text(encoding="utf-8"))
    arrays: dict[str, Any] = {name: _mapped(folder / f"{name}.npy") for name in listed}
    if listed != {name: _form(array) for name, array in arrays.items()}:
        raise ValueError(f"the arrays in {folder} are not those that were written")
    rows, bias, spelt = (arrays.pop(name) for name in ("rows", "bias", "spelt"))
    holders = Holders({name: arrays.pop(name) for name in ("words", "held", "total")})
    rows, spelt, index = (
        rows[: len(bias)],
        spelt[: len(bias)],
        NameIndex(arrays) if arrays else None,
    )
    return Prepared(rows, bias, spelt, index, holders, folder)


def _form(array: NDArray[np.generic]) -> list[Any]:
    return [array.dtype.str, list(array.shape)]


def _mapped(file: Path, mode: Literal["r", "c"] = "r") -> NDArray[Any]:
    # As an array and no `memmap`: a slice of those takes microseconds.
    array: NDArray[Any] = np.lib.format.open_memmap(file, mode=mode).view(np.ndarray)
    return array


def _forget(kept: Path) -> None:
    """Remove what older models of the domain have left."""
    name = re.compile(re.escape(kept.name.rpartition("-")[0]) + r"-[0-9a-f]{24}")
    folders = [folder for folder in kept.parent.iterdir() if name.fullmatch(folder.name)]
    for folder in sorted(folders, key=_age)[_KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def _age(folder: Path) -> float:
    try:
        return -folder.stat().st_mtime
    except OSError:  # another process has just removed it
        return 0.0
