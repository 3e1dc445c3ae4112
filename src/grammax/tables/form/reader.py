"""Read a logical form from words: a predictive parser with an explicit stack.

The words are those of a text or the tokens of a model: digits may be separate words, and
`enumValue` is optional. The reader checks the grammar only; `typecheck` checks types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NoReturn, cast, final

from grammax.tables import lexicon as words
from grammax.tables.form.errors import ENUM_VALUE, is_name
from grammax.tables.form.operands import SPELLING, Denomination, PercentUnit, TokenRoles
from grammax.tables.form.times import Unit
from grammax.tables.form.tree import (
    OPERATORS,
    Date,
    Direction,
    Display,
    EnumValue,
    FieldRef,
    FiscalYear,
    Last,
    LogicalForm,
    LogicalFormError,
    Month,
    Number,
    Op,
    Operand,
    Order,
    Percent,
    Quarter,
    Rank,
    Relational,
    Time,
    Year,
    compound,
)
from grammax.text import did_you_mean, nearest

END: Final = ""
_HEADS: Final = (*words.CONNECTIVES, words.DISPLAY, *words.RANKS)
_TIME_WORDS: Final = (*words.QUARTERS, words.FISCAL_YEAR, words.LAST)
_NUMERIC = re.compile(r"[-.0-9]+")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_OTHER_OPERATORS: Final = {
    **dict.fromkeys(("=", "==", "IS"), "EQ"),
    **dict.fromkeys(("!=", "<>", "NE"), "NEQ"),
    **dict.fromkeys(("<", "LT"), "LS"),
    **dict.fromkeys(("<=", "LTE", "LEQ"), "LE"),
    **dict.fromkeys((">", "GT"), "GR"),
    **dict.fromkeys((">=", "GTE", "GEQ"), "GE"),
}
_TIMES = "a year, 2018 JUN, 2018 JUN 23, Q2 2024, FY 2023, LAST QUARTER or LAST 3 MONTH"
_CONSTRAINTS = "(FIELD EQ VALUE), (display FIELD), (top 10 FIELD), or AND, OR, NOT of constraints"


class Unreadable(Exception):
    """The word at `index` is not permitted there; callers turn it into a `LogicalFormError`."""

    def __init__(self, index: int, problem: str, hint: str) -> None:
        super().__init__(problem)
        self.index, self.problem, self.hint = index, problem, hint


@final
class Reader:
    """Reads one logical form; used once."""

    def __init__(self, given: Iterable[str], roles: TokenRoles = SPELLING) -> None:
        self._words = [*given, END]
        self._roles = roles
        self._at = 0

    def logical_form(self) -> LogicalForm:
        """The logical form of the words. Raises `Unreadable` if they are not one."""
        lf = self._constraint()
        if self._word != END:
            self._refuse(
                f"{self._shown} cannot follow: the logical form is complete before it.",
                "Remove it, or join several constraints by (AND ...).",
            )
        return lf

    def _constraint(self) -> LogicalForm:
        begun: list[tuple[str, int, list[LogicalForm]]] = []
        while True:
            if self._word == words.OPEN and self._words[self._at + 1] in words.CONNECTIVES:
                begun.append((self._words[self._at + 1], self._at + 1, []))
                self._at += 2
                continue
            if self._word == words.CLOSE and begun:
                done = self._compound(*begun.pop())
            elif self._word == words.OPEN:
                done = self._atom()
            else:
                self._refuse_constraint(len(begun))
            if not begun:
                return done
            begun[-1][2].append(done)

    def _compound(self, word: str, index: int, parts: Sequence[LogicalForm]) -> LogicalForm:
        try:
            made = compound(word, parts)
        except LogicalFormError as error:
            raise Unreadable(index, error.problem, error.hint) from None
        self._at += 1
        return made

    def _atom(self) -> LogicalForm:
        self._at += 1
        atom: LogicalForm
        if self._word == words.DISPLAY:
            self._at += 1
            field = self._field()
            order = cast("Order | None", self._optional(words.ORDERS))
            atom, permitted = Display(field, order), "" if order else "ASC, DESC, "
        elif self._word in words.RANKS:
            direction = cast("Direction", self._next())
            atom, permitted = Rank(direction, self._integer(), self._field()), ""
        else:
            field = self._field(begins=True)
            operator = self._operator()
            value, permitted = self._operand()
            atom = Relational(field, operator, value)
        self._expect(words.CLOSE, f"Permitted here: {permitted}).")
        return atom

    def _field(self, begins: bool = False) -> FieldRef:
        word = self._word
        if not is_name(word):
            permitted = _CONSTRAINTS if begins else f"a field such as {self._roles.examples[0]}"
            self._refuse(
                f"{self._shown} cannot {'begin a constraint' if begins else 'be a field'}.",
                f"Permitted here: {permitted}.",
            )
        if begins:
            self._refuse_connective(word, *self._words[self._at + 1 : self._at + 3])
        self._at += 1
        if self._word != words.OPEN:
            return FieldRef(word)
        self._at += 1
        time = self._time()
        self._expect(words.CLOSE, f"A time is {_TIMES}.")
        return FieldRef(word, time)

    def _operator(self) -> Op:
        if self._word not in OPERATORS:
            word = self._word.upper()
            close = _OTHER_OPERATORS.get(word) or "".join(nearest(word, OPERATORS, 1))
            mean = f" Did you mean {close}?" if close else ""
            self._refuse(
                f"{self._shown} is not an operator.",
                f"Permitted here: {', '.join(OPERATORS)}.{mean}",
            )
        return cast("Op", self._next())

    def _operand(self) -> tuple[Operand, str]:
        """A value or a field, and the words that could have followed it."""
        word = self._word
        if _NUMERIC.fullmatch(word):
            return self._number()
        if word == ENUM_VALUE:
            self._at += 1
            example = f"Write enumValue({self._roles.examples[1]})."
            self._expect(words.OPEN, example)
            value = self._enum_value()
            self._expect(words.CLOSE, example)
            return value, ""
        if self._roles.is_field(word):
            return self._field(), ""
        return self._enum_value(), ""

    def _enum_value(self) -> EnumValue:
        if not is_name(self._word) or self._roles.is_field(self._word):
            field, value = self._roles.examples
            self._refuse(
                f"{self._shown} is not a value.",
                f"Values are names such as {value}, fields such as {field}, and numbers in plain "
                "digits such as -2, 1.5 BILLION or 5 PCT.",
            )
        return EnumValue(self._next())

    def _number(self) -> tuple[Number | Percent, str]:
        digits = self._digits()
        unit = cast("PercentUnit | None", self._optional(words.PERCENTAGES))
        if unit:
            return Percent(digits, unit), ""
        denomination = cast("Denomination | None", self._optional(words.DENOMINATIONS))
        permitted = (
            "" if denomination else ", ".join((*words.DENOMINATIONS, *words.PERCENTAGES, ""))
        )
        if self._roles.is_unit(self._word):
            return Number(digits, denomination, self._next()), ""
        return Number(digits, denomination), f"{permitted}a unit, "

    def _time(self) -> Time:
        word = self._word
        if word in words.QUARTERS:
            self._at += 1
            return Quarter(words.QUARTERS.index(word) + 1, self._year())
        if word == words.FISCAL_YEAR:
            self._at += 1
            return FiscalYear(self._year())
        if word == words.LAST:
            return self._last()
        year = self._year()
        month = self._optional(words.MONTHS)
        if month is None:
            return Year(year)
        number = words.MONTHS.index(month) + 1
        if not _NUMERIC.fullmatch(self._word):
            return Month(year, number)
        return Date(year, number, self._integer("a day", most=2))

    def _last(self) -> Last:
        self._at += 1
        count = self._integer() if _NUMERIC.fullmatch(self._word) else None
        unit = self._optional(words.UNITS)
        if unit is None:
            permitted = ", ".join(words.UNITS)
            self._refuse(f"{self._shown} is not a unit of time.", f"Permitted here: {permitted}.")
        return Last(count, cast("Unit", unit))

    def _year(self) -> int:
        if not _NUMERIC.fullmatch(self._word):
            self._refuse(f"{self._shown} is not a time.", f"A time is {_TIMES}.")
        return self._integer("a year", least=4, most=4)

    def _integer(self, what: str = "a count", least: int = 1, most: int = 1000) -> int:
        index = self._at
        digits = self._digits() if _NUMERIC.fullmatch(self._word) else ""
        if not digits.isdecimal() or not least <= len(digits) <= most:
            number = str(most) if least == most else f"{least} to {most}"
            self._at = index
            self._refuse(f"{self._shown} is not {what}.", f"Permitted here: {number} digits.")
        return int(digits)

    def _digits(self) -> str:
        """The number here, in one word or in words of one digit each."""
        index = self._at
        while _NUMERIC.fullmatch(self._word):
            self._at += 1
        pieces = self._words[index : self._at]
        number = "".join(pieces)
        if len(pieces) > 1 and len(number) > len(pieces):
            problem = f"{' '.join(pieces)[:60]} is more than one number."
            raise Unreadable(index, problem, "Write one number, in plain digits: 1500000.")
        if not _NUMBER.fullmatch(number):
            problem = f"{number[:60]} is not a number."
            raise Unreadable(index, problem, "Numbers are digits, such as 100, -2 or 1.50.")
        return number

    @property
    def _word(self) -> str:
        return self._words[self._at]

    @property
    def _shown(self) -> str:
        word = self._word[:60]
        return (word if word.isprintable() else ascii(word)) or "The end"

    def _next(self) -> str:
        self._at += 1
        return self._words[self._at - 1]

    def _optional(self, permitted: Sequence[str]) -> str | None:
        return self._next() if self._word in permitted else None

    def _expect(self, word: str, hint: str) -> None:
        if self._word != word:
            before = self._words[self._at - 1][:60]
            self._refuse(f"{self._shown} cannot follow {before}.", hint)
        self._at += 1

    def _refuse_connective(self, word: str, *following: str) -> None:
        """Raise for `NAD` in `(NAD (c) (c))`, which looks like a field with a time at first."""
        if self._roles.is_field(word) or following[0] != words.OPEN:
            return
        if following[1] not in _TIME_WORDS and not _NUMERIC.fullmatch(following[1]):
            close = nearest(word, _HEADS, 1)
            self._refuse(
                f"{self._shown} is not AND, OR or NOT, so no constraint can follow it.",
                did_you_mean(close, sentence=True) or f"Permitted here: {_CONSTRAINTS}.",
            )

    def _refuse_constraint(self, begun: int) -> NoReturn:
        if self._word == END and self._at == 0:
            self._refuse("There is no logical form: nothing was given.", f"Write {_CONSTRAINTS}.")
        if self._word == END:
            unclosed = "parenthesis is" if begun == 1 else "parentheses are"
            self._refuse(f"The end comes too early: {begun} {unclosed} not closed.", "Add ).")
        self._refuse(
            f"{self._shown} cannot stand where a constraint must.",
            f"A constraint stands in parentheses: {_CONSTRAINTS}.",
        )

    def _refuse(self, problem: str, hint: str) -> NoReturn:
        raise Unreadable(self._at, problem, hint)
