"""Memory of what was replaced, given back to the system.

What is replaced has cycles, which the collector of Python finds late: its objects are few and
their arrays large. The C library then keeps the pages for itself.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from functools import cache
from typing import Any


def release_memory() -> None:
    """Collect garbage, and give free pages back where the C library can."""
    gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    """glibc's `malloc_trim`; other libraries give pages back by themselves, or cannot."""
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None), "malloc_trim", None)


@cache
def freeze_imported(what: str) -> None:
    """Exempt from collections what was imported with `what`, once, as it stays alive.

    A hundred thousand objects of modules would make each complete collection a pause of 60 ms.
    """
    del what
    gc.collect()
    gc.freeze()
