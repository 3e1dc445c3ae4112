"""Memory of what was replaced, given back to the system.

What is replaced has cycles, which the collector of Python finds late: its objects are few and
their arrays large. The C library then keeps the pages for itself. As arrays of other sizes come and
go, gaps between them would grow with each change, so large arrays have pages of their own.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from functools import cache
from typing import Any, Final

_MMAP_THRESHOLD: Final = -3  # `M_MMAP_THRESHOLD` of <malloc.h>
_LARGE: Final = 2**20  # bytes


def keep_large_arrays_apart() -> None:
    """Have arrays of a megabyte and more given back as soon as they are freed."""
    set_option = _of_glibc("mallopt")
    if set_option is not None:
        set_option(_MMAP_THRESHOLD, _LARGE)


def release_memory() -> None:
    """Collect garbage, and give free pages back where the C library can."""
    gc.collect()
    trim = _of_glibc("malloc_trim")
    if trim is not None:
        trim(0)


@cache
def _of_glibc(function: str) -> Any:
    """A function of glibc; other libraries give pages back by themselves, or cannot."""
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None), function, None)


@cache
def freeze_imported(what: str) -> None:
    """Exempt from collections what was imported with `what`, once, as it stays alive.

    A hundred thousand objects of modules would make each complete collection a pause of 60 ms.
    """
    del what
    gc.collect()
    gc.freeze()
