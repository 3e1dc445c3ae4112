"""`compiled`: compiles a function with Numba on its first call.

Compiled code is stored in the cache folder and releases the GIL. Numba notices when the file of a
function changes, but not when a function that it calls changes; so the folder is named after the
content of all modules with such functions.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from platform import python_version
from typing import Any, Final, TypeVar, cast

from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba import __version__ as numba_version
from numba import config as numba_config
from numba import njit, typeof

from grammax.files import CacheError, cache_folder

Function = TypeVar("Function", bound=Callable[..., Any])

# The modules with compiled functions, and what these depend on.
MODULES: Final = (
    "arithmetic", "batch", "beam", "compile", "greedy", "grounding", "inputs", "intrinsics",
    "members", "network", "../grounding", "../states",
)  # fmt: skip

# Sums may be reordered, but NaN and infinities are as in NumPy.
_FAST_MATH: Final = {"reassoc", "contract", "nsz", "arcp", "afn"}


def compiled(function: Function) -> Function:
    """Compile a function that compiled functions call; Python cannot call it."""
    return _compiled(function, no_cpython_wrapper=True)


def callable_from_python(function: Function) -> Function:
    """Compile a function that Python calls, which takes longer: its arguments are unpacked."""
    return _compiled(function)


def _compiled(function: Function, **options: Any) -> Function:
    options |= {"nogil": True, "error_model": "numpy", "fastmath": _FAST_MATH}
    compiler: Any = njit
    config: Any = numba_config
    before, config.CACHE_DIR = config.CACHE_DIR, _FOLDER
    try:
        made = compiler(cache=bool(_FOLDER), no_cfunc_wrapper=True, **options)(function)
        return cast("Function", made)
    finally:
        config.CACHE_DIR = before


def for_types_of(function: Callable[..., Any], *given: Any) -> Callable[..., Any]:
    """The compiled code of a function for arguments of these types, and no others.

    Numba otherwise looks at the type of each array at each call, which takes three times as long as
    unpacking them.
    """
    dispatcher: Any = function
    entry: Callable[..., Any] = dispatcher.compile(tuple(map(typeof, given)))
    return entry


def stored_mark(types: str) -> Path | None:
    """The file that says that code for these types is stored; None if there is no folder."""
    version = f"{python_version()}-{numba_version}-{get_host_cpu_name()}"
    return Path(_FOLDER, f"{types}-{version}.stored") if _FOLDER else None


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
    for name in MODULES:
        digest.update(Path(__file__).parent.joinpath(f"{name}.py").read_bytes())
    try:
        return str(cache_folder() / "compiled" / digest.hexdigest())
    except CacheError:
        return ""


_FOLDER: Final = _folder()
