"""Three tables without history, as different as can be: hotels, students, orders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.schema import Entity, EnumType, NumberType, Schema

_NUMBERS = {
    "MONEY": NumberType("MONEY", denominations=True, semantic="MONEY"),
    "COUNT": NumberType("COUNT", denominations=True, semantic="COUNT"),
    "RATING": NumberType("RATING", semantic="RATING"),
    "RANK": NumberType("RANK", semantic="RANK"),
    "PERCENT": NumberType("PERCENT", percentages=True, semantic="PERCENT"),
    "RATIO": NumberType("RATIO", semantic="RATIO"),
    "DURATION": NumberType("DURATION", unit="minutes", semantic="DURATION"),
    "AGE": NumberType("AGE", semantic="AGE"),
    "YEAR": NumberType("YEAR", semantic="YEAR"),
    "PHYSICAL": NumberType("PHYSICAL", semantic="PHYSICAL"),
    "NUMBER": NumberType("NUMBER", semantic="NUMBER"),
    "DATE": NumberType("DATE", dates=True, semantic="DATE"),
}
_OPEN = ("NAME", "PERSON")


def table(
    entity: tuple[str, str],
    columns: Mapping[str, tuple[str, Iterable[str]]],
    measure: str | None = None,
) -> Catalogue:
    """A catalogue of columns, given by name with their class and, for named values, the values."""
    enums: list[EnumType] = []
    numbers: dict[str, NumberType] = {}
    fields: list[Field] = []
    values: list[Value] = []
    for number, (name, (semantic, named)) in enumerate(columns.items()):
        token = f"FLD_{_token(name, number)}"
        if semantic in _NUMBERS:
            numbers[semantic] = _NUMBERS[semantic]
            fields.append(Field(token, semantic, name))
            continue
        type_ = f"T{number}_{_token(name, number)}"
        prefix = f"V{number}_"
        place, is_open = semantic == "PLACE", semantic in _OPEN
        enums.append(
            EnumType(type_, prefix, name.lower(), open=is_open, place=place, semantic=semantic)
        )
        fields.append(Field(token, type_, name))
        for index, value in enumerate(named):
            values.append(Value(f"{prefix}{_token(value, index)}_{index}", type_, value))
    schema = Schema(
        entity[1], Entity(*entity), tuple(enums), tuple(numbers.values()),
        measure=measure, history=False,
    )  # fmt: skip
    return Catalogue.from_entries(schema, fields, values)


def _token(name: str, number: int) -> str:
    plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in name.upper()).strip("_")
    return plain or f"N{number}"


def hotels() -> Catalogue:
    return table(
        ("hotel", "hotels"),
        {
            "Name": ("NAME", ("Hotel Adlon", "The Ritz", "Grand Plaza", "Sea View Inn", "Motel 6")),
            "City": ("PLACE", ("Paris", "Berlin", "Rome", "New York", "San Sebastián")),
            "Type": ("CATEGORY", ("resort", "hostel", "boutique", "business")),
            "Price per night": ("MONEY", ()),
            "Stars": ("RATING", ()),
            "Rooms": ("COUNT", ()),
            "Pets allowed": ("BOOLEAN", ("yes", "no")),
            "Parking": ("BOOLEAN", ("yes", "no")),
            "Year built": ("YEAR", ()),
            "Distance to centre": ("PHYSICAL", ()),
        },
    )


def students() -> Catalogue:
    return table(
        ("student", "students"),
        {
            "Name": ("NAME", ("Anna Schmidt", "Will Young", "Mary Jones", "Tom Okafor")),
            "Gender": ("CATEGORY", ("female", "male")),
            "Age": ("AGE", ()),
            "Major": ("CATEGORY", ("Physics", "History", "Computer Science", "Art")),
            "GPA": ("RATING", ()),
            "Hometown": ("PLACE", ("Boston", "Leeds", "Nairobi")),
            "Advisor": ("PERSON", ("Dr. Wu", "Prof. Lang", "Dr. Brown")),
            "Height": ("PHYSICAL", ()),
            "Student ID": ("CODE", ("S-1001", "S-1002", "S-1003")),
            "Attendance": ("PERCENT", ()),
        },
    )


def orders() -> Catalogue:
    return table(
        ("order", "orders"),
        {
            "Order ID": ("CODE", ("10248", "10249", "10250")),
            "Customer": ("PERSON", ("Alfreds Futterkiste", "Around the Horn", "Hanari Carnes")),
            "Order date": ("DATE", ()),
            "Shipped date": ("DATE", ()),
            "Amount": ("MONEY", ()),
            "Freight": ("MONEY", ()),
            "Quantity": ("COUNT", ()),
            "Discount": ("PERCENT", ()),
            "Ship country": ("PLACE", ("Germany", "Brazil", "USA", "France")),
            "Status": ("CATEGORY", ("shipped", "pending", "cancelled")),
            "Shipper": ("ORGANISATION", ("Speedy Express", "United Package")),
        },
        measure="FLD_AMOUNT",
    )
