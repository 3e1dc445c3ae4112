"""`FilledKind`: a kind whose tokens are taken from the query, as `[filled]` in the settings says.

| it is filled by | for example | tokens |
|---|---|---|
| `number`, `integer` | "over 2.5 million", "twenty" | 2500000, 20 |
| `date` | "June 5, 2019", "in 2019" | 2019-06-05, 2019 |
| `quoted` | "called 'Blue Moon'" | Blue Moon |
| `word` | "user jane_doe" | jane_doe |
| `text` | some words of the query, one after the other | as they were typed |
| `name` | names of the tokens of a table | tokens of the table that the query names |

How a token is written is said by `case`, `spaces` and `written`: with `case = "lower"`,
`spaces = "_"` and `written = "'{}'"` the words "Blue Moon" are the token 'blue_moon'. With
`case = "any"` they are as typed, and forms that differ in capitals alone are the same.

A kind may have a list, too: with `listed = "first"` a token of a pair is the listed one if there is
one, with "last" only if the query does not mention it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, Self, final, get_args

Fill = Literal["number", "integer", "date", "quoted", "word", "text", "name"]
Case = Literal["typed", "lower", "upper", "any"]
Listed = Literal["no", "first", "last"]

FILLS: Final[tuple[Fill, ...]] = get_args(Fill)
CASES: Final[tuple[Case, ...]] = get_args(Case)
LISTED: Final[tuple[Listed, ...]] = get_args(Listed)
TEXTS: Final = frozenset(("quoted", "word", "text"))  # what has letters and spaces
PLACE: Final = "{}"  # in `written`
FIRST, LAST = ":first", ":last"  # after the name of a kind: its first and its last word
OPEN: Final = ":open"  # after the name of a kind that has a list, too

_SHAPES: Final = {
    "number": re.compile(r"-?\d+(?:\.\d+)?"),
    "integer": re.compile(r"-?\d+"),
    "date": re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?"),
}
_SPACES: Final = re.compile(r"\s+")


class NotAFill(ValueError):
    """A setting that does not say how a kind is filled."""


@final
@dataclass(frozen=True, slots=True)
class FilledKind:
    """How the tokens of a kind are read from a query, and written.

    >>> name = FilledKind("NAME", "text", case="lower", spaces="_", written="'{}'")
    >>> name.token("Blue  Moon"), name.text("'blue_moon'")
    ("'blue_moon'", 'blue moon')
    >>> FilledKind("AGE", "integer").text("twenty") is None
    True
    >>> print(name.to_setting())
    { fill = "text", case = "lower", spaces = "_", written = "'{}'" }
    """

    kind: str
    fill: Fill
    case: Case = "typed"
    spaces: str = " "
    written: str = PLACE
    listed: Listed = "no"

    def to_setting(self) -> str:
        """What stands in `[filled]` for the kind, as TOML: `fill`, and what is not the default."""
        shown = (field for field in fields(self) if field.name != "kind")
        given = ((field.name, getattr(self, field.name), field.default) for field in shown)
        parts = [f"{name} = {json.dumps(value)}" for name, value, plain in given if value != plain]
        return f"{{ {', '.join(parts)} }}"

    @classmethod
    def from_setting(cls, kind: str, setting: object) -> Self:
        """A kind by its line of `[filled]`; `NotAFill` says what is wrong with it."""
        given: Mapping[str, Any] = setting if isinstance(setting, Mapping) else {"fill": setting}
        names = [field.name for field in fields(cls) if field.name != "kind"]
        unknown = [name for name in given if name not in names]
        if unknown or not all(isinstance(value, str) for value in given.values()):
            raise NotAFill(
                f"is {setting!r}; it must be one of {', '.join(FILLS)}, or a table of texts with "
                f"{', '.join(names)}"
            )
        if given.get("fill") not in FILLS:
            raise NotAFill(
                f"is filled by {given.get('fill')!r}; it must be one of {', '.join(FILLS)}"
            )
        made = cls(kind, **given)
        made._require_fitting()
        return made

    def _require_fitting(self) -> None:
        if self.case not in CASES:
            raise NotAFill(f"has the case {self.case!r}; it must be one of {', '.join(CASES)}")
        if self.listed not in LISTED:
            raise NotAFill(f"is listed {self.listed!r}; it must be one of {', '.join(LISTED)}")
        if self.written.count(PLACE) != 1:
            raise NotAFill(
                f"is written {self.written!r}, which must have {PLACE} once, where the words are"
            )
        if self.fill == "name" and self.is_both:
            raise NotAFill("is filled by a name, which is listed in any case: leave listed out")
        plain = self.case == "typed" and self.spaces == " "
        if not self.is_text and not (plain and (self.fill != "name" or self._is_bare)):
            raise NotAFill(
                f"is filled by a {self.fill}, which has neither case nor spaces: leave them out"
            )
        if self.spaces != " " and (not self.spaces or _SPACES.search(self.spaces)):
            raise NotAFill("has spaces that are empty or have a space: give another sign, or none")

    @property
    def _is_bare(self) -> bool:
        return self.written == PLACE

    @property
    def is_both(self) -> bool:
        """Whether it has a list beside what the query fills."""
        return self.listed != "no"

    @property
    def is_text(self) -> bool:
        """Whether it is filled by words."""
        return self.fill in TEXTS

    @property
    def comes_first(self) -> bool:
        """Whether what the query mentions is taken although the list has it."""
        return self.listed == "last"

    @property
    def filling(self) -> FilledKind:
        """The kind of what the query fills: of its own, if there is a list beside it."""
        return replace(self, kind=self.kind + OPEN) if self.is_both else self

    @property
    def slot_kinds(self) -> tuple[str, ...]:
        """The kinds of the grammar that stand for a token: two for a text, its ends."""
        if self.fill == "text":
            return self.kind + FIRST, self.kind + LAST
        return (self.kind,)

    def token(self, text: str) -> str:
        """A piece of a query, or a number or date in digits, as a token."""
        return self.written.replace(PLACE, self.cased(_SPACES.sub(self.spaces, text.strip())))

    def cased(self, text: str) -> str:
        """A text in the case of the tokens."""
        return (
            text.lower() if self.case == "lower" else text.upper() if self.case == "upper" else text
        )

    def key(self, text: str) -> str:
        """A token, or a part of one, as it is compared with others."""
        return text.lower() if self.case == "any" else text

    def inner(self, token: str) -> str | None:
        """A token without what is written around it; None if it cannot be of this kind.

        Texts have their case and their spaces as tokens have them.
        """
        before, after = self.written.split(PLACE)
        if not (token.startswith(before) and token.endswith(after)):
            return None
        found = token[len(before) : len(token) - len(after)]
        if len(token) <= len(before) + len(after) or found != self.cased(found):
            return None
        shape = _SHAPES.get(self.fill)
        if shape is not None:
            return found if shape.fullmatch(found) else None
        unfit = found != found.strip() or (self.spaces != " " and _SPACES.search(found))
        return None if unfit else found

    def text(self, token: str) -> str | None:
        """The words of a token; None if it cannot be of this kind.

        A sign for spaces that was in the words is read as a space.
        """
        found = self.inner(token)
        return None if found is None else found.replace(self.spaces, " ")
