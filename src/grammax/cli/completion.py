"""Values that the shell of the user's system completes: domains, grammars and splits.

Typer completes commands, options and choices (`grammax --install-completion`). It is told these
values only where completion is under way, as that is when they are looked up.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, Final, get_args, get_type_hints

import typer

from grammax.errors import GrammaxError

_VARIABLE: Final = "_GRAMMAX_COMPLETE"  # set by the scripts that Typer installs


def complete_values(app: typer.Typer) -> None:
    """Let all commands complete the values of their parameters, if completion is under way."""
    if _VARIABLE in os.environ:
        for function in _functions(app):
            add_values(function)


def add_values(function: Callable[..., Any]) -> None:
    """Say how the parameters of a command that take one of some names are completed."""
    hints = get_type_hints(function, include_extras=True)
    for name, values in _VALUES.items():
        for told in get_args(hints.get(name))[1:]:
            if _is_text(hints[name]) and told.autocompletion is None:
                told.autocompletion = values
    function.__annotations__ = hints


def domains() -> list[str]:
    """The domains that there are."""
    from grammax.domains import domain_names

    return list(domain_names())


def grammars(context: typer.Context) -> list[str]:
    """The grammars of the domain that was chosen, and none at all."""
    return [*_chosen(context, "grammars"), "none"]


def splits(context: typer.Context) -> list[str]:
    """The splits of the domain that was chosen."""
    return _chosen(context, "splits")


_VALUES: Final = {"domain": domains, "grammar": grammars, "split": splits}


def _chosen(context: typer.Context, what: str) -> list[str]:
    from grammax.domains import load_domain

    # Before an option without its value, Typer has not told arguments from each other yet.
    name, *_ = *context.args, context.params.get("domain") or "eqs"
    try:
        return list(getattr(load_domain(name), what))
    except GrammaxError:
        return []


def _functions(app: typer.Typer) -> Iterator[Callable[..., Any]]:
    yield from (command.callback for command in app.registered_commands if command.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            yield from _functions(group.typer_instance)


def _is_text(hint: Any) -> bool:
    """Whether a parameter takes any text, or several: a choice is completed without us."""
    plain = get_args(hint)[0]
    return any(one in (str, list[str]) for one in (plain, *get_args(plain)))
