"""The sets of tables that a FROM may join, and the ways in which each is reached.

Goes in: a schema, and what pairs show. Comes out: `Scope`s, each with the steps by which a table is
joined to a smaller one. Tables are joined along foreign keys, by columns that refer to the same
one, and along links that a pair has; sets of more tables than fit are left out, except those of
pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, final

from grammax.folder.sql.observed import Observed
from grammax.folder.sql.reading.scope import base_token, instance_of, table_of
from grammax.folder.sql.schema import Link, Schema

_MOST: Final = 40  # sets of tables, beside those of pairs; of a large schema three per table, but
_ALL: Final = 80  # not more than these
_TABLES: Final = 4  # in a set that no pair has


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A join: the scope before it, and the columns that are equal, in the order of a form."""

    before: frozenset[str]
    columns: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class TableSet:
    """Tables that a FROM joins; steps lead to it, one table has none."""

    instances: frozenset[str]
    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        """A name, which no table has if there are several."""
        return "+".join(sorted(self.instances))


def table_sets(schema: Schema, found: Observed) -> list[TableSet]:
    """The sets of tables, small ones first."""
    links = all_links(schema, found)
    sets = dict.fromkeys(frozenset((table.token,)) for table in schema.tables)
    for scope in found.scopes:
        sets.update(dict.fromkeys(frozenset(scope[:end]) for end in range(1, len(scope) + 1)))
    most = max(_MOST, min(3 * len(schema.tables), _ALL))
    level: Iterable[frozenset[str]] = [each for each in sets if len(each) == 1]
    for _ in range(_TABLES - 1):
        level = dict.fromkeys(
            each | {added} for each in level for added in _neighbours(each, links)
        )
        new = [each for each in level if each not in sets]
        if len(sets) + len(new) > most:  # first those that foreign keys join
            new.sort(key=lambda each: not _is_joined_by(each, schema.links))
            sets.update(dict.fromkeys(new[: max(0, most - len(sets))]))
            break
        sets.update(dict.fromkeys(new))
    ranked = sorted(sets, key=lambda each: (len(each), sorted(each)))
    return [TableSet(each, tuple(_steps(each, sets, links))) for each in ranked]


def all_links(schema: Schema, found: Observed) -> list[Link]:
    """Foreign keys, columns that refer to the same one, and links of pairs, in both directions."""
    siblings = (
        Link(one.columns, other.columns)
        for one, other in combinations(schema.links, 2)
        if one.others == other.others
        and instance_of(one.columns[0]) != instance_of(other.columns[0])
    )
    some = (*schema.links, *siblings, *found.links)
    return list(dict.fromkeys(side for link in some for side in (link, link.reversed)))


def _is_joined_by(tables: frozenset[str], links: Iterable[Link]) -> bool:
    """Whether two of the tables are joined by one of the links."""
    ends = ((instance_of(link.columns[0]), instance_of(link.others[0])) for link in links)
    return any(tables.issuperset(each) and len({*each}) == 2 for each in ends)


def _neighbours(tables: frozenset[str], links: Sequence[Link]) -> dict[str, None]:
    """The tables that a link leads to, each for the first time, in the order of the links."""
    here = {table_of(each) for each in tables}
    return dict.fromkeys(
        instance_of(link.others[0])
        for link in links
        if instance_of(link.columns[0]) in here and instance_of(link.others[0]) not in here
    )


def _steps(
    tables: frozenset[str], sets: Iterable[frozenset[str]], links: Sequence[Link]
) -> Iterator[Step]:
    known = {*sets}
    for added in sorted(tables):
        before = tables - {added}
        if before not in known or not before:
            continue
        for link in links:
            if instance_of(link.others[0]) != table_of(added):
                continue
            for earlier in sorted(before):
                if table_of(earlier) == instance_of(link.columns[0]):
                    yield Step(before, _columns(link, earlier, added))


def _columns(link: Link, earlier: str, added: str) -> tuple[str, ...]:
    """The columns of a join in the order in which a form has them."""
    pairs = sorted(
        (_of(earlier, left), _of(added, right))
        for left, right in zip(link.columns, link.others, strict=True)
    )
    return tuple(column for pair in pairs for column in pair)


def _of(instance: str, column: str) -> str:
    return f"{instance}.{base_token(column).partition('.')[2]}"
