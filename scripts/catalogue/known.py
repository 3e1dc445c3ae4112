"""Companies in the order of how well known they are: the sizes of the market's equities correct it.

The lists of companies say little of the size of those outside America. `data/equities.tsv.gz` has
the size class of 2,900 companies. A company of a class comes after no more companies than the class
allows, as far as the companies of larger classes leave room; apart from that the order stays as it
is. Ordering twice changes nothing.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

EQUITIES = Path(__file__).parents[2] / "src/grammax/domains/eqs/data/equities.tsv.gz"

_LATEST = {"SIZ_MEGA_CAP": 100, "SIZ_LARGE_CAP": 1_500, "SIZ_MID_CAP": 4_500}
"""The latest place of a company of a size class."""
_IN_INDEX = {"SIZ_LARGE_CAP": 800, "SIZ_MID_CAP": 3_000}
"""The same for a member of a well-known index."""
_TWINS = {
    "ISS_UBS_AG": 150,
    **dict.fromkeys(("ISS_HONDA_MOTOR_CO", "ISS_ISUZU_MOTORS_LTD", "ISS_MAZDA_MOTOR_CORP"), 500),
    "ISS_NISSAN_MOTOR_CO_LTD": 500,
}
"""The same for companies of the market that another entry is called by the short name of."""
_ISSUER, _INDICES, _SIZE = 2, 8, 9  # columns


def known_first(lines: Iterable[str]) -> list[str]:
    """The lines of a catalogue, with companies in order of how well known they are."""
    found = list(lines)
    slots = [number for number, line in enumerate(found) if line.startswith("ISSUER\t")]
    latest = latest_places(gzip.decompress(EQUITIES.read_bytes()).decode().splitlines()[1:])
    latest |= _TWINS
    before: list[str] = []
    issuers = [found[number] for number in slots]
    while issuers != before:
        before, issuers = issuers, _moved_up(issuers, latest)
    for number, line in zip(slots, issuers, strict=True):
        found[number] = line
    return found


def _moved_up(issuers: list[str], latest: dict[str, int]) -> list[str]:
    """One round: those that come too late are moved up, which moves others down."""
    places = {
        line: (min(place, latest.get(line.split("\t", 2)[1], place)), place)
        for place, line in enumerate(issuers)
    }
    return sorted(issuers, key=places.__getitem__)


def latest_places(equities: Iterable[str]) -> dict[str, int]:
    """For the token of each company of known size, its latest place.

    >>> row = ["T", "Toyota", "ISS_TOYOTA", "", "", "", "", "", "IDX_TOPIX", "SIZ_LARGE_CAP"]
    >>> latest_places(["\\t".join(row)])
    {'ISS_TOYOTA': 800}
    """
    found: dict[str, int] = {}
    for line in equities:
        columns = line.split("\t")
        token, size = columns[_ISSUER], columns[_SIZE]
        place = (_IN_INDEX if columns[_INDICES] else _LATEST).get(size, _LATEST.get(size))
        if token and place is not None:
            found[token] = min(place, found.get(token, place))
    return found
