"""Read a logical form from words: a predictive parser with an explicit stack.

The words are those of a text or the tokens of a model: digits may be separate words, and
`enumValue` is optional. The reader checks the grammar only; `typecheck` checks types.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NoReturn, cast, final

from grammax.tables import lexicon as words
from grammax.tables.form.cursor import END, TIMES, Cursor
from grammax.tables.form.cursor import Unreadable as Unreadable
from grammax.tables.form.errors import ENUM_VALUE, is_name, without_blanks
from grammax.tables.form.operands import SPELLING, Denomination, PercentUnit, TokenRoles, unquoted
from grammax.tables.form.tree import (
    OPERATORS,
    Aggregate,
    Change,
    Direction,
    Display,
    EnumValue,
    FieldRef,
    Function,
    Group,
    LogicalForm,
    LogicalFormError,
    Measure,
    Number,
    Op,
    Operand,
    Order,
    Percent,
    Period,
    Rank,
    Ratio,
    Relational,
    Text,
    compound,
)
from grammax.text import did_you_mean, nearest

_HEADS: Final = (*words.CONNECTIVES, words.DISPLAY, *words.RANKS, *words.AGGREGATES, words.BY)
_DERIVED: Final = (words.RATIO, words.CHANGE)
_COMPOSED: Final = (*_DERIVED, *words.AGGREGATES)
_OTHER_OPERATORS: Final = {
    **dict.fromkeys(("=", "==", "IS"), "EQ"),
    **dict.fromkeys(("!=", "<>", "NE"), "NEQ"),
    **dict.fromkeys(("<", "LT"), "LS"),
    **dict.fromkeys(("<=", "LTE", "LEQ"), "LE"),
    **dict.fromkeys((">", "GT"), "GR"),
    **dict.fromkeys((">=", "GTE", "GEQ"), "GE"),
    **dict.fromkeys(("LIKE", "ILIKE", "HAS", "INCLUDES", "MATCHES"), "CONTAINS"),
}
_OTHER_HEADS: Final = {
    **dict.fromkeys(("AVG", "MEAN"), "average"),
    **dict.fromkeys(("TOTAL", "ADD"), "sum"),
    **dict.fromkeys(("MINIMUM", "LEAST"), "min"),
    **dict.fromkeys(("MAXIMUM", "MOST"), "max"),
    **dict.fromkeys(("GROUP", "PER", "EACH"), "by"),
    **dict.fromkeys(("SHOW", "SELECT"), "display"),
    **dict.fromkeys(("HIGHEST", "LARGEST"), "top"),
    **dict.fromkeys(("LOWEST", "SMALLEST"), "bottom"),
}
_CONSTRAINTS: Final = (
    "(FIELD EQ VALUE), (display FIELD), (top 10 FIELD), (count), (average FIELD), (by FIELD), "
    "or AND, OR, NOT of constraints"
)
_MEASURES: Final = "(ratio FIELD FIELD) or (change FIELD(TIME))"
_AGGREGATES: Final = "(count), (count FIELD) or (average FIELD)"


@final
class Reader:
    """Reads one logical form; used once."""

    def __init__(self, given: Iterable[str], roles: TokenRoles = SPELLING) -> None:
        self._words = Cursor(given)
        self._roles = roles

    def logical_form(self) -> LogicalForm:
        """The logical form of the words. Raises `Unreadable` if they are not one."""
        lf = self._constraint()
        if self._words.word != END:
            self._words.refuse(
                f"{self._words.shown} cannot follow: the logical form is complete before it.",
                "Remove it, or join several constraints by (AND ...).",
            )
        return lf

    def _constraint(self) -> LogicalForm:
        begun: list[tuple[str, int, list[LogicalForm]]] = []
        given = self._words
        while True:
            if given.word == words.OPEN and given.ahead() in words.CONNECTIVES:
                begun.append((given.ahead(), given.at + 1, []))
                given.at += 2
                continue
            if given.word == words.CLOSE and begun:
                done = self._compound(*begun.pop())
            elif given.word == words.OPEN:
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
        self._words.at += 1
        return made

    def _atom(self) -> LogicalForm:
        self._words.at += 1
        word = self._words.word
        if word == words.DISPLAY:
            atom, permitted = self._display()
        elif word in words.RANKS:
            atom, permitted = self._rank(), ""
        elif word in words.AGGREGATES:
            atom, permitted = self._aggregate(), ""
        elif word == words.BY:
            atom, permitted = self._group(), ""
        else:
            atom, permitted = self._relational()
        self._close(permitted)
        return atom

    def _display(self) -> tuple[LogicalForm, str]:
        self._words.at += 1
        measure = self._measure()
        order = cast("Order | None", self._words.optional(words.ORDERS))
        return Display(measure, order), "" if order else "ASC, DESC, "

    def _rank(self) -> Rank:
        direction = cast("Direction", self._words.next())
        count = self._words.integer() if self._counts() else None
        return Rank(direction, count, self._ranked())

    def _counts(self) -> bool:
        """Whether the word here is or should be a count: `ten` in `(top ten FLD_X)` should."""
        given = self._words
        if given.is_numeric or not is_name(given.word) or self._roles.is_field(given.word):
            return given.is_numeric
        return is_name(given.ahead()) or given.ahead(2) in _COMPOSED

    def _aggregate(self) -> Aggregate:
        """An aggregate without its parentheses."""
        function = cast("Function", self._words.next())
        if function == words.COUNT and self._words.word == words.CLOSE:
            return Aggregate(function)
        return Aggregate(function, self._field())

    def _group(self) -> Group:
        self._words.at += 1
        if self._words.word in words.PERIODS:
            return Group(cast("Period", self._words.next()))
        return Group(self._field(also=", ".join(words.PERIODS)))

    def _relational(self) -> tuple[LogicalForm, str]:
        compared: Measure | Aggregate
        if self._words.word == words.OPEN and self._words.ahead() in _COMPOSED:
            compared = self._ranked()
        else:
            self._refuse_bare()
            compared = self._field(begins=True)
        operator = self._operator()
        if operator == words.CONTAINS:
            return Relational(compared, operator, self._text()), ""
        value, permitted = self._operand()
        return Relational(compared, operator, value), permitted

    def _measure(self) -> Measure:
        """A field, a ratio or a change."""
        if self._words.word != words.OPEN:
            return self._field()
        self._words.at += 1
        if self._words.word not in _DERIVED:
            self._words.refuse(
                f"{self._words.shown} cannot stand here.", f"Permitted here: {_MEASURES}."
            )
        measure = self._derived()
        self._close()
        return measure

    def _ranked(self) -> Measure | Aggregate:
        """A field, a ratio, a change or an aggregate."""
        if self._words.word != words.OPEN:
            return self._field()
        self._words.at += 1
        if self._words.word not in _COMPOSED:
            self._words.refuse(
                f"{self._words.shown} cannot stand here.",
                f"Permitted here: {_MEASURES}, {_AGGREGATES}.",
            )
        found = self._derived() if self._words.word in _DERIVED else self._aggregate()
        self._close()
        return found

    def _derived(self) -> Ratio | Change:
        """A ratio or a change without its parentheses."""
        if self._words.next() == words.RATIO:
            return Ratio(self._field(), self._field())
        field = self._field()
        if field.time is None:
            self._words.refuse(
                f"{self._words.shown} cannot follow {field.token}: a change needs a time.",
                f"Write (change {field.token}(LAST 3 YEAR)); a time is {TIMES}.",
            )
        return Change(field)

    def _field(self, begins: bool = False, also: str = "") -> FieldRef:
        word = self._words.word
        if not is_name(word):
            permitted = _CONSTRAINTS if begins else f"a field such as {self._roles.examples[0]}"
            self._words.refuse(
                f"{self._words.shown} cannot {'begin a constraint' if begins else 'be a field'}.",
                f"Permitted here: {permitted}{f', or {also}' if also else ''}.",
            )
        if begins:
            self._refuse_head()
        self._words.at += 1
        if self._words.word != words.OPEN:
            return FieldRef(word)
        self._words.at += 1
        time = self._words.time()
        self._words.expect(words.CLOSE, f"A time is {TIMES}.")
        return FieldRef(word, time)

    def _operator(self) -> Op:
        permitted = (*OPERATORS, words.CONTAINS)
        if self._words.word not in permitted:
            word = self._words.word.upper()
            close = _OTHER_OPERATORS.get(word) or "".join(nearest(word, permitted, 1))
            mean = f" Did you mean {close}?" if close else ""
            self._words.refuse(
                f"{self._words.shown} is not an operator.",
                f"Permitted here: {', '.join(permitted)}.{mean}",
            )
        return cast("Op", self._words.next())

    def _text(self) -> Text:
        """The text that follows CONTAINS."""
        found = unquoted(self._words.word)
        text = None if found is None else without_blanks(found)
        if not text:
            self._words.refuse(
                f"{self._words.shown} is not a text to search for.",
                f'Permitted after {words.CONTAINS}: a text in double quotes, such as "star wars".',
            )
        self._words.at += 1
        return Text(text)

    def _operand(self) -> tuple[Operand, str]:
        """A value, a field, an aggregate or a time, and the words that could have followed it."""
        if self._words.word == words.OPEN and self._words.ahead() in words.AGGREGATES:
            self._words.at += 1
            aggregate = self._aggregate()
            self._close()
            return aggregate, ""
        if self._words.begins_time:
            return cast("Operand", self._words.time()), ""
        if self._words.is_numeric:
            return self._number()
        if self._words.word == ENUM_VALUE:
            self._words.at += 1
            example = f"Write enumValue({self._roles.examples[1]})."
            self._words.expect(words.OPEN, example)
            value = self._enum_value()
            self._words.expect(words.CLOSE, example)
            return value, ""
        if self._roles.is_field(self._words.word):
            return self._field(), ""
        return self._enum_value(), ""

    def _enum_value(self) -> EnumValue:
        if self._words.word.startswith('"'):
            self._words.refuse(
                f"{self._words.shown} is a text, and no value.",
                f"A text follows {words.CONTAINS} alone.",
            )
        if not is_name(self._words.word) or self._roles.is_field(self._words.word):
            field, value = self._roles.examples
            self._words.refuse(
                f"{self._words.shown} is not a value.",
                f"Values are names such as {value}, fields such as {field}, and numbers in plain "
                "digits such as -2, 1.5 BILLION or 5 PCT.",
            )
        return EnumValue(self._words.next())

    def _number(self) -> tuple[Number | Percent, str]:
        digits = self._words.digits()
        unit = cast("PercentUnit | None", self._words.optional(words.PERCENTAGES))
        if unit:
            return Percent(digits, unit), ""
        denomination = cast("Denomination | None", self._words.optional(words.DENOMINATIONS))
        permitted = (
            "" if denomination else ", ".join((*words.DENOMINATIONS, *words.PERCENTAGES, ""))
        )
        if self._roles.is_unit(self._words.word):
            return Number(digits, denomination, self._words.next()), ""
        return Number(digits, denomination), f"{permitted}a unit, "

    def _close(self, permitted: str = "") -> None:
        self._words.expect(words.CLOSE, f"Permitted here: {permitted}).")

    def _refuse_bare(self) -> None:
        """Raise for `(ratio A B)`, which is compared, ranked or shown, and says nothing alone."""
        word = self._words.word
        if word in _DERIVED:
            given = "(ratio A B)" if word == words.RATIO else "(change A(LAST 3 YEAR))"
            self._words.refuse(
                f"{word} cannot begin a constraint.",
                f"Compare, show or rank by it: ({given} GR 2), (display {given}), (top {given}).",
            )

    def _refuse_head(self) -> None:
        """Raise for `NAD` in `(NAD (c) (c))` and `avg` in `(avg FLD_X)`: neither is a field."""
        word, following = self._words.word, self._words.ahead()
        if self._roles.is_field(word):
            return
        if following == words.OPEN and not self._words.tells_time(2):
            problem = "is not AND, OR or NOT, so no constraint can follow it"
        elif self._roles.is_field(following):
            problem = f"cannot stand before the field {following[:60]}"
        else:
            return
        close = _OTHER_HEADS.get(word.upper()) or "".join(nearest(word, _HEADS, 1))
        mean = did_you_mean((close,) if close else (), sentence=True)
        self._words.refuse(
            f"{self._words.shown} {problem}.", mean or f"Permitted here: {_CONSTRAINTS}."
        )

    def _refuse_constraint(self, begun: int) -> NoReturn:
        given = self._words
        if given.word == END and given.at == 0:
            given.refuse("There is no logical form: nothing was given.", f"Write {_CONSTRAINTS}.")
        if given.word == END:
            unclosed = "parenthesis is" if begun == 1 else "parentheses are"
            given.refuse(f"The end comes too early: {begun} {unclosed} not closed.", "Add ).")
        given.refuse(
            f"{given.shown} cannot stand where a constraint must.",
            f"A constraint stands in parentheses: {_CONSTRAINTS}.",
        )
