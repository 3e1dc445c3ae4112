"""Single constraints in English; constraints on the same field are merged.

"made in Western Europe, except Germany" · "whose budget is above $1 million" · "among the 10
largest by box office". Fields without a phrase of their own are stated by "whose ... is ...".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, final

from grammax.tables.english.comparisons import Clause as Clause
from grammax.tables.english.comparisons import Comparisons, Literal
from grammax.tables.english.phrases import (
    field_name,
    group_name,
    grouped,
    is_date,
    is_size,
    is_year,
    listed,
    measure_name,
    time_phrase,
    value_name,
)
from grammax.tables.form.judgement import CatalogueView
from grammax.tables.form.tree import (
    Aggregate,
    And,
    Display,
    EnumValue,
    FieldRef,
    Group,
    LogicalForm,
    Measure,
    Or,
    Rank,
    Ratio,
    Relational,
    Text,
)
from grammax.tables.schema import Phrase

Signed: TypeAlias = tuple[LogicalForm, bool]
"""A constraint other than NOT, and whether it is affirmed (True) or negated."""


@final
class Clauses:
    """States constraints in the words of a catalogue."""

    def __init__(self, names: CatalogueView) -> None:
        self._names = names
        self._schema = names.schema
        self._comparisons = Comparisons(names)
        self._unordered = {enum.name for enum in names.lexicon.enums if not enum.ordered}

    def state(self, members: Iterable[Signed], word: str) -> list[Clause | tuple[And | Or, bool]]:
        """Clauses in the order of the members; AND and OR are passed through."""
        by_field: dict[Measure | Aggregate, list[Literal]] = {}
        in_order: list[Measure | Aggregate | Signed] = []
        for node, sign in members:
            if not isinstance(node, Relational):
                in_order.append((node, sign))
                continue
            if node.field not in by_field:
                in_order.append(node.field)
            by_field.setdefault(node.field, []).append((node, sign))
        found: list[Clause | tuple[And | Or, bool]] = []
        for item in in_order:
            if not isinstance(item, tuple):
                found += self._relational(item, by_field[item], word)
                continue
            node, sign = item
            if isinstance(node, And | Or):
                found.append((node, sign))
            elif isinstance(node, Rank):
                found.append(self._rank(node, sign))
            else:
                found.append(Clause("", f"for which {self._asked(node, sign)}"))
        return found

    def ranked(self, rank: Rank) -> str:
        """The rows of a rank: "the 10 largest films by box office"."""
        name, most = self._ranked_name(rank), self._most(rank)
        entity = self._schema.entity
        if rank.count is None:
            return f"the {entity.plural} with a known {name}"
        count = "" if rank.count == 1 else f"{grouped(str(rank.count))} "
        noun = entity.singular if rank.count == 1 else entity.plural
        if self._is_size(rank):
            return f"the {count}{most} {noun} by {name}"
        return f"the {count}{noun} with the {most} {name}"

    def first(self, rank: Rank) -> str:
        """The order of a rank without a count: "by box office, largest first"."""
        return f"by {measure_name(rank.field, self._names)}, {self._most(rank)} first"

    def shown(self, columns: Sequence[Display]) -> list[str]:
        """The columns and the order of the answer: ", showing price, sorted by price, ..."."""
        if not columns:
            return []
        names = [measure_name(column.field, self._names) for column in columns]
        text = f", showing {listed(list(dict.fromkeys(names)), 'and')}"
        sorts = [
            f"{name}, {self._first(column)}"
            for name, column in zip(names, columns, strict=True)
            if column.order
        ]
        return [text, *(f", sorted by {', then by '.join(sorts)}" for _ in sorts[:1])]

    def _asked(self, node: LogicalForm, sign: bool) -> str:
        """A column, an aggregate or a group where only a constraint makes sense."""
        if isinstance(node, Group):
            return f"groups by {group_name(node, self._names)} are {'' if sign else 'not '}made"
        assert isinstance(node, Display | Aggregate)
        measure = node.field if isinstance(node, Display) else node
        return f"{measure_name(measure, self._names)} is {'' if sign else 'not '}shown"

    def _relational(
        self, of: Measure | Aggregate, literals: Sequence[Literal], word: str
    ) -> list[Clause]:
        texts = [literal for literal in literals if isinstance(literal[0].value, Text)]
        if texts and len(texts) < len(literals):
            others = [literal for literal in literals if literal not in texts]
            return [*self._relational(of, others, word), *self._relational(of, texts, word)]
        phrase = self._schema.phrases.get(of.token) if isinstance(of, FieldRef) else None
        values: list[tuple[str, bool]] = []
        for node, sign in literals:
            if isinstance(node.value, EnumValue) and node.op in ("EQ", "NEQ"):
                values.append((node.value.token, sign is (node.op == "EQ")))
        if phrase is None or len(values) < len(literals) or not isinstance(of, FieldRef):
            return [self._comparisons.clause(of, literals, word)]
        return self._phrased(of, phrase, dict.fromkeys(values), word)

    def _phrased(
        self, ref: FieldRef, phrase: Phrase, values: Iterable[tuple[str, bool]], word: str
    ) -> list[Clause]:
        wanted = [token for token, sign in values if sign]
        unwanted = [token for token, sign in values if not sign]
        if word == "or":
            texts = [self._say(ref, phrase, wanted)] if wanted else []
            texts += [f"not {self._say(ref, phrase, [token])}" for token in unwanted]
        else:
            texts = self._with_exceptions(ref, phrase, wanted, unwanted)
        return [_plain(one, "are" if ref.time is None else "were") for one in texts]

    def _with_exceptions(
        self, ref: FieldRef, phrase: Phrase, wanted: Sequence[str], unwanted: Sequence[str]
    ) -> list[str]:
        """Each included value with the excluded ones inside it; then the other excluded ones."""
        outside = dict.fromkeys(unwanted)
        texts = []
        for token in wanted:
            known = outside and token in self._names.values
            inside = [t for t in self._names.descendants(token) if t in outside] if known else []
            outside = {t: None for t in outside if t not in inside}
            names = [phrase.short(value_name(one, self._names)) for one in inside]
            except_ = f", except {listed(names, 'and')}" if names else ""
            texts.append(self._say(ref, phrase, [token]) + except_)
        if not any("," in text for text in texts):
            texts = [listed(texts, "and")] if texts else []
        return texts + ([f"not {self._say(ref, phrase, list(outside))}"] if outside else [])

    def _say(self, ref: FieldRef, phrase: Phrase, tokens: Sequence[str]) -> str:
        names = [phrase.name(value_name(token, self._names)) for token in tokens]
        time = "" if ref.time is None else f" {time_phrase(ref.time)}"
        return phrase.template.format(listed(names, "or")) + time

    def _rank(self, rank: Rank, sign: bool) -> Clause:
        text = self._among(rank) if sign else f"not {self._among(rank)}"
        text = text.replace("not with a known", "without a known", 1)
        return Clause("" if rank.count == 1 else text, f"that are {text}")

    def _among(self, rank: Rank) -> str:
        name, most = self._ranked_name(rank), self._most(rank)
        if rank.count is None:
            return f"with a known {name}"
        among = "" if rank.count == 1 else f"among the {grouped(str(rank.count))} "
        if self._is_size(rank):
            return f"{among or 'the '}{most} by {name}"
        return f"{among or 'the one '}with the {most} {name}"

    def _ranked_name(self, rank: Rank) -> str:
        """The name after "with the highest": "ratio of gross to budget"."""
        if isinstance(rank.field, Ratio):
            above, below = rank.field.numerator, rank.field.denominator
            return f"ratio of {field_name(above, self._names)} to {field_name(below, self._names)}"
        return measure_name(rank.field, self._names)

    def _most(self, rank: Rank) -> str:
        if self._is_in_time(rank.field):
            return "latest" if rank.direction == "top" else "earliest"
        if self._is_size(rank):
            return "largest" if rank.direction == "top" else "smallest"
        return "highest" if rank.direction == "top" else "lowest"

    def _is_size(self, rank: Rank) -> bool:
        """Whether an adjective says it: "the largest films by budget", "the latest by date"."""
        if not isinstance(rank.field, FieldRef):
            return False
        return is_size(rank.field, self._names) or is_date(rank.field, self._names)

    def _is_in_time(self, of: Measure | Aggregate) -> bool:
        """Whether a field has dates or years: the greatest is the latest."""
        if not isinstance(of, FieldRef):
            return False
        return is_date(of, self._names) or is_year(of, self._names)

    def _first(self, column: Display) -> str:
        token = column.field.token if isinstance(column.field, FieldRef) else ""
        known = self._names.fields.get(token)
        if known is not None and known.type in self._unordered:
            return "A to Z" if column.order == "ASC" else "Z to A"
        if self._is_in_time(column.field):
            return "earliest first" if column.order == "ASC" else "latest first"
        return "lowest first" if column.order == "ASC" else "highest first"


def _plain(text: str, verb: str = "are") -> Clause:
    return Clause(text, f"that {verb} {text}")
