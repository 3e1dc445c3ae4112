"""Units of measures: how columns and people call them, and how one is converted to another.

A number with a unit is a number of the column's own unit: "2 hours" of a column in minutes is 120.

>>> converted("2", "hours", "minutes"), converted("6", "feet", "cm"), converted("5", "kg", "km")
('120', '182.88', None)
>>> converted("90", "m", "minutes"), converted("8500", "m", "m")
('90', '8500')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple, final

from grammax.tables.semantics import SemanticClass

_C = SemanticClass
MONEY: Final = "money"


class Unit(NamedTuple):
    """A unit: what it measures, its size in the base unit, and the zero of its scale in it."""

    dimension: str
    size: Fraction
    zero: Fraction
    names: tuple[str, ...]  # what columns call it
    said: tuple[str, ...]  # what only people call it

    @property
    def semantic(self) -> SemanticClass:
        """The class of a column with this unit."""
        return _CLASSES.get(self.dimension, _C.PHYSICAL)


_CLASSES: Final = {"percent": _C.PERCENT, MONEY: _C.MONEY, "time": _C.DURATION}
_INCH: Final = "0.0254"
_POUND: Final = "0.45359237"
_LINES: Final = f"""
%             percent      1          % pct percent percentage
USD           money        1          usd $ dollar dollars us$             | bucks us_dollars
EUR           money        1          eur € euro euros
GBP           money        1          gbp £ pound sterling                 | pounds quid
JPY           money        1          jpy ¥ yen
INR           money        1          inr ₹ rupee rupees
CHF           money        1          chf franc francs
CNY           money        1          cny yuan rmb
milliseconds  time         1/1000     ms msec millis millisecond milliseconds
seconds       time         1          sec secs second seconds              | s
minutes       time         60         min mins minute minutes              | m
hours         time         3600       hr hrs hour hours                    | h
days          time         86400      days                                 | day
weeks         time         604800     weeks                                | week wk wks
months        time         2628000    months                               | month mos mths
years         time         31536000   yrs years                            | year yr
kg            mass         1          kg kgs kilogram kilograms kilo kilos
g             mass         1/1000     g gram grams gr
mg            mass         1/1000000  mg milligram milligrams
lb            mass         {_POUND}   lb lbs pounds                        | pound
oz            mass         {_POUND}/16  oz ounce ounces
tonnes        mass         1000       tonne tonnes tons ton                | t metric_tons
mm            length       1/1000     mm millimeter millimeters millimetre millimetres
cm            length       1/100      cm centimeter centimeters centimetre centimetres | cms
m             length       1          m meter meters metre metres          | mtr mtrs
km            length       1000       km kms kilometer kilometers kilometre kilometres
miles         length       {_INCH}*63360  mi mile miles
yards         length       {_INCH}*36  yd yds yards                        | yard
ft            length       {_INCH}*12  ft foot feet
inches        length       {_INCH}    in inch inches                       | "
m²            area         1          m2 sqm m²                            | m_2 sq_m square_meters square_metres square_meter square_metre
km²           area         1000000    km2 sqkm km²                         | km_2 sq_km square_kilometers square_kilometres
sq ft         area         {_INCH}*{_INCH}*144  sqft ft2 ft²               | sq_ft square_feet square_foot
sq mi         area         {_INCH}*{_INCH}*63360*63360  sqmi mi2           | sq_mi square_miles
ha            area         10000      ha hectare hectares
acres         area         {_INCH}*{_INCH}*6272640  acre acres
l             volume       1          l liter liters litre litres
ml            volume       1/1000     ml milliliter milliliters millilitre millilitres
cc            volume       1/1000     cc                                   | cubic_centimeters cubic_centimetres
gallons       volume       3.785411784  gal gallon gallons
km/h          speed        1          kmh kph km/h                         | km_/_h kilometers_per_hour kilometres_per_hour
mph           speed        1.609344   mph                                  | miles_per_hour
m/s           speed        3.6        m/s mps                              | m_/_s meters_per_second metres_per_second
knots         speed        1.852      kn knots                             | knot
mpg           economy      1          mpg                                  | miles_per_gallon
hp            power        745.7      hp bhp ps                            | horsepower
kW            power        1000       kw kilowatt kilowatts
W             power        1          w watt watts
MW            power        1000000    mw megawatt megawatts
kWh           energy       3600       kwh                                  | kilowatt_hours
kcal          energy       4.184      kcal                                 | calories cals cal calorie
kJ            energy       1          kj kilojoules
V             voltage      1          v volt volts
°C            temperature  9/5        c celsius °c degc                    | °_c degrees_celsius degrees_c
°F            temperature  1          f fahrenheit °f degf                 | °_f degrees_fahrenheit degrees_f
bytes         data         1          bytes byte
kB            data         1024       kb kilobyte kilobytes                | kilo_bytes
MB            data         1048576    mb megabyte megabytes                | megs
GB            data         1073741824  gb gigabyte gigabytes               | gigs
TB            data         1099511627776  tb terabyte terabytes
bpm           tempo        1          bpm                                  | beats_per_minute
hPa           pressure     1          hpa mbar
"""  # noqa: E501
"""Unit, what it measures, its size, what columns call it, and after "|" what only people do.

A month is a twelfth of a year of 365 days; a kB has 1024 bytes, as memory is counted.
"""
_LARGER: Final = {
    "milliseconds": ("seconds", 1000), "seconds": ("minutes", 60), "minutes": ("hours", 60),
}  # fmt: skip
_ZEROS: Final = {"°C": Fraction(32)}  # of the scale, in the base unit


def _size(text: str) -> Fraction:
    found = Fraction(1)
    for factor in text.split("*"):
        above, _, below = factor.partition("/")
        found *= Fraction(above) / Fraction(below or "1")
    return found


def _units() -> Iterator[tuple[str, Unit]]:
    for line in _LINES.strip().splitlines():
        columns, _, said = line.partition("|")
        unit = columns[:14].strip()
        dimension, size, *names = columns[14:].split()
        people = tuple(name.replace("_", " ") for name in said.split())
        yield (
            unit,
            Unit(dimension, _size(size), _ZEROS.get(unit, Fraction(0)), tuple(names), people),
        )


UNITS: Final[Mapping[str, Unit]] = dict(_units())
"""The units that are known, by the name that columns are described with."""

BY_NAME: Final[Mapping[str, str]] = {
    name: unit for unit, known in UNITS.items() for name in known.names
}
"""The units by what columns call them."""


def _said() -> dict[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for unit, known in UNITS.items():
        if known.dimension == "percent":
            continue
        for name in dict.fromkeys((*known.names, *known.said)):
            if name != "in":  # "over 5 in london"
                found.setdefault(tuple(name.split()), []).append(unit)
    found[("°",)] = found[("degrees",)] = found[("degree",)] = ["°C", "°F"]
    return {words: tuple(units) for words, units in found.items()}


SAID: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = _said()
"""The units that people may mean by some words, such as "pounds"."""

LONGEST: Final = max(map(len, SAID))
STARTS: Final = frozenset(words[0] for words in SAID)
_SAME: Final = frozenset(("°", "degrees", "degree"))  # whatever unit the column has


def unit_named(name: str) -> str:
    """The unit of a column's description, as written there or by another name; or empty."""
    return name if name in UNITS else BY_NAME.get(name.strip().lower(), "")


def dimension_of(unit: str) -> str:
    """What a unit measures; empty if it is not known."""
    known = UNITS.get(unit_named(unit))
    return "" if known is None else known.dimension


def names_of(unit: str) -> Iterator[str]:
    """The words for all units that measure the same, without single letters."""
    dimension = dimension_of(unit)
    for words, units in SAID.items():
        if dimension and any(UNITS[each].dimension == dimension for each in units):
            name = " ".join(words)
            if len(name) > 1 and name[0].isalpha():
                yield name


def in_larger_unit(digits: str, unit: str) -> str:
    """A long duration in the unit that people say, if that is short; or empty.

    >>> in_larger_unit("150", "minutes"), in_larger_unit("90", "minutes"), in_larger_unit("9", "kg")
    ('2.5 hours', '1.5 hours', '')
    """
    larger, size = _LARGER.get(unit, ("", 1))
    try:
        value = Fraction(digits) / size
    except ValueError:
        return ""
    if not larger or value < 1 or (value * 2).denominator != 1:
        return ""
    return f"{_written(value)} {larger.removesuffix('s') if value == 1 else larger}"


def converted(digits: str, said: str, unit: str) -> str | None:
    """A number of what people call a unit, in the unit of a column; None if that measures
    something else.

    Money is not converted from one currency to another.
    """
    of, column = SAID.get(tuple(said.split()), ()), unit_named(unit)
    if column in of or (said in _SAME and column in SAID[(said,)]):
        return digits
    into = UNITS[column] if column else None
    from_ = next((UNITS[each] for each in of if into and UNITS[each].dimension == into.dimension),
                 None)  # fmt: skip
    if into is None or from_ is None or into.dimension == MONEY:
        return None
    value = Fraction(digits) * from_.size + from_.zero
    return _written((value - into.zero) / into.size)


def _written(value: Fraction) -> str:
    """Four digits after the point or, of a small number, four that are not zero."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    places = max(4, 3 - exact.adjusted()) if exact else 0
    text = format(round(exact, places), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


@final
@dataclass(frozen=True, slots=True)
class ColumnUnit:
    """What a column is measured in; `takes` are units that it may have where it has none.

    `unit` is one of `UNITS`, or empty. A column of weights without a unit may have any; one of
    money may have a currency, one of ratings none.
    """

    unit: str = ""
    takes: frozenset[str] | None = frozenset()  # dimensions; None: all

    def number(self, digits: str, said: str) -> str | None:
        """The number that such a column is compared with; None if the unit does not fit."""
        if self.unit:
            return converted(digits, said, self.unit)
        units = SAID.get(tuple(said.split()), ())
        fits = self.takes is None or any(UNITS[each].dimension in self.takes for each in units)
        return digits if fits else None
