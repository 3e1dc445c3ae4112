"""Sectors (GICS), exchanges (ISO 10383), rating scales and the small enums of our own table."""

from __future__ import annotations

import re
import runpy
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from .entries import ValueRow, aliases, slug
from .sources import package_file, split, table

_LEVELS = {2: "sector", 4: "group", 6: "industry", 8: "sub-industry"}
_AGENCIES = {"MOODY": "Moody", "SP_RATING": "SP", "FITCH": "Fitch", "DBRS": "DBRS"}
_SHORT = {"MOODY_SHORT": "Moody", "SP_SHORT": "SP", "FITCH_SHORT": "Fitch", "DBRS_SHORT": "DBRS"}
_NOT_ON_THE_SCALE = {("Moody", "D"), ("Moody", "SD"), ("Fitch", "SD")}
_SPOKEN = {"AAA": "triple a", "AA": "double a", "A": "single a", "BBB": "triple b"} | {
    "BB": "double b", "B": "single b", "CCC": "triple c", "CC": "double c", "C": "single c"
}  # fmt: skip
_CATEGORIES = ("rmkt", "nspd", "mltf", "atss", "othr")
_SMALL_WORDS = {"of", "and", "the", "for", "de", "da", "do", "del", "di", "la", "y", "e", "et"}
_HEAD_EXCHANGES = 40
_ALIASES_OF_COMMON = 4  # a sub-industry with so many is one that people ask for


def sector_rows() -> list[ValueRow]:
    """Sectors, industry groups, industries and sub-industries of GICS 2023."""
    path = package_file("gics", "gics/definitions/d_20230318.py")
    names = {
        code: _tidy(entry["name"])
        for code, entry in runpy.run_path(str(path))["definition"].items()
    }
    words = {code: split(cell) for code, cell in table("sectors")}
    tokens: dict[str, str] = {}
    rows = []
    for code in sorted(names, key=lambda code: (len(code), code)):
        name, level = names[code], _LEVELS[len(code)]
        token = f"SEC_GICS_{slug(name)}"
        shown = name
        if token in tokens.values():
            token, shown = f"{token}_{slug(level)}", f"{name} ({level})"
        tokens[code] = token
        with_and = name.replace("&", "and")
        given = aliases(shown, words.get(code, ()), [name, with_and, f"gics {code}"])
        head = level != "sub-industry" or len(words.get(code, ())) >= _ALIASES_OF_COMMON
        rows.append(ValueRow("SECTOR", token, shown, given, tokens.get(code[:-2], ""), head=head))
    return rows


def _tidy(name: str) -> str:
    return " ".join(re.sub(r"&(?=\w)", "& ", name).split())


def exchange_rows() -> list[ValueRow]:
    """Markets of ISO 10383 that are active; a segment's parent is its operating market."""
    from iso10383 import MIC

    active = {m.value.mic: m.value for m in MIC if m.value.status.name != "expired"}
    above = {mic: _operating(market, active) for mic, market in active.items()}
    known = {mic: (name, split(cell)) for mic, name, cell in table("exchanges")}
    names = {name.lower() for name, _ in known.values()}
    acronyms = {word for _, words in known.values() for word in words}
    rows = []
    for position, mic in enumerate(_exchanges_in_order(active, above, known)):
        title = _title(active[mic].market_name)
        free = title.lower() not in names
        name, words = known.get(mic, (title if free else f"{title} ({mic})", []))
        names |= {title.lower(), name.lower()}
        acronym = str(active[mic].acronym or "").lower()
        official = [title] if free else []
        given = aliases(name, words, [mic], {acronym} - acronyms, official)
        parent = f"EXC_{above[mic]}" if above[mic] else ""
        head = position < _HEAD_EXCHANGES
        rows.append(ValueRow("EXCHANGE", f"EXC_{mic}", name, given, parent, head=head))
    return rows


def _exchanges_in_order(
    active: dict[str, Any], above: dict[str, str], known: Iterable[str]
) -> Iterable[str]:
    """The well-known ones, then regulated markets and the like; operating markets first."""

    def order(mic: str) -> tuple[bool, int, str]:
        category = active[mic].market_category_code.name
        place = _CATEGORIES.index(category) if category in _CATEGORIES else len(_CATEGORIES)
        return bool(above[mic]), place, mic

    first = [mic for well_known in known for mic in (above[well_known], well_known) if mic]
    return dict.fromkeys([*first, *sorted(active, key=order)])


def _operating(market: Any, active: dict[str, Any]) -> str:
    above = market.operating_mic.mic if market.operating_mic else ""
    return above if above in active and above != market.mic else ""


def _title(name: str) -> str:
    """ISO 10383 writes in capitals: "BOERSE BERLIN" is "Boerse Berlin", "NYSE" stays."""
    words = []
    for number, word in enumerate(name.split()):
        low = word.lower().strip("(),.-")
        if number and low in _SMALL_WORDS:
            words.append(word.lower())
        elif len(low) <= 3 or not re.search(r"[aeiouyäöü]", low) or re.search(r"[.&\d]", low):
            words.append(word)
        else:
            words.append("-".join(part.capitalize() for part in word.split("-")))
    return re.sub(r"\((\w)", lambda m: "(" + m[1].upper(), " ".join(words))


def rating_rows() -> list[ValueRow]:
    """Long-term and short-term scales of four agencies, best first."""
    store = sqlite3.connect(package_file("pyratings", "pyratings/resources/Ratings.db"))
    prefixes = {name: prefix for name, prefix, *_ in table("value_types")}
    rows = []
    for type_, agency in _AGENCIES.items():
        query = "SELECT Rating, RatingScore FROM v_ltRatings WHERE RatingProvider = ? ORDER BY 2, 1"
        for rating, rank in store.execute(query, (agency,)):
            if (agency, rating) not in _NOT_ON_THE_SCALE:
                rows.append(_rating(type_, prefixes[type_], rating, rank))
    for type_, agency in _SHORT.items():
        query = (
            "SELECT Rating FROM v_stRatings WHERE RatingProvider = ?"
            " GROUP BY Rating ORDER BY avg(AvgEquivLTScore), Rating"
        )
        for rank, (rating,) in enumerate(store.execute(query, (agency,)), 1):
            rows.append(_rating(type_, prefixes[type_], rating, rank))
    return rows


def _rating(type_: str, prefix: str, rating: str, rank: int) -> ValueRow:
    if type_.startswith("DBRS"):
        notches = {"H": " (high)", "M": " (mid)", "L": " (low)"}
        rating = re.sub(r"[HML]$", lambda m: notches[m[0]], rating)
    marks = {"+": "_PLUS", "-": "_MINUS"}
    stem = rating.rstrip("+-")
    ending = "" if stem == rating else marks[rating[-1]]
    agency = type_.removesuffix("_SHORT").removesuffix("_RATING").lower().replace("sp", "s&p")
    spoken = _SPOKEN.get(stem.partition(" ")[0].upper())
    tail = rating[len(stem.partition(" ")[0]) :]
    words = []
    if spoken and not type_.endswith("_SHORT"):
        words.append((spoken + {"+": " plus", "-": " minus"}.get(tail, tail)).strip())
    words += [f"{agency} {rating}", f"rated {rating}"]
    token = f"{prefix}{slug(stem)}{ending}"
    return ValueRow(type_, token, rating, aliases(rating, words), rank=rank, head=True)


def small_enum_rows() -> Iterator[ValueRow]:
    """Size classes, recommendations, styles and the like."""
    prefixes = {name: prefix for name, prefix, *_ in table("value_types")}
    for type_, token, rank, name, words in table("small_enums"):
        yield ValueRow(
            *(type_, f"{prefixes[type_]}{token}", name, aliases(name, split(words))),
            rank=int(rank) if rank else None,
            head=True,
        )
