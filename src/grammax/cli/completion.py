"""Shell completion of values: domains, grammars and splits.

Typer completes commands, options and choices (`grammax --install-completion`). Looking up the
values below takes time, so they are registered only while a completion is being computed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final, get_args, get_type_hints

import typer

from grammax.errors import GrammaxError

_VARIABLE: Final = "_GRAMMAX_COMPLETE"  # set by the scripts that Typer installs


def is_completing() -> bool:
    """Whether this process was started to complete a command line."""
    return _VARIABLE in os.environ


def add_values(app: typer.Typer) -> None:
    """Register how the parameters of an app's commands are completed."""
    for command in app.registered_commands:
        if command.callback is not None:
            _add_values(command.callback)


def domains() -> list[str]:
    """The names of all domains."""
    from grammax.domains import domain_names

    return list(domain_names())


def grammars(context: typer.Context) -> list[str]:
    """The grammars of the chosen domain, and "none"."""
    return [*_of_domain(context, "grammars"), "none"]


def splits(context: typer.Context) -> list[str]:
    """The splits of the chosen domain."""
    return _of_domain(context, "splits")


_VALUES: Final = {"domain": domains, "grammar": grammars, "split": splits}


def _add_values(function: Callable[..., Any]) -> None:
    hints = get_type_hints(function, include_extras=True)
    for name, values in _VALUES.items():
        for option in get_args(hints.get(name))[1:]:
            if _is_text(hints[name]) and option.autocompletion is None:
                option.autocompletion = values
    function.__annotations__ = hints


def _of_domain(context: typer.Context, attribute: str) -> list[str]:
    from grammax.domains import load_domain

    # While an option still lacks its value, Typer has not assigned the arguments yet.
    name, *_ = *context.args, context.params.get("domain") or "eqs"
    try:
        return list(getattr(load_domain(name), attribute))
    except GrammaxError:
        return []


def _is_text(hint: Any) -> bool:
    """Whether a parameter takes arbitrary text, once or repeated; Typer completes choices."""
    plain = get_args(hint)[0]
    return any(one in (str, list[str]) for one in (plain, *get_args(plain)))
