"""Names of the fixed tokens: months, quarters, denominations, units of time."""

from __future__ import annotations

from typing import Final

from grammax.tables.lexicon import MONTH_NAMES

_ORDINALS: Final = ("first", "second", "third", "fourth")

FIXED_WORDINGS: Final[dict[str, tuple[str, ...]]] = {
    **{month[:3].upper(): (month, month[:3]) for month in MONTH_NAMES},
    **{
        f"Q{number}": (f"q{number}", f"{number}q", f"{ordinal} quarter")
        for number, ordinal in enumerate(_ORDINALS, 1)
    },
    "THOUSAND": ("thousand", "k"),
    "MILLION": ("million", "millions", "m", "mn", "mm", "mln", "mio"),
    "BILLION": ("billion", "billions", "b", "bn", "bln"),
    "TRILLION": ("trillion", "trillions", "t", "tn", "trn"),
    "PCT": ("percent", "per cent", "%", "pct"),
    "BPS": ("basis points", "basis point", "bp", "bps"),
    "DAY": ("day", "days"),
    "WEEK": ("week", "weeks"),
    "MONTH": ("month", "months"),
    "QUARTER": ("quarter", "quarters"),
    "YEAR": ("year", "years"),
}
