"""Texts that are no queries of a domain: what a parser should abstain on."""

from __future__ import annotations

from pathlib import Path
from typing import Literal


def no_queries(domain: str, split: Literal["train", "test"]) -> tuple[str, ...]:
    """The texts that come with a domain, one a line of its `data`; none if it has no such file."""
    path = Path(__file__).parent / domain / "data" / f"no_queries_{split}.txt"
    if not path.is_file():
        return ()
    return tuple(filter(None, path.read_text(encoding="utf-8").splitlines()))
