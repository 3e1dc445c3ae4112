"""Single constraints in English; constraints on the same field are merged.

"made in Western Europe, except Germany" · "whose budget is above $1 million" · "among the 10
largest by box office". Fields without a phrase of their own are stated by "whose ... is ...".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from grammax.tables.english.phrases import (
    field_name,
    grouped,
    is_plural,
    listed,
    operand_phrase,
    time_phrase,
    value_name,
)
from grammax.tables.form.tree import (
    And,
    Display,
    EnumValue,
    FieldRef,
    LogicalForm,
    Or,
    Rank,
    Relational,
)
from grammax.tables.form.typecheck import CatalogueView
from grammax.tables.schema import Phrase

Signed: TypeAlias = tuple[LogicalForm, bool]
"""A constraint other than NOT, and whether it is affirmed (True) or negated."""

_COMPARED: Final = {
    "EQ": "{}",
    "LS": "below {}",
    "LE": "at most {}",
    "GR": "above {}",
    "GE": "at least {}",
}
_RATED: Final = {**_COMPARED, "LE": "{} or below", "GE": "{} or above"}


@final
@dataclass(frozen=True, slots=True)
class Clause:
    """A clause after the noun; `plain` is empty if only a relative clause is possible."""

    plain: str
    relative: str


@final
class Clauses:
    """States constraints in the words of a catalogue."""

    def __init__(self, names: CatalogueView) -> None:
        self._names = names
        self._schema = names.schema
        self._unordered = {enum.name for enum in names.lexicon.enums if not enum.ordered}

    def state(self, members: Iterable[Signed], word: str) -> list[Clause | tuple[And | Or, bool]]:
        """Clauses in the order of the members; AND and OR are passed through."""
        by_field: dict[FieldRef, list[tuple[Relational, bool]]] = {}
        in_order: list[FieldRef | Signed] = []
        for node, sign in members:
            if not isinstance(node, Relational):
                in_order.append((node, sign))
                continue
            if node.field not in by_field:
                in_order.append(node.field)
            by_field.setdefault(node.field, []).append((node, sign))
        found: list[Clause | tuple[And | Or, bool]] = []
        for item in in_order:
            if isinstance(item, FieldRef):
                found += self._relational(item, by_field[item], word)
                continue
            node, sign = item
            if isinstance(node, Rank):
                found.append(self._rank(node, sign))
            elif isinstance(node, Display):
                name = field_name(node.field, self._names)
                shown = "is shown" if sign else "is not shown"
                found.append(Clause("", f"for which {name} {shown}"))
            elif isinstance(node, And | Or):
                found.append((node, sign))
        return found

    def ranked(self, rank: Rank) -> str:
        """The rows of a rank: "the 10 largest films by box office"."""
        name, most = field_name(rank.field, self._names), self._most(rank)
        count = "" if rank.count == 1 else f"{grouped(str(rank.count))} "
        entity = self._schema.entity
        noun = entity.singular if rank.count == 1 else entity.plural
        if self._is_size(rank.field):
            return f"the {count}{most} {noun} by {name}"
        return f"the {count}{noun} with the {most} {name}"

    def shown(self, columns: Sequence[Display]) -> list[str]:
        """The columns and the order of the answer: ", showing price, sorted by price, ..."."""
        if not columns:
            return []
        names = [field_name(column.field, self._names) for column in columns]
        text = f", showing {listed(list(dict.fromkeys(names)), 'and')}"
        sorts = [
            f"{name}, {self._first(column)}"
            for name, column in zip(names, columns, strict=True)
            if column.order
        ]
        return [text, *(f", sorted by {', then by '.join(sorts)}" for _ in sorts[:1])]

    def _relational(
        self, ref: FieldRef, literals: Sequence[tuple[Relational, bool]], word: str
    ) -> list[Clause]:
        phrase = self._schema.phrases.get(ref.token)
        values: list[tuple[str, bool]] = []
        for node, sign in literals:
            if isinstance(node.value, EnumValue) and node.op in ("EQ", "NEQ"):
                values.append((node.value.token, sign is (node.op == "EQ")))
        if phrase is None or len(values) < len(literals):
            return [self._whose(ref, literals, word)]
        return self._phrased(ref, phrase, dict.fromkeys(values), word)

    def _whose(
        self, ref: FieldRef, literals: Sequence[tuple[Relational, bool]], word: str
    ) -> Clause:
        name = field_name(FieldRef(ref.token), self._names)
        verb = ("are" if is_plural(name) else "is") if ref.time is None else "was"
        verb = "were" if verb == "was" and is_plural(name) else verb
        text = listed(list(dict.fromkeys(self._compared(*one) for one in literals)), word)
        return Clause("", f"whose {field_name(ref, self._names)} {verb} {text}")

    def _compared(self, node: Relational, sign: bool) -> str:
        enum = isinstance(node.value, EnumValue)
        op, sign = ("EQ", not sign) if node.op == "NEQ" else (node.op, sign)
        value = operand_phrase(node.value, self._names)
        if isinstance(node.value, FieldRef):
            value = f"their {value}"
        elif isinstance(node.value, EnumValue):
            value = self._after_field(value, node.value.token, node.field)
        text = (_RATED if enum else _COMPARED)[op].format(value)
        return text if sign else f"not {text}"

    def _after_field(self, name: str, token: str, ref: FieldRef) -> str:
        """A value's name after "whose ... is": "outlook is positive", not "Positive outlook"."""
        known = self._names.values.get(token)
        last = field_name(FieldRef(ref.token), self._names).rpartition(" ")[2]
        form = self._schema.after_is.get(known.type if known else "", str)
        return form(name).removesuffix(f" {last}")

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
        return texts + ([f"not {self._say(ref, phrase, list(outside))}"] if outside else [])

    def _say(self, ref: FieldRef, phrase: Phrase, tokens: Sequence[str]) -> str:
        names = [phrase.name(value_name(token, self._names)) for token in tokens]
        time = "" if ref.time is None else f" {time_phrase(ref.time)}"
        return phrase.template.format(listed(names, "or")) + time

    def _rank(self, rank: Rank, sign: bool) -> Clause:
        text = self._among(rank) if sign else f"not {self._among(rank)}"
        return Clause("" if rank.count == 1 else text, f"that are {text}")

    def _among(self, rank: Rank) -> str:
        name, most = field_name(rank.field, self._names), self._most(rank)
        among = "" if rank.count == 1 else f"among the {grouped(str(rank.count))} "
        if self._is_size(rank.field):
            return f"{among or 'the '}{most} by {name}"
        return f"{among or 'the one '}with the {most} {name}"

    def _most(self, rank: Rank) -> str:
        if self._is_size(rank.field):
            return "largest" if rank.direction == "top" else "smallest"
        return "highest" if rank.direction == "top" else "lowest"

    def _is_size(self, ref: FieldRef) -> bool:
        known = self._names.fields.get(ref.token)
        return known is not None and self._schema.is_size(known.type)

    def _first(self, column: Display) -> str:
        known = self._names.fields.get(column.field.token)
        if known is not None and known.type in self._unordered:
            return "A to Z" if column.order == "ASC" else "Z to A"
        return "lowest first" if column.order == "ASC" else "highest first"


def _plain(text: str, verb: str = "are") -> Clause:
    return Clause(text, f"that {verb} {text}")
