"""Writes the grammar of a schema, in lark's notation.

Goes in: a schema, what pairs show, and the values of columns. Comes out: a grammar that has the
columns of the tables in FROM alone, joins along foreign keys, and beside each column its own
values; and for each token of a column or a value the kind in which tables of tokens list it.

A rule of one table is called by it (`compare__film`), one of several by all
(`where__film_role`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from grammax.folder.sql.cells import (
    Cell,
    ColumnKinds,
    Names,
    cells_of,
    column_kinds,
    of_instance,
)
from grammax.folder.sql.observed import RARE, Observed
from grammax.folder.sql.reading.joins import LEFT_JOIN
from grammax.folder.sql.reading.scope import base_token, instance_of, table_of
from grammax.folder.sql.reading.statement import SET_OPERATIONS, UNION_ALL
from grammax.folder.sql.schema import SECOND, Schema
from grammax.folder.sql.scopes import TableSet, all_links, table_sets
from grammax.folder.sql.values import Values

_HEADER: Final = """\
// Queries of a database, written by `grammax new` from its schema; lark's notation.
// FROM comes first, so that only columns of its tables follow. The kinds that are declared at the
// end are columns and their values, which tables of tokens list, and what a query itself fills.
"""
NUMBER, LISTED_NUMBER = "NUMBER", "LISTED_NUMBER"
COUNT, LISTED_COUNT = "COUNT", "LISTED_COUNT"
TEXT, LISTED_TEXT = "TEXT", "LISTED_TEXT"
PATTERN: Final = "PATTERN"
_ALL: Final = "all"  # the columns of a set operation of `*`, before their number


@final
@dataclass(frozen=True, slots=True)
class SqlGrammar:
    """A grammar as text, and the kinds of what tables of tokens list."""

    text: str
    column_kinds: Mapping[str, str]
    texts: ColumnKinds  # kinds of texts, by column


def sql_grammar(
    schema: Schema,
    found: Observed,
    values: Mapping[str, Values],
    rare: Iterable[str] | None = None,
) -> SqlGrammar:
    """The grammar of a schema; it has the constructs in `RARE` of pairs, or those given."""
    return _Writer(schema, found, values, frozenset(found.rare if rare is None else rare)).grammar()


class _Writer:
    def __init__(
        self, schema: Schema, found: Observed, values: Mapping[str, Values], rare: frozenset[str]
    ) -> None:
        assert rare <= {*RARE}
        self._schema, self._found, self._values, self._rare = schema, found, values, rare
        self._kinds, self._rules = Names(upper=True), Names(upper=False)
        self._texts = column_kinds(values, self._kinds)
        joined = {column for link in all_links(schema, found) for column in link.columns}
        uses = (values, self._texts, joined, found.summed, self._kinds)
        self._cells = {table.token: list(cells_of(table, *uses)) for table in schema.tables}
        widths = sorted({1, 2, *found.widths})
        self._widths = [str(each) if each > 0 else f"{_ALL}{-each}" for each in widths]
        self._sets = table_sets(schema, found)
        self._names = {each.instances: self._rule_name(each.name) for each in self._sets}

    def grammar(self) -> SqlGrammar:
        lines = [_HEADER, *self._queries()]
        for instance in sorted({each for some in self._sets for each in some.instances}):
            lines += ["", *self._table(instance)]
        for each in self._sets:
            lines += ["", *self._set(each)]
        kinds: dict[str, str] = {}
        for instance in sorted({each for some in self._sets for each in some.instances}):
            for cell in self._cells[table_of(instance)]:
                for column in cell.columns:
                    kinds[of_instance(instance, column)] = self._kind(cell, instance)
        declared = [*dict.fromkeys(kinds.values()), *self._texts.listed.values()]
        declared += [*self._texts.filled.values(), NUMBER, COUNT, TEXT, *self._listed]
        lines += ["", *(f"%declare {kind}" for kind in declared), ""]
        return SqlGrammar("\n".join(lines), kinds, self._texts)

    def _rule_name(self, tables: str) -> str:
        """The end of the names of rules about some tables; what is before it has no `__`."""
        return f"_{self._rules.name(tables)}"

    @property
    def _listed(self) -> list[str]:
        """The kinds of numbers and texts that a table lists."""
        found = self._found
        some = (
            (LISTED_NUMBER, found.listed_numbers), (LISTED_COUNT, found.listed_counts),
            (LISTED_TEXT, found.listed_texts), (PATTERN, found.patterns),
        )  # fmt: skip
        return [kind for kind, tokens in some if tokens]

    def _kind(self, cell: Cell, instance: str) -> str:
        """The kind of the columns of a cell, in an instance of their table."""
        number = instance.partition(SECOND)[2]
        return self._kinds.name(cell.kind, number) if number else cell.kind

    def _queries(self) -> Iterator[str]:
        names = [self._names[each.instances] for each in self._sets]
        signs = [*SET_OPERATIONS, *({UNION_ALL} & self._rare)]
        yield f"SET: {' | '.join(_quoted(signs))}"
        yield f"query: select | {' | '.join(f'combined_{each}' for each in self._widths)}"
        yield "single: one_column | combined_1"
        for label in self._widths:
            yield f'combined_{label}: "(" SET side_{label} operand_{label} ")"'
            yield f"side_{label}: operand_{label} | combined_{label}"
            yield _rule(
                f"operand_{label}",
                [
                    f"operand_{label}_{self._names[each.instances]}"
                    for each in self._sets
                    if self._has_width(each, label)
                ],
            )
        counted = '"(" "select" "(" "from" query ")" "(" "show" count_all ")" ")"'
        yield _rule("select", [*(f"select_{name}" for name in names), counted])
        yield _rule("one_column", [*(f"single_{name}" for name in names), counted])
        yield 'count_all: "(" "count" "*" ")"'
        yield 'limited: ")" | "(" "first" ")" ")" | "(" "limit" count ")" ")"'
        yield 'EQUALITY: "=" | "!="'
        yield 'ORDER: "<" | "<=" | ">" | ">="'
        yield 'EXTREME: "min" | "max"'
        yield 'TOTAL: "sum" | "avg"'
        yield 'DIRECTION: "asc" | "desc"'
        listed = self._listed
        counts = [COUNT, *([LISTED_COUNT] if LISTED_COUNT in listed else [])]
        numbers = [kind for kind in (LISTED_NUMBER, LISTED_COUNT) if kind in listed]
        yield f"number: {' | '.join([NUMBER, *numbers])}"
        yield f"count: {' | '.join(counts)}"
        yield f"text: {TEXT}" + (f" | {LISTED_TEXT}" if LISTED_TEXT in listed else "")
        yield 'SHAPE: "contains" | "begins" | "ends"'
        if "arithmetic" in self._rare:
            yield 'ARITHMETIC: "plus" | "minus" | "times" | "over"'

    def _has_width(self, tables: TableSet, label: str) -> bool:
        """Whether the tables can be an operand of a set operation of this width."""
        if not label.startswith(_ALL):
            return True
        listed = [self._schema.tables_by_token[table_of(each)] for each in tables.instances]
        return label == f"{_ALL}{sum(len(table.columns) for table in listed)}"

    def _table(self, instance: str) -> Iterator[str]:
        """The columns of a table, and the conditions on one of them."""
        name = self._rule_name(instance)
        cells = [(self._kind(cell, instance), cell) for cell in self._cells[table_of(instance)]]
        yield _rule(f"column_{name}", [kind for kind, _ in cells])
        summed = [kind for kind, cell in cells if cell.is_summed]
        if summed:
            yield _rule(f"number_{name}", summed)
        options = [f'"(" "null" column_{name} ")"']
        options.append(f'"(" SHAPE column_{name} text ")"')
        if self._found.patterns:
            options.append(f'"(" "like" column_{name} {PATTERN} ")"')
        for kind, cell in cells:
            if not cell.values:
                continue
            value = cell.values[0] if len(cell.values) == 1 else f"({' | '.join(cell.values)})"
            options.append(f'"(" EQUALITY {kind} {value} ")"')
            options.append(f'"(" "in" {kind} {value}+ ")"')
            if cell.is_ordered:
                options.append(f'"(" ORDER {kind} {value} ")"')
                options.append(f'"(" "between" {kind} {value} {value} ")"')
        yield _rule(f"compare_{name}", options)

    def _set(self, tables: TableSet) -> Iterator[str]:
        """The queries of some tables."""
        n = self._names[tables.instances]
        instances = sorted(tables.instances)
        yield f'select_{n}: "(" "select" from_{n} show_{n} after_show_{n}'
        yield f'single_{n}: "(" "select" from_{n} show_one_{n} after_show_{n}'
        for label in self._widths:
            if self._has_width(tables, label):
                yield f'operand_{label}_{n}: "(" "select" from_{n} {_show(label, n)} unsorted_{n}'
        yield f"after_show_{n}: where_{n} after_where_{n} | after_where_{n}"
        yield f"after_where_{n}: group_{n} after_group_{n} | order_{n} limited | limited"
        yield f"after_group_{n}: order_groups_{n} limited | limited"
        yield f"unsorted_{n}: where_{n} ungrouped_{n} | ungrouped_{n}"
        yield f'ungrouped_{n}: group_{n} ")" | ")"'
        yield f'from_{n}: "(" "from" path_{n} ")"'
        yield _rule(f"path_{n}", self._paths(tables))
        stars = ['"*"']
        if "table.*" in self._rare:
            stars += _quoted([f"{each}.*" for each in instances])
        yield f'show_{n}: "(" "show" "distinct"? item_{n}+ ")"'
        yield f'show_one_{n}: "(" "show" "distinct"? term_{n} ")"'
        yield f"item_{n}: term_{n} | {' | '.join(stars)}"
        yield from self._terms(n, instances)
        yield f'where_{n}: "(" "where" condition_{n} ")"'
        yield from self._conditions("condition", f"atom_{n}", n)
        yield f'group_{n}: "(" "group" column_{n}+ having_{n}? ")"'
        yield f'having_{n}: "(" "having" having_condition_{n} ")"'
        yield from self._conditions("having_condition", f"group_atom_{n}", n)
        yield from self._atoms(n, instances)
        sums = f" | sum_{n}" if "arithmetic" in self._rare else ""
        yield f'order_{n}: "(" "order" key_{n}+ ")"'
        yield f'key_{n}: "(" DIRECTION (column_{n}{sums}) ")"'
        yield f'order_groups_{n}: "(" "order" key_of_groups_{n}+ ")"'
        yield f'key_of_groups_{n}: "(" DIRECTION term_{n} ")"'

    def _paths(self, tables: TableSet) -> Iterator[str]:
        if len(tables.instances) == 1:
            yield from _quoted(tables.instances)
        joins = ["join", *({LEFT_JOIN} & self._rare)]
        for step in tables.steps:
            columns = " ".join(self._only(each) for each in step.columns)
            for join in joins:
                yield f'path_{self._names[step.before]} "(" "{join}" {columns} ")"'

    def _only(self, column: str) -> str:
        """The kind of a column that joins: it is the only one of its kind."""
        instance, base = instance_of(column), base_token(column)
        cells = self._cells[table_of(instance)]
        cell = next(cell for cell in cells if base in cell.columns)
        return self._kind(cell, instance)

    def _terms(self, n: str, instances: Sequence[str]) -> Iterator[str]:
        if len(instances) > 1 or self._rule_name(instances[0]) != n:
            yield _rule(f"column_{n}", [f"column_{self._rule_name(each)}" for each in instances])
        summed = [
            f"number_{self._rule_name(each)}"
            for each in instances
            if any(cell.is_summed for cell in self._cells[table_of(each)])
        ]
        arithmetic = "arithmetic" in self._rare
        options = ["count_all"]
        for name in ('"count"', "EXTREME"):
            options += [f'"(" {name} "distinct"? column_{n} ")"']
        for each in summed:
            options += [f'"(" TOTAL "distinct"? {each} ")"']
        if arithmetic:
            options += [f'"(" {name} sum_{n} ")"' for name in ('"count"', "EXTREME", "TOTAL")]
            yield f'sum_{n}: "(" ARITHMETIC sum_part_{n} sum_part_{n} ")"'
            yield f"sum_part_{n}: column_{n} | sum_{n} | number"
            yield f'mixed_{n}: "(" ARITHMETIC mixed_part_{n} mixed_part_{n} ")"'
            yield f"mixed_part_{n}: column_{n} | aggregate_{n} | mixed_{n} | number"
        yield _rule(f"aggregate_{n}", options)
        yield f"term_{n}: column_{n} | aggregate_{n}" + f" | mixed_{n}" * arithmetic

    def _conditions(self, name: str, atom: str, n: str) -> Iterator[str]:
        """AND, OR and NOT of conditions, AND in no AND and OR in no OR."""
        yield f"{name}_{n}: {name}_and_{n} | {name}_or_{n} | {name}_not_{n} | {atom}"
        yield f"{name}_in_and_{n}: {name}_or_{n} | {name}_not_{n} | {atom}"
        yield f"{name}_in_or_{n}: {name}_and_{n} | {name}_not_{n} | {atom}"
        yield f'{name}_and_{n}: "(" "and" {name}_in_and_{n} {name}_in_and_{n}+ ")"'
        yield f'{name}_or_{n}: "(" "or" {name}_in_or_{n} {name}_in_or_{n}+ ")"'
        yield f'{name}_not_{n}: "(" "not" {name}_{n} ")"'

    def _atoms(self, n: str, instances: Sequence[str]) -> Iterator[str]:
        options = [f"compare_{self._rule_name(each)}" for each in instances]
        options += [f'"(" "in" column_{n} single ")"']
        for sign in ("EQUALITY", "ORDER"):
            options += [f'"(" {sign} column_{n} {right} ")"' for right in (f"column_{n}", "single")]
        if "exists" in self._rare:
            options.append('"(" "exists" query ")"')
        yield _rule(f"base_{n}", options)
        row, group = [f"base_{n}"], [f"base_{n}"]
        arithmetic = "arithmetic" in self._rare
        over_groups = [f"aggregate_{n}", *([f"mixed_{n}"] if arithmetic else [])]
        for sign in ("EQUALITY", "ORDER"):
            for left in over_groups:
                rights = ("number", f"column_{n}", *over_groups, "single")
                group += [f'"(" {sign} {left} {right} ")"' for right in rights]
                group.append(f'"(" {sign} column_{n} {left} ")"')
            if arithmetic:
                rights = ("number", f"column_{n}", f"sum_{n}", "single")
                row += [f'"(" {sign} sum_{n} {right} ")"' for right in rights]
                row.append(f'"(" {sign} column_{n} sum_{n} ")"')
        group += [f'"(" "between" {left} number number ")"' for left in over_groups]
        if arithmetic:
            row.append(f'"(" "between" sum_{n} number number ")"')
        yield _rule(f"atom_{n}", row)
        yield _rule(f"group_atom_{n}", group)


def _show(label: str, n: str) -> str:
    """What an operand of a set operation shows."""
    if label == "1":
        return f"show_one_{n}"
    shown = '"*"' if label.startswith(_ALL) else " ".join([f"term_{n}"] * int(label))
    return f'"(" "show" "distinct"? {shown} ")"'


def _rule(name: str, options: Iterable[str]) -> str:
    first, *others = options
    return "\n".join([f"{name}: {first}", *(f"    | {each}" for each in others)])


def _quoted(tokens: Iterable[str]) -> list[str]:
    return [f'"{token}"' for token in tokens]
