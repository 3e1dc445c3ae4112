"""How many of many variants are tried: all with `HYPOTHESIS_PROFILE=thorough`, else some."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final, TypeVar

V = TypeVar("V")

THOROUGH: Final = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def some(variants: Iterable[V], every: int) -> list[V]:
    """Every third variant, for instance; all of them in a thorough run."""
    return list(variants)[:: 1 if THOROUGH else every]
