"""Commands whose argument is a query: one may begin with a dash, and is no option for that."""

from __future__ import annotations

import re
from typing import Any, Final, final

from typer.core import TyperCommand

_QUERY: Final = re.compile(r"-(?=[^-])(?:[^A-Za-z]|.*\s)", re.DOTALL)


@final
class QueryCommand(TyperCommand):
    """Takes "-5% margin steel" for a query: what begins with a dash and is no name of an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, set_apart(args))


def set_apart(arguments: list[str]) -> list[str]:
    """The arguments with a query that begins with a dash behind "--", where none is an option.

    >>> set_apart(["-5% margin", "--best", "2"])
    ['--best', '2', '--', '-5% margin']
    """
    if "--" in arguments:
        return arguments
    queries = [argument for argument in arguments if _QUERY.match(argument)]
    if not queries:
        return arguments
    others = [argument for argument in arguments if not _QUERY.match(argument)]
    return [*others, "--", *queries]
