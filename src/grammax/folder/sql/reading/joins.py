"""FROM as a tree: tables, joined along equal columns.

`FROM cast AS T1 JOIN film AS T2 ON T1.film_id = T2.id` is `( from cast ( join cast.film_id
film.id ) )`: the column of an earlier table comes first, and the second one says which table is
joined. Conditions of ON that are no such equality belong to WHERE, and `FROM cast, film WHERE
cast.film_id = film.id` is a join, too.
"""

from __future__ import annotations

from typing import Any, Final

from grammax.folder.sql.reading.conditions import joined
from grammax.folder.sql.reading.scope import Scope, instance_of
from grammax.folder.sql.reading.terms import unwrapped
from grammax.folder.sql.tree import Node
from grammax.folder.sql.unsupported import require_only, unsupported

JOIN: Final = "join"
LEFT_JOIN: Final = "left_join"
_JOINS: Final = ("this", "on", "using", "side", "kind")


class From:
    """A FROM: its tree, and the conditions that were left over for WHERE."""

    def __init__(self, tables: list[Any], joins: list[Any], where: Any, scope: Scope) -> None:
        self._scope = scope
        self.conditions = list(joined(where, "And")) if where is not None else []
        instances = [_enter(each, scope) for each in tables]
        entered = [(join, _enter(join.this, scope)) for join in joins]
        self._done = {instances[0]: None}  # in the order of the form
        self._parts: list[Node] = []
        pending: list[str] = []
        for join, instance in entered:
            if not self._explicit(join, instance):
                pending.append(instance)
            pending = self._implied(pending)
        if pending:
            name = next(each for join, each in entered if each in pending)
            node = next(join for join, each in entered if each == name)
            raise unsupported(
                "a join without an equality of columns", node,
                "Permitted is JOIN ... ON with equal columns of the two tables.",
            )  # fmt: skip
        self.node: Node = ("from", instances[0], *self._parts)
        self.is_reordered = list(self._done) != [instances[0], *(each for _, each in entered)]

    def _explicit(self, join: Any, instance: str) -> bool:
        """Add a join by its own ON or USING, and say whether it was possible."""
        require_only(join, "a join", *_JOINS)
        side, kind = join.args.get("side") or "", join.args.get("kind") or ""
        if side not in ("", "LEFT") or kind not in ("", "INNER", "CROSS", "OUTER"):
            raise unsupported(f"{side} {kind} JOIN".strip(), join)
        pairs, others = self._pairs(join, instance)
        if side and (others or not pairs):
            raise unsupported("LEFT JOIN with other conditions than equal columns", join)
        if pairs:
            self._add(LEFT_JOIN if side else JOIN, instance, pairs)
        self.conditions[:0] = others
        return bool(pairs)

    def _pairs(self, join: Any, instance: str) -> tuple[list[tuple[str, str]], list[Any]]:
        pairs: list[tuple[str, str]] = []
        others: list[Any] = []
        on = join.args.get("on")
        for condition in joined(on, "And") if on is not None else ():
            pair = self._pair(condition, instance)
            if pair is None:
                others.append(condition)
            elif pair not in pairs:
                pairs.append(pair)
        for name in join.args.get("using") or ():
            pairs.append(self._using(name, instance))
        return pairs, others

    def _pair(self, condition: Any, instance: str) -> tuple[str, str] | None:
        """The columns of an equality that joins an instance to what there is, the new one last."""
        condition = unwrapped(condition)
        if type(condition).__name__ != "EQ":
            return None
        sides = [unwrapped(condition.this), unwrapped(condition.expression)]
        if any(type(side).__name__ != "Column" for side in sides):
            return None
        if any(self._scope.is_text(side) for side in sides):
            return None
        left, right = (self._scope.find(side) for side in sides)
        if left is None or right is None:
            return None
        if instance_of(left) == instance:
            left, right = right, left
        fits = instance_of(right) == instance and instance_of(left) in self._done
        return (left, right) if fits else None

    def _using(self, name: Any, instance: str) -> tuple[str, str]:
        scope = self._scope
        for earlier in [*self._done]:
            pair = [f"{each}.{_own_name(scope, each, name.name)}" for each in (earlier, instance)]
            if not any(each.endswith(".") for each in pair):
                return pair[0], pair[1]
        raise unsupported(f"USING ({name.name}), which is not a column of both tables,", name)

    def _implied(self, pending: list[str]) -> list[str]:
        """Join the tables that a condition of WHERE joins; the others are left."""
        left = [*pending]
        progress = True
        while left and progress:
            progress = False
            for instance in left:
                for index, condition in enumerate(self.conditions):
                    pair = self._pair(condition, instance)
                    if pair is not None:
                        del self.conditions[index]
                        self._add(JOIN, instance, [pair])
                        left.remove(instance)
                        progress = True
                        break
                if progress:
                    break
        return left

    def _add(self, kind: str, instance: str, pairs: list[tuple[str, str]]) -> None:
        self._done[instance] = None
        self._parts.append((kind, *(column for pair in sorted(pairs) for column in pair)))


def _own_name(scope: Scope, instance: str, name: str) -> str:
    column = scope.schema.tables_by_token[instance.partition("#")[0]].column(name)
    return "" if column is None else column.token.partition(".")[2]


def _enter(table: Any, scope: Scope) -> str:
    if type(table).__name__ != "Table" or type(table.this).__name__ != "Identifier":
        raise unsupported("a join with a subquery", table)
    require_only(table, "a table", "this", "alias")
    if table.args.get("alias") is not None:
        require_only(table.args["alias"], "the name of a table", "this")
    return scope.enter(table.name, table.alias)
