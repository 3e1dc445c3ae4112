"""The whole command line: its commands by name, each imported when it is called.

Typer builds every parameter of a command when it is registered, which costs more than parsing a
query; hence the list below instead of `add_typer`. A new command is one line there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Annotated, Any, Final, NamedTuple, final

import typer
from typer.core import TyperCommand, TyperGroup

from grammax.cli.completion import add_values, is_completing
from grammax.cli.errors import failure_from
from grammax.cli.exit_codes import EXIT_CODES
from grammax.cli.terminal import print_message

_QUERY: Final = re.compile(r"-(?=[^-])(?:[^A-Za-z]|.*\s)", re.DOTALL)
_RENAMED: Final = {"--anyway": "--force"}  # an option of earlier releases
_EPILOG: Final = f"""\b
Examples:
  grammax ask "steel western europe not german"
  grammax ask films.csv "the longest film"
  grammax shell
  grammax parse --file queries.txt -o parsed.jsonl

{EXIT_CODES}"""


class Entry(NamedTuple):
    """A command, or a group of them, before it is imported."""

    module: str  # in `grammax.cli`
    summary: str  # the first sentence of its help
    function: str | None = None  # None: the module's `app` is a group
    takes_query: bool = False


ENTRIES: Final = {
    "ask": Entry("ask.command", "Answer a query in English.", "ask_command", takes_query=True),
    "shell": Entry("shell.command", "Ask queries in a conversation.", "shell_command"),
    "parse": Entry(
        "parse.command", "Parse queries into logical forms.", "parse_command", takes_query=True
    ),
    "grammar": Entry(
        "grammar.commands", "Check, sample, query, draw, compare and induce grammars."
    ),
    "eqs": Entry("eqs.commands", "Logical forms of the domain eqs: check, run, look up names."),
    "catalogue": Entry("catalogue", "Add or remove values and fields, without retraining."),
    "serve": Entry(
        "serve", "Serve parses and answers over HTTP, with a web page.", "serve_command"
    ),
    "new": Entry(
        "folder",
        "Create a small example domain, describe a table of yours, or begin with SQL.",
        "new_command",
    ),
    "teach": Entry(
        "teach",
        "Teach a table other words, or what a query means.",
        "teach_command",
        takes_query=True,
    ),
    "check": Entry("folder", "Check the folder of a domain.", "check_command"),
    "evaluate": Entry("evaluate.command", "Measure a trained parser.", "evaluate_command"),
    "train": Entry("train.command", "Train a parser.", "train_command"),
    "bench": Entry("bench.command", "Reproduce the speed table of the paper.", "bench_command"),
}


@final
class Commands(TyperGroup):
    """The root of the command line: it runs every command and reports the errors of users."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _OnDemand()

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in ENTRIES.items()])

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            failure = failure_from(error)
            if failure is None:
                raise
            print_message(failure.message, "red")
            raise typer.Exit(failure.code) from None


@final
class QueryCommand(TyperCommand):
    """A command whose argument is a query, which may begin with a dash: "-5% margin"."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        renamed = [_RENAMED.get(argument, argument) for argument in args]
        return super().parse_args(ctx, set_apart(renamed))


def set_apart(arguments: list[str]) -> list[str]:
    """Move a query that begins with a dash behind "--", so that it is not read as an option.

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


@final
class _OnDemand(MutableMapping[str, Any]):
    """The commands of `ENTRIES` by name; each is imported and built when it is first looked up."""

    def __init__(self) -> None:
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            self._built[name] = _build(name, ENTRIES[name])
        return self._built[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._built[name] = command

    def __delitem__(self, name: str) -> None:
        del self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(ENTRIES)

    def __len__(self) -> int:
        return len(ENTRIES)


def _build(name: str, entry: Entry) -> Any:
    module = import_module(f"grammax.cli.{entry.module}")
    if entry.function is None:
        group: typer.Typer = module.app
    else:
        group = typer.Typer(add_completion=False, rich_markup_mode=None)
        kind = QueryCommand if entry.takes_query else TyperCommand
        group.command(name, cls=kind)(getattr(module, entry.function))
    if is_completing():
        add_values(group)
    return typer.main.get_command(group)


app = typer.Typer(
    cls=Commands,
    help="Neural parsing that is always grammatical.",
    epilog=_EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from grammax import __version__

        typer.echo(f"grammax {__version__}")
        raise typer.Exit


_Version = Annotated[
    bool,
    typer.Option(
        "--version", help="Show the version and exit.", callback=_print_version, is_eager=True
    ),
]


@app.callback()
def _options(version: _Version = False) -> None:
    pass
