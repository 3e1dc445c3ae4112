"""Companies of three lists as one: the same ISIN or the same name is the same company."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .entries import ValueRow, aliases, plain, slug, unique
from .issuer_sources import Company, index_members, investpy_companies, sec_companies
from .sources import table

_LEGAL = frozenset(word for (word,) in table("legal_forms"))
_CLASS = re.compile(
    r"[ ,/]+(ser(ies)?\.? [A-E]|pref(erred|erence)?( shares?)?|pfd|adr|ads|gdr|drc|bdr|cedear|"
    r"on|pn[ab]?|unt|vzo( o\.?n\.?)?|vz|inh( o\.?n\.?)?|class [A-D]|cl [A-D]|shs|units?|"
    r"warrants?|rights?|/[A-Z]{2,4}/?|\\[A-Z]{2}\\?|o\.?n\.?|[A-D])$",
    re.IGNORECASE,
)
_SHORT_WORDS = frozenset(
    {"INC", "LTD", "THE", "AND", "FOR", "NEW", "OIL", "GAS", "ONE", "SUN", "BAY", "COM", "AIR"}
)
_FUNDS = re.compile(r"\b(etf|ucits|etn|acquisition corp(oration)?( [ivx]+)?$)\b", re.IGNORECASE)
_HEAD_ISSUERS = 60


@dataclass(slots=True)
class _Merged:
    """One company while its lists are put together."""

    companies: list[Company] = field(default_factory=list)


def issuer_rows() -> list[ValueRow]:
    """Companies, the largest and those in well-known indices first."""
    merged = _merge()
    rows: dict[str, ValueRow] = {}
    for position, company in enumerate(_by_size(merged)):
        name = _name(company.companies)
        if not re.search("[A-Z]", slug(name)):
            continue
        token, shown = unique("ISS_", name, rows, [_symbol(company.companies)])
        given = aliases(shown, _other_names(name, company.companies))
        rows[token] = ValueRow("ISSUER", token, shown, given, head=position < _HEAD_ISSUERS)
    return list(rows.values())


def _merge() -> list[_Merged]:
    """In the order of the SEC's list, then of the indices, then of investpy."""
    by_key: dict[str, _Merged] = {}
    kept: list[_Merged] = []
    members = [company for _, company in index_members()]
    for company in [*sec_companies(), *members, *investpy_companies()]:
        if _FUNDS.search(company.name):
            continue
        keys = list(_identities(company))
        found = next((by_key[key] for key in keys if key in by_key), None)
        if found is None:
            found = _Merged()
            kept.append(found)
        found.companies.append(company)
        for key in keys:
            by_key.setdefault(key, found)
    return kept


def _identities(company: Company) -> Iterator[str]:
    """What says that two listings are of one company: ISIN or CIK, name, US ticker of a member."""
    yield f"{company.source}:{company.identity}"
    name = _key(company.name)
    yield f"name:{name}"
    if company.source == "pytickersymbols" and name.endswith((" group", " holding", " holdings")):
        yield f"name:{name.rpartition(' ')[0]}"
    if company.source == "sec" or (company.source == "pytickersymbols" and company.home):
        yield f"us ticker:{company.symbol}"


def _by_size(merged: list[_Merged]) -> Iterator[_Merged]:
    """Two of the SEC's for one index member from elsewhere; then the rest by turns."""
    members = {company.name for _, company in index_members()}
    us: list[_Merged] = []
    abroad: list[_Merged] = []
    rest: list[_Merged] = []
    for company in merged:
        sources = {listing.source for listing in company.companies}
        in_index = any(listing.name in members for listing in company.companies)
        (us if "sec" in sources else abroad if in_index else rest).append(company)
    head = us[: 2 * len(abroad)]
    yield from _turns(head, abroad, 2)
    tail = us[len(head) :]
    yield from _turns(_spread(rest), tail, max(1, len(rest) // max(1, len(tail))))


def _turns(many: Iterable[_Merged], few: Iterable[_Merged], each: int) -> Iterator[_Merged]:
    others = iter(few)
    for number, company in enumerate(many, 1):
        yield company
        if number % each == 0:
            yield from (other for other in [next(others, None)] if other)
    yield from others


def _spread(companies: list[_Merged]) -> list[_Merged]:
    """investpy lists country by country; here every country's first come first."""
    places: dict[str, int] = {}
    totals: dict[str, int] = {}
    for company in companies:
        country = company.companies[0].identity[:2]
        totals[country] = totals.get(country, 0) + 1
    keyed = []
    for number, company in enumerate(companies):
        country = company.companies[0].identity[:2]
        places[country] = places.get(country, 0) + 1
        keyed.append((places[country] / totals[country], number, company))
    return [company for _, _, company in sorted(keyed, key=lambda item: item[:2])]


def _key(name: str) -> str:
    words = re.findall(r"[a-z0-9]+", re.sub(r"[.']", "", plain(_bare(name))).lower())
    if len(words) > 1 and words[0] == "the":
        words.pop(0)
    while len(words) > 1 and words[-1] in _LEGAL:
        words.pop()
    return " ".join(words)


def _bare(name: str) -> str:
    """The name without a share class at its end."""
    while (shorter := _CLASS.sub("", name)) != name and len(shorter) > 2:
        name = shorter
    return name.strip(" ,.-") if not name.endswith(("Inc.", "Corp.", "Ltd.", "Co.")) else name


def _name(companies: list[Company]) -> str:
    """The name at home as investpy has it, else as an index list has it, else the SEC's."""

    def order(company: Company) -> tuple[bool, int]:
        source = ("investpy", "pytickersymbols", "sec").index(company.source)
        return not company.home, source

    best = min(companies, key=order)
    name = " ".join(_bare(best.name).replace("|", " ").split())
    return _titled(name) if best.source == "sec" or name.isupper() else name


def _titled(name: str) -> str:
    """The SEC writes in capitals: "AMAZON COM INC" is "Amazon Com Inc", "AT&T" stays."""
    if not name.isupper():
        return name
    words = []
    for word in name.split():
        initials = len(word) <= 3 and word not in _SHORT_WORDS
        keep = initials or re.search(r"[&\d.]", word) or not re.search("[AEIOUY]", word)
        words.append(word if keep else word.capitalize())
    return " ".join(words)


def _other_names(name: str, companies: list[Company]) -> list[str]:
    short = _key(name)
    found = [short] if short != name.lower() else []
    ordered = sorted(companies, key=lambda c: (c.source != "sec", not c.home))
    found += list(dict.fromkeys(_tickers(ordered)))[:2]
    known = {short, _key(name), *found}
    for company in companies:
        for other in (company.short_name, company.name):
            if other and _key(other) not in known and len(found) < 5:
                known.add(_key(other))
                found.append(_key(other))
    return found


def _tickers(companies: list[Company]) -> Iterator[str]:
    for company in companies:
        symbol = company.symbol.split("-")[0]
        if company.home and re.fullmatch("[A-Z]{1,6}", symbol):
            yield symbol


def _symbol(companies: list[Company]) -> str:
    return companies[0].symbol or companies[0].identity
