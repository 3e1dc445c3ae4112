"""Summaries in English: aggregates, the groups they are made by, and what is asked of the groups.

"the number of films by country, only countries with more than 5 films, highest first"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self, final

from grammax.tables.english.clauses import Signed
from grammax.tables.english.comparisons import Comparisons, Literal
from grammax.tables.english.phrases import (
    aggregate_name,
    field_name,
    group_name,
    grouped,
    is_date,
    is_plural,
    listed,
    operand_phrase,
    plural_of,
)
from grammax.tables.form.canonical import canonical_operand
from grammax.tables.form.judgement import CatalogueView
from grammax.tables.form.tree import Aggregate, FieldRef, Group, Number, Rank, Relational

_COUNT: Final = Aggregate("count")
_COUNTED: Final = {
    "EQ": "{}",
    "LS": "fewer than {}",
    "LE": "at most {}",
    "GR": "more than {}",
    "GE": "at least {}",
}


@final
@dataclass(frozen=True, slots=True)
class Summary:
    """The parts of an outermost AND that summarise rows; `rest` are the others.

    The aggregates of comparisons and ranks are shown, too; groups without any are counted.
    """

    aggregates: tuple[Aggregate, ...]
    groups: tuple[Group, ...]
    filters: tuple[Relational, ...]
    ranks: tuple[Rank, ...]
    rest: tuple[Signed, ...]

    @classmethod
    def of(cls, members: Sequence[Signed]) -> Self | None:
        """The summary that affirmed members make, or None if they ask for rows."""
        aggregates: list[Aggregate] = []
        groups: list[Group] = []
        filters: list[Relational] = []
        ranks: list[Rank] = []
        rest: list[Signed] = []
        for node, sign in members:
            if sign and isinstance(node, Aggregate):
                aggregates.append(node)
            elif sign and isinstance(node, Group):
                groups.append(node)
            elif sign and isinstance(node, Relational) and isinstance(node.field, Aggregate):
                filters.append(node)
            elif sign and isinstance(node, Rank) and isinstance(node.field, Aggregate):
                ranks.append(node)
            else:
                rest.append((node, sign))
        if not (aggregates or groups or filters or ranks):
            return None
        used = [*(node.field for node in filters), *(rank.field for rank in ranks)]
        aggregates += [field for field in used if isinstance(field, Aggregate)]
        return cls(
            tuple(dict.fromkeys(aggregates or [_COUNT])),
            tuple(dict.fromkeys(groups)),
            tuple(dict.fromkeys(filters)),
            tuple(dict.fromkeys(ranks)),
            tuple(rest),
        )


@final
class Summaries:
    """States summaries in the words of a catalogue."""

    def __init__(self, names: CatalogueView) -> None:
        self._names = names
        self._entity = names.schema.entity
        self._comparisons = Comparisons(names)

    def lead(self, summary: Summary) -> str:
        """Before the rows: "the number and average length of "."""
        named = [
            "number" if one.field is None else aggregate_name(one, self._names)
            for one in summary.aggregates
        ]
        return f"the {listed(named, 'and')} of "

    def by(self, summary: Summary) -> str:
        """The groups: "by country and year"; empty without groups."""
        named = [group_name(group, self._names) for group in summary.groups]
        return f"by {listed(named, 'and')}" if named else ""

    def of_groups(self, summary: Summary) -> list[str]:
        """What is asked of the groups: ", only countries with more than 5 films"."""
        found = [f", only {self._filtered(summary)}"] if summary.filters else []
        ranks = summary.ranks if summary.groups else ()
        return found + [f", {self._ranked(rank, summary)}" for rank in ranks]

    def _filtered(self, summary: Summary) -> str:
        by_aggregate: dict[Aggregate, list[Literal]] = {}
        for node in summary.filters:
            assert isinstance(node.field, Aggregate)
            by_aggregate.setdefault(node.field, []).append((node, True))
        texts = [
            self._counted(literals)
            if aggregate.field is None
            else self._comparisons.clause(aggregate, literals, "and").relative
            for aggregate, literals in by_aggregate.items()
        ]
        if summary.groups:
            return f"{self._noun(summary)} {listed(texts, 'and')}"
        texts = [
            text.replace("whose ", "the ", 1).replace("with ", "there are ", 1) for text in texts
        ]
        return f"if {listed(texts, 'and')}"

    def _counted(self, literals: Sequence[Literal]) -> str:
        """ "with more than 5 films" """
        texts = []
        for node, sign in literals:
            op, sign = ("EQ", not sign) if node.op == "NEQ" else (node.op, sign)
            value = canonical_operand(node.value)
            if not isinstance(value, Number):
                return self._comparisons.clause(_COUNT, literals, "and").relative
            if value.digits == "0" and op in ("EQ", "GR"):
                texts.append("no" if (op == "EQ") is sign else "any")
                continue
            number = _COUNTED[op].format(operand_phrase(node.value, self._names))
            texts.append(number if sign else f"not {number}")
        one = all(str(canonical_operand(node.value)) == "1" for node, _ in literals)
        noun = self._entity.singular if one else self._entity.plural
        return f"with {listed(texts, 'and')} {noun}"

    def _ranked(self, rank: Rank, summary: Summary) -> str:
        """ "only the 3 countries with the most films", or "most films first" """
        assert isinstance(rank.field, Aggregate)
        top = rank.direction == "top"
        name = aggregate_name(rank.field, self._names)
        in_time = rank.field.function != "count" and self._is_date(rank.field.field)
        best = ("latest" if top else "earliest") if in_time else "highest" if top else "lowest"
        if rank.field.function == "count":
            most = f"{'most' if top else 'fewest'} {name.removeprefix('number of ')}"
        else:
            most = name if name.startswith(f"{best} ") else f"{best} {name}"
        if rank.count is None:
            first = best if summary.aggregates == (rank.field,) else most
            return f"{first} first"
        one = rank.count == 1
        count = "" if one else f"{grouped(str(rank.count))} "
        if summary.filters or rank is not summary.ranks[0]:
            return f"of these the {count or 'one '}with the {most}"
        return f"only the {count}{self._noun(summary, one)} with the {most}"

    def _is_date(self, ref: FieldRef | None) -> bool:
        return ref is not None and is_date(ref, self._names)

    def _noun(self, summary: Summary, one: bool = False) -> str:
        """What a group is: "countries", "years", or "groups" if it is made by several."""
        noun = "group"
        if len(summary.groups) == 1:
            (group,) = summary.groups
            if isinstance(group.field, str):
                noun = group.field.lower()
            else:
                known = self._names.fields.get(group.field.token)
                labels = {enum.name: enum.label for enum in self._names.schema.enums}
                noun = field_name(FieldRef(group.field.token), self._names)
                noun = labels.get(known.type, noun) if known else "group"
        return noun if one or is_plural(noun) else plural_of(noun)
