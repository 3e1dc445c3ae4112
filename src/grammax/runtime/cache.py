"""The cache of a model: arrays as large as its vocabulary, built once and then mapped.

The rows of the output layer and the index of names are computed from the checkpoint and the
vocabulary, which takes seconds. They are stored in the cache folder as plain arrays, which all
processes map into memory and share. Without a writable folder they are built each time.

The key of an entry depends only on the inputs of the computation. In particular it does not depend
on the calibration: a model has the same entry before and after it is calibrated.

Each array has a checksum (CRC-32). Those of the index and of frequencies are compared when an entry
is read. The rows, which are five sixths of it, are only compared by `damaged_rows`, which a service
calls after its start. A damaged entry is built again.

The files have room for more rows. A model whose vocabulary changes maps them copy-on-write and
writes its new rows there, so that 100 MB need not be copied for one row.
"""

from __future__ import annotations

import gc
import json
import logging
import re
import shutil
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from grammax.files import CacheError, CacheNotice, cache_folder, replacing
from grammax.language.domain import Domain
from grammax.model.header import Header
from grammax.reading.name_index import NameIndex
from grammax.runtime.lstm import Array
from grammax.vocabulary import Ids

_FORMAT: Final = 8  # incremented when the arrays built from a checkpoint change
_ENTRIES: Final = 3  # entries per domain that are not removed, the newest
_LIST: Final = "arrays.json"  # names, types, shapes and checksums
_ROWS: Final = ("whole", "spelt")
_READ_BYTES: Final = 1 << 20
_LOGGER: Final = logging.getLogger("grammax.cache")
_ROOM: Final = 4_096  # rows that can be added without a copy: 7 MB
_FEW: Final = 50  # words that are searched in the text; for more, all are parsed, in 10 ms
_SEPARATOR: Final = "\n"  # words have no white space


@final
class DocumentFrequencies:
    """For each word, the number of tokens with that word in a name; read on first use."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.arrays = arrays

    @classmethod
    def from_counts(cls, counts: Mapping[str, int], tokens: int) -> DocumentFrequencies:
        """The frequencies of words, given their counts among all `tokens`."""
        words = sorted(counts)
        text = _SEPARATOR.join(words).encode("utf-8", "surrogatepass")
        frequencies = np.array([counts[word] for word in words], np.int32)
        total = np.array([tokens], np.int32)
        encoded = np.frombuffer(text, np.uint8)
        return cls({"words": encoded, "frequencies": frequencies, "total": total})

    @property
    def tokens(self) -> int:
        """The number of all tokens."""
        return int(self.arrays["total"][0])

    def counts(self, words: Collection[str]) -> dict[str, int]:
        """The frequencies of some words; unknown words are left out."""
        if len(words) > _FEW or "_counts" in vars(self):
            return {word: self._counts[word] for word in words if word in self._counts}
        found, text = {}, b"\n%b\n" % self.arrays["words"].tobytes()
        for word in words:
            position = text.find(b"\n%b\n" % word.encode("utf-8", "surrogatepass"))
            if position >= 0:
                index = text.count(b"\n", 0, position)
                found[word] = int(self.arrays["frequencies"][index])
        return found

    @cached_property
    def _counts(self) -> dict[str, int]:
        words = self.arrays["words"].tobytes().decode("utf-8", "surrogatepass").split(_SEPARATOR)
        return dict(zip(words, self.arrays["frequencies"].tolist(), strict=False))


class OutputRows(NamedTuple):
    """The rows of the output layer, in kind order: the only owner of rows."""

    whole: Array  # (V + 1, d)
    bias: Array  # (V + 1)
    spelt: Array  # (V + 1, s): the last columns of `whole`, contiguous
    folder: Path | None = None  # of the cache entry
    written: Ids = np.zeros(0, np.int64)  # indices of rows that differ from those in the folder

    @classmethod
    def from_whole(cls, whole: Array, bias: Array, spelt: int = 0) -> OutputRows:
        """Rows of which the last `spelt` columns are hash embeddings of names."""
        return cls(whole, bias, np.ascontiguousarray(whole[:, whole.shape[1] - spelt :]))

    def replaced(self, count: int, indices: Ids, rows: Array, bias: Array) -> OutputRows:
        """The rows with others at some indices, `count` rows in total."""
        whole, spelt = self._writable("whole", count), self._writable("spelt", count)
        biases = np.zeros(count, np.float32)
        common = min(count, len(self.bias))
        biases[:common] = self.bias[:common]
        whole[indices], biases[indices] = rows, bias
        spelt[indices] = rows[:, rows.shape[1] - spelt.shape[1] :]
        for array in (whole, spelt, biases):
            array.setflags(write=False)
        all_written = {*self.written.tolist(), *indices.tolist()}
        written = np.array(sorted(index for index in all_written if index < count), np.int64)
        return self._replace(whole=whole, spelt=spelt, bias=biases, written=written)

    def _writable(self, name: str, count: int) -> Array:
        """The first `count` rows of an array, in memory that can be written to."""
        array: Array = getattr(self, name)
        again = self.written[self.written < min(count, len(array))]
        if self.folder is not None:
            try:
                found: Array = _mapped(self.folder / f"{name}.npy", "c")
                if len(found) >= count and found.shape[1] == array.shape[1]:
                    found[again] = array[again]
                    return found[:count]
            except (OSError, ValueError):  # the entry was removed meanwhile
                pass
        copied = np.zeros((count, array.shape[1]), np.float32)
        common = min(count, len(array))
        copied[:common] = array[:common]
        return copied


class ModelCache(NamedTuple):
    """All parts of a model that are as large as its vocabulary."""

    rows: OutputRows
    names: NameIndex | None  # None if the model does not use names
    frequencies: DocumentFrequencies


def cache_entry(header: Header, tensors: Mapping[str, Array], domain: Domain) -> Path:
    """The folder of a model's cache; `CacheError` if no folder can be written to."""
    digest = blake2b(f"{_FORMAT} {domain.names_version} ".encode(), digest_size=12)
    digest.update(json.dumps([asdict(header.model), header.seen]).encode())
    for name in sorted(name for name in tensors if name.startswith("rows.")):
        array = np.ascontiguousarray(tensors[name])
        digest.update(f"{name} {_form(array)}".encode())
        digest.update(array.data)
    return cache_folder() / "models" / f"{domain.name}-{digest.hexdigest()}"


def cached(
    header: Header, tensors: Mapping[str, Array], domain: Domain, build: Callable[[], ModelCache]
) -> ModelCache:
    """The cache of a model: mapped if it is stored, else built and stored."""
    try:
        folder = cache_entry(header, tensors, domain)
    except CacheError as error:
        return _not_stored(build(), error)
    stored = _read_intact(folder)
    if stored is not None:
        return stored
    with _no_collection():
        found = build()
    try:
        _write(folder, found)
        return _read(folder)
    except (OSError, ValueError) as error:
        return _not_stored(found, error)


@contextmanager
def _no_collection() -> Iterator[None]:
    """No garbage is collected meanwhile: millions of tuples are made, and nearly all stay."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _read_intact(folder: Path) -> ModelCache | None:
    """An entry; None if there is none, or a damaged one, which is removed."""
    if not folder.is_dir():
        return None
    try:
        return _read(folder)
    except Exception as error:  # NumPy has many exceptions for damaged files
        _LOGGER.warning("%s cannot be used and is built again: %s", folder, error)
        shutil.rmtree(folder, ignore_errors=True)
        return None


def damaged_rows(folder: Path) -> bool:
    """Whether the rows of an entry are not those that were written; then the entry is removed."""
    try:
        sums = {name: form[-1] for name, form in _listed(folder).items()}
        if all(_checksum(folder / f"{name}.npy") == sums[name] for name in _ROWS):
            return False
    except (OSError, ValueError, KeyError):
        if not folder.is_dir():  # newer entries have replaced it
            return False
    _LOGGER.warning("The rows in %s are damaged, and are built again.", folder)
    shutil.rmtree(folder, ignore_errors=True)
    return True


def _not_stored(found: ModelCache, error: Exception) -> ModelCache:
    warnings.warn(
        f"the cache of the model cannot be stored, so the next start is slow, too: {error}",
        CacheNotice,
        stacklevel=5,
    )
    return found


def _write(folder: Path, found: ModelCache) -> None:
    """Write an entry atomically, because other processes may read or write the same entry."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    rows, names, frequencies = found
    arrays: dict[str, NDArray[Any]] = {"bias": rows.bias, **frequencies.arrays}
    grown = {"whole": rows.whole, "spelt": rows.spelt}
    if names is not None:
        arrays |= names.arrays
    try:
        with replacing(folder) as scratch:
            scratch.mkdir()
            for name, array in arrays.items():
                np.save(scratch / f"{name}.npy", array, allow_pickle=False)
            listed = {name: _form(array) for name, array in arrays.items()}
            for name, array in grown.items():
                listed[name] = _save_with_room(scratch / f"{name}.npy", array)
            for name, form in listed.items():
                form.append(_checksum(scratch / f"{name}.npy"))
            (scratch / _LIST).write_text(json.dumps(listed), encoding="utf-8")
    except OSError:
        if not folder.is_dir():  # if it is, another process was faster
            raise
    _remove_old(folder)


def _save_with_room(file: Path, array: Array) -> list[Any]:
    """Write an array followed by rows of zeros, which take no space on most disks; its form."""
    form = [array.dtype.str, [len(array) + _ROOM, *array.shape[1:]]]
    header = {"descr": form[0], "fortran_order": False, "shape": tuple(form[1])}
    with file.open("wb") as opened:
        np.lib.format.write_array_header_1_0(opened, header)
        np.ascontiguousarray(array).tofile(opened)
        opened.truncate(opened.seek(0, 1) + _ROOM * array[:1].nbytes)
    return form


def _read(folder: Path) -> ModelCache:
    listed = _listed(folder)
    arrays: dict[str, Any] = {}
    for name, (*form, checksum) in listed.items():
        file = folder / f"{name}.npy"
        arrays[name] = _mapped(file)
        if _form(arrays[name]) != form or (name not in _ROWS and _checksum(file) != checksum):
            raise ValueError(f"{file.name} is not what was written")
    whole, bias, spelt = (arrays.pop(name) for name in ("whole", "bias", "spelt"))
    rows = OutputRows(whole[: len(bias)], bias, spelt[: len(bias)], folder)
    counted = {name: arrays.pop(name) for name in ("words", "frequencies", "total")}
    index = NameIndex(arrays) if arrays else None
    return ModelCache(rows, index, DocumentFrequencies(counted))


def _listed(folder: Path) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = json.loads((folder / _LIST).read_text(encoding="utf-8"))
    return found


def _checksum(file: Path) -> int:
    """The checksum of a file, read in pieces: pages that are mapped would count as memory."""
    checksum = 0
    with file.open("rb", buffering=0) as opened:
        while data := opened.read(_READ_BYTES):
            checksum = crc32(data, checksum)
    return checksum


def _form(array: NDArray[np.generic]) -> list[Any]:
    return [array.dtype.str, list(array.shape)]


def _mapped(file: Path, mode: Literal["r", "c"] = "r") -> NDArray[Any]:
    # As an `ndarray`, not a `memmap`: slicing a `memmap` takes microseconds.
    array: NDArray[Any] = np.lib.format.open_memmap(file, mode=mode).view(np.ndarray)
    return array


def _remove_old(newest: Path) -> None:
    """Remove all but the newest entries of the domain."""
    name = re.compile(re.escape(newest.name.rpartition("-")[0]) + r"-[0-9a-f]{24}")
    folders = [folder for folder in newest.parent.iterdir() if name.fullmatch(folder.name)]
    for folder in sorted(folders, key=_age)[_ENTRIES:]:
        shutil.rmtree(folder, ignore_errors=True)


def _age(folder: Path) -> float:
    try:
        return -folder.stat().st_mtime
    except OSError:  # another process has just removed it
        return 0.0
