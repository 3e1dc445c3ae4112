"""Why an answer is empty: for each condition, how many rows remain without it.

A form without one of its conditions is run again, with a count only. A condition may be about a
field of which there is no data at all; then no row could ever qualify, and that is told apart.
If no rows remain without any one of the conditions, those of each condition alone are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from grammax.language.answer import Without
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.form.text import to_tokens
from grammax.tables.form.tree import (
    Aggregate,
    And,
    Display,
    FieldRef,
    LogicalForm,
    Rank,
    Relational,
)
from grammax.tables.query.summary import is_about_groups
from grammax.tables.query.translate import outer_parts

CountRows: TypeAlias = Callable[[LogicalForm], int | None]
"""The number of rows that a form selects; None if it cannot be counted in time."""
_MOST_CONDITIONS: Final = 8  # that are left out, one after the other


def diagnose(lf: LogicalForm, catalogue: Catalogue, count: CountRows) -> tuple[Without, ...]:
    """The conditions of a form, the one first without which most rows remain."""
    parts = outer_parts(lf)
    is_condition = [_is_condition(part) for part in parts]
    if sum(is_condition) < 2:
        return _only(parts, catalogue, count)
    found = []
    places = [i for i, is_one in enumerate(is_condition) if is_one][:_MOST_CONDITIONS]
    for index in places:
        others = [part for i, part in enumerate(parts) if i != index]
        rows = [part for part in others if not is_about_groups(part)]
        remaining = count(_together(rows))
        if remaining is None:
            break  # there is no time left
        tokens = to_tokens(_together(others))
        found.append(
            Without(
                _words(parts[index], catalogue),
                tokens,
                remaining,
                _has_data(parts[index], count),
            )
        )
    if not any(each.remaining for each in found):
        alone = [
            [part for i, part in enumerate(parts) if i == index or not is_condition[i]]
            for index in places
        ]
        return _alone(found, alone, count)
    return tuple(sorted(found, key=lambda each: -each.remaining))


def _alone(
    found: Sequence[Without], alone: Sequence[Sequence[LogicalForm]], count: CountRows
) -> tuple[Without, ...]:
    """The conditions with the rows of each alone, the one first that has most."""
    counted = []
    for each, parts in zip(found, alone, strict=False):
        rows = count(_together([part for part in parts if not is_about_groups(part)]))
        tokens = to_tokens(_together(parts))
        counted.append(each if rows is None else each._replace(alone=rows, alone_tokens=tokens))
    return tuple(sorted(counted, key=lambda each: -(each.alone or 0)))


def _only(
    parts: Sequence[LogicalForm], catalogue: Catalogue, count: CountRows
) -> tuple[Without, ...]:
    """The only condition of a form: without it every row would remain, so none are counted."""
    found = [part for part in parts if _is_condition(part) and not _has_data(part, count)]
    return tuple(Without(_words(part, catalogue), (), 0, False) for part in found)


def _is_condition(part: LogicalForm) -> bool:
    return not isinstance(part, Display | Rank) and not is_about_groups(part)


def _together(parts: Sequence[LogicalForm]) -> LogicalForm:
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _words(part: LogicalForm, catalogue: Catalogue) -> str:
    """A condition in English, without the noun: "domiciled in Germany"."""
    text = paraphrase(part, catalogue)
    noun = catalogue.schema.entity.plural
    return text.removeprefix(noun).strip() or text


def _has_data(part: LogicalForm, count: CountRows) -> bool:
    """Whether some row has a value of the field that a condition is about."""
    if not isinstance(part, Relational) or isinstance(part.field, Aggregate):
        return True
    if isinstance(part.field, FieldRef) and not _is_ranked(part):
        return True  # a text: that no row has it is told by the notes
    found = count(Rank("top", None, part.field))
    return found is None or found > 0


def _is_ranked(part: Relational) -> bool:
    """Whether the field has numbers, of which a rank can ask whether they are known."""
    return part.op in ("GR", "GE", "LS", "LE")
