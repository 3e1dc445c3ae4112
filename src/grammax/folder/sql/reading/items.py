"""`Items`: what SELECT lists, which other clauses may call by its number or its name."""

from __future__ import annotations

from typing import Any, final

from grammax.folder.sql.reading.scope import Scope
from grammax.folder.sql.reading.terms import STAR, read_term, unwrapped
from grammax.folder.sql.tree import Node
from grammax.folder.sql.unsupported import UnknownName, require_only, unsupported


@final
class Items:
    """What SELECT lists, with the names that it gives."""

    def __init__(self, expressions: list[Any], scope: Scope) -> None:
        self.scope = scope
        self.nodes: list[Node] = []
        self._named: dict[str, Node] = {}
        self._expressions: dict[str, Any] = {}
        for each in expressions:
            item = unwrapped(each)
            if type(item).__name__ == "Alias":
                require_only(item, "a name", "this", "alias")
                node = self._item(unwrapped(item.this))
                self._named[item.alias.casefold()] = node
                self._expressions[item.alias.casefold()] = item.this
            else:
                node = self._item(item)
            self.nodes.append(node)

    @property
    def is_one_column(self) -> bool:
        """Whether there is one column."""
        [first, *others] = self.nodes
        return not others and not (isinstance(first, str) and first.endswith(STAR))

    def term(self, node: Any, *, aggregates: bool) -> Node:
        """A term of GROUP BY or ORDER BY, which may be the number or the name of an item."""
        node = unwrapped(node)
        if type(node).__name__ == "Literal" and not node.is_string:
            position = int(node.this) if node.this.isdigit() else 0
            if not 1 <= position <= len(self.nodes):
                raise UnknownName(f"SELECT has no column {node.this}; it has {len(self.nodes)}")
            found = self.nodes[position - 1]
            if isinstance(found, str) and found.endswith(STAR):
                raise unsupported("the number of a column with *", node)
            return self._checked(found, node, aggregates)
        if (
            type(node).__name__ == "Column"
            and not node.table
            and node.name.casefold() in self._named
        ):
            return self._checked(self._named[node.name.casefold()], node, aggregates)
        return read_term(node, self.scope, aggregates=aggregates)

    def spelt_out(self, condition: Any) -> Any:
        """A condition with items in place of their names, where no column is called so."""

        def spelt(node: Any) -> Any:
            named = type(node).__name__ == "Column" and not node.table
            item = self._expressions.get(node.name.casefold()) if named else None
            return node if item is None or self.scope.find(node) else item.copy()

        return condition.transform(spelt)

    def _checked(self, found: Node, node: Any, aggregates: bool) -> Node:
        if not aggregates and not isinstance(found, str):
            raise unsupported("GROUP BY with something that is no column", node)
        return found

    def _item(self, node: Any) -> Node:
        kind = type(node).__name__
        inner = node.this if kind == "Column" else node
        if type(inner).__name__ == "Star":
            if any(inner.args.values()):
                raise unsupported("* with exceptions", node)
            if inner is node:
                return STAR
            instance = self.scope.instance(node.table)
            if instance is None:
                raise UnknownName(f"there is no table {node.table} in FROM")
            return f"{instance}.{STAR}"
        return read_term(node, self.scope, aggregates=True)
