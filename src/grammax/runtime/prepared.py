"""What is made once of a model and a domain, and kept: the output layer, and where names are found.

Both follow from the checkpoint and the vocabulary, and take seconds to make. They are kept in the
cache folder as plain arrays, are mapped into memory when they are asked for again, and are shared
by all processes. Without a folder to keep them in they are made each time.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammax.cache import CacheError, CacheNotice, cache_folder
from grammax.domain import Domain
from grammax.model.name_index import NameIndex
from grammax.runtime.recurrence import Array

_FORMAT: Final = 1  # raised whenever other arrays are made of the same checkpoint
_KEPT: Final = 3  # of a domain, the newest
_LIST: Final = "arrays.json"  # names, types and shapes


class Prepared(NamedTuple):
    """All of a model that is as large as its vocabulary."""

    rows: Array  # (V + 1, d), in kind order
    bias: Array  # (V + 1)
    spelt: Array  # (V + 1, s): the last columns of `rows`, side by side
    names: NameIndex | None  # none where the model looks for none


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
    del arrays["names"]
    if found.names is not None:
        arrays |= found.names.arrays
    scratch = Path(tempfile.mkdtemp(prefix=".", dir=folder.parent))
    try:
        for name, array in arrays.items():
            np.save(scratch / f"{name}.npy", array, allow_pickle=False)
        listed = {name: _form(array) for name, array in arrays.items()}
        (scratch / _LIST).write_text(json.dumps(listed), encoding="utf-8")
        scratch.chmod(0o755)  # others may read it, if the cache folder is theirs too
        scratch.rename(folder)
    except OSError:
        if not folder.is_dir():  # if it is, another process was faster
            raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    _forget(folder)


def _read(folder: Path) -> Prepared:
    listed = json.loads((folder / _LIST).read_text(encoding="utf-8"))
    arrays: dict[str, Any] = {name: _mapped(folder / f"{name}.npy") for name in listed}
    if listed != {name: _form(array) for name, array in arrays.items()}:
        raise ValueError(f"the arrays in {folder} are not those that were written")
    rows, bias, spelt = (arrays.pop(name) for name in ("rows", "bias", "spelt"))
    return Prepared(rows, bias, spelt, NameIndex(arrays) if arrays else None)


def _form(array: NDArray[np.generic]) -> list[Any]:
    return [array.dtype.str, list(array.shape)]


def _mapped(file: Path) -> NDArray[np.generic]:
    # As an array and no `memmap`: a slice of those takes microseconds.
    array: NDArray[np.generic] = np.lib.format.open_memmap(file, mode="r").view(np.ndarray)
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
