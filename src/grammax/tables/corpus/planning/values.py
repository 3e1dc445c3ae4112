"""Constraints of enum types: which values, how many, negated or compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast, final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.plan import EnumConstraint
from grammax.tables.corpus.planning.pools import Pools
from grammax.tables.corpus.style import Voice
from grammax.tables.form.tree import Op

_NUMBERS: Final = (0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3)  # of constraints
_EXCLUDED: Final = (1, 1, 1, 1, 1, 1, 2, 2, 3)  # values
_COMPARED: Final[tuple[Op, ...]] = ("GE", "GE", "GR", "LS", "LE")


@final
class ValuePlanner:
    """Draws constraints of enum types from the pools of a voice."""

    def __init__(self, voice: Voice, pools: Pools) -> None:
        drawing = voice.style.drawing
        self._drawing = drawing
        self._catalogue = voice.catalogue
        self._pools = pools
        self._mix = voice.style.mix
        self._thresholds = voice.style.thresholds
        self._types = repeated(drawing.types)
        self._excluded_types = repeated(drawing.excluded)
        self._fields = {type_: repeated(fields) for type_, fields in drawing.fields.items()}

    def several(self, dice: Dice, at_most: int = 3) -> tuple[EnumConstraint, ...]:
        """Zero to three constraints of different types, and perhaps an excluded value."""
        if not self._types:
            return ()
        found: list[EnumConstraint] = []
        if self._thresholds and dice.chance(self._mix.named):
            found.append(self._named(dice))
        for _ in range(min(at_most, pick(dice, _NUMBERS))):
            type_ = pick(dice, self._types)
            if not self._clashes(type_, found):
                enum = self.one(type_, dice)
                found += [enum] if enum else []
        if self._excluded_types and dice.chance(self._mix.excluded if found else 0.06):
            excluded = self._excluded(found, dice)
            found += [excluded] if excluded else []
        return tuple(found)

    def one(self, type_: str, dice: Dice) -> EnumConstraint | None:
        """A constraint of a type, if it has a value that may be drawn."""
        value = self._pools.value(type_, dice)
        if value is None:
            return None
        field = pick(dice, self._fields[type_])
        if type_ in self._drawing.compared and dice.chance(0.7):
            grades = self._catalogue.values_of(type_)
            op: Op = pick(dice, _COMPARED)
            op = "LS" if value == grades[0] else "GR" if value == grades[-1] else op
            return EnumConstraint(field, type_, (value,), op)
        more = dice.random()
        if type_ not in self._drawing.alternatives or more > 0.14:
            return EnumConstraint(field, type_, (value,))
        return EnumConstraint(field, type_, self.values(type_, 3 if more < 0.03 else 2, dice))

    def values(self, type_: str, count: int, dice: Dice) -> tuple[str, ...]:
        """Up to `count` different values of a type, none a part of another."""
        drawn = [self._pools.value(type_, dice) for _ in range(count)]
        values = list(dict.fromkeys(value for value in drawn if value))
        below = {v: set(self._catalogue.descendants(v)[1:]) for v in values}
        return tuple(v for v in values if not any(v in parts for parts in below.values()))

    def group(self, types: tuple[str, str], dice: Dice) -> tuple[EnumConstraint, ...]:
        """One constraint of each of two types, or none."""
        drawn = [(type_, self._pools.value(type_, dice)) for type_ in types]
        enums = [EnumConstraint(self._fields[t][0], t, (value,)) for t, value in drawn if value]
        return tuple(enums) if len(enums) == len(types) else ()

    def _named(self, dice: Dice) -> EnumConstraint:
        threshold = pick(dice, self._thresholds, 1.5)
        type_ = self._catalogue.fields[threshold.field].type
        wording = pick(dice, threshold.words, 0.5)
        return EnumConstraint(
            threshold.field, type_, (threshold.value,), cast("Op", threshold.op), wording=wording
        )

    def _clashes(self, type_: str, found: Sequence[EnumConstraint]) -> bool:
        return any(self._drawing.clash(enum.type, type_) for enum in found)

    def _excluded(self, found: list[EnumConstraint], dice: Dice) -> EnumConstraint | None:
        """Excluded values: a part of a value in the plan, or values of another type."""
        type_ = pick(dice, self._excluded_types)
        field = self._fields[type_][0]
        present = next((enum for enum in found if enum.type == type_), None)
        if present is None:
            if self._clashes(type_, found):
                return None
            values = self.values(type_, pick(dice, _EXCLUDED), dice)
            return EnumConstraint(field, type_, values, negated=True) if values else None
        if type_ not in self._drawing.nested or len(present.values) > 1:
            return None
        below = self._pools.below(present.values[0], dice)
        return EnumConstraint(field, type_, (below,), negated=True) if below else None


def repeated(weights: Mapping[str, int]) -> tuple[str, ...]:
    """Each name as often as its weight."""
    return tuple(name for name, weight in weights.items() for _ in range(weight))
