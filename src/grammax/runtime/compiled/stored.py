"""Whether compiled code is stored, and intact: damaged machine code would end the process.

When code was compiled, the checksums of its files are written to a mark beside them. Numba adds
files later, for other types, and those are not listed. Its indices change then; of these it is
only checked that they can be read, and Numba compiles what they do not find.
"""

from __future__ import annotations

import json
import logging
import pickle
import shutil
from pathlib import Path
from typing import Final
from zlib import crc32

from grammax.files import locked, write_atomic

_CODE: Final = "*/*.nbc"
_INDICES: Final = "*/*.nbi"
_KEPT: Final = 3  # folders of other versions of the code, with this one
_LOGGER: Final = logging.getLogger("grammax.cache")


def write_mark(mark: Path) -> None:
    """Note that code was compiled, with its checksums; remove the code of old versions."""
    sums = {
        f"{path.parent.name}/{path.name}": crc32(path.read_bytes())
        for path in mark.parent.glob(_CODE)
    }
    write_atomic(mark, json.dumps(sums).encode())
    versions = [path for path in mark.parent.parent.iterdir() if path.is_dir()]
    for old in sorted(versions, key=lambda path: path.stat().st_mtime)[:-_KEPT]:
        if old != mark.parent:
            shutil.rmtree(old, ignore_errors=True)


def is_stored(mark: Path) -> bool:
    """Whether a mark's code is there as it was written; else what there is of it is removed."""
    if not mark.exists():
        return False
    if _damage(mark) is None:
        return True
    with locked(mark):
        damage = _damage(mark)  # another process may have compiled it again meanwhile
        if damage is None:
            return True
        folder = mark.parent
        _LOGGER.warning("The code in %s is damaged and is compiled again: %s", folder, damage)
        mark.unlink(missing_ok=True)
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
        return False


def _damage(mark: Path) -> Exception | None:
    """What is wrong with the code of a mark."""
    folder = mark.parent
    try:
        for name, checksum in json.loads(mark.read_bytes()).items():
            if crc32((folder / name).read_bytes()) != checksum:
                raise ValueError(f"{name} is not what was written")
        for path in folder.glob(_INDICES):
            _read_index(path)
    except Exception as error:  # unpickling raises all sorts
        return error
    return None


def _read_index(path: Path) -> None:
    """Read an index as Numba does."""
    with path.open("rb") as file:
        pickle.load(file)  # the version of Numba
        pickle.loads(file.read())
