"""`compiled`: compiles a function with Numba on its first call.

Compiled code is stored in the cache folder and releases the GIL. Numba notices when the file of a
function changes, but not when a function that it calls changes; so the folder is named after the
content of all files of this package.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from llvmlite.binding import get_host_cpu_features
from numba import config, njit

from grammax.files import CacheError, cache_folder

Function = TypeVar("Function", bound=Callable[..., Any])

# Sums may be reordered, but NaN and infinities are as in NumPy.
_FAST_MATH: Final = {"reassoc", "contract", "nsz", "arcp", "afn"}


def compiled(function: Function) -> Function:
    """Compile a function on its first call for the given types; the code is stored on disk."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": _FAST_MATH}
    before, config.CACHE_DIR = config.CACHE_DIR, _FOLDER
    try:
        return cast("Function", njit(cache=bool(_FOLDER), **options)(function))
    finally:
        config.CACHE_DIR = before


def converts_half_precision() -> bool:
    """Whether the processor converts half precision: x86 since 2012, and ARM with 64 bits."""
    return _has("f16c") or _has("neon")


def multiplies_bytes() -> bool:
    """Whether the processor multiplies eight bits fast: x86 since 2013."""
    return _has("avx2")


def _has(feature: str) -> bool:
    try:
        return bool(get_host_cpu_features().get(feature))
    except RuntimeError:  # some processors are unknown to LLVM
        return False


def _folder() -> str:
    """The folder of compiled code; empty if no folder can be written to."""
    digest = blake2b(digest_size=12)
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    try:
        return str(cache_folder() / "compiled" / digest.hexdigest())
    except CacheError:
        return ""


_FOLDER: Final = _folder()
