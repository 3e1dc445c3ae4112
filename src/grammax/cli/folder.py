"""`grammax new` and `grammax check`: create and check a domain of one's own."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grammax.cli.options import Data, Json, Table
from grammax.cli.terminal import (
    late_progress,
    new_table,
    plain,
    print_json,
    print_lines,
    print_message,
    print_result,
)

if TYPE_CHECKING:
    from grammax.folder import Checked

_SHOWN = 20  # problems of a severity


def new_command(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder to create or complete.")
    ],
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="DATA", help="A file, folder or URL of data to describe instead."
        ),
    ] = None,
    table: Table = None,
    sql: Annotated[
        Path | None,
        typer.Option("--sql", metavar="FILE", help="Pairs of a question and SQL to begin with."),
    ] = None,
    schema: Annotated[
        Path | None,
        typer.Option("--schema", metavar="FILE", help="CREATE TABLE statements, for --sql."),
    ] = None,
    database: Annotated[
        Path | None,
        typer.Option("--database", metavar="FILE", help="SQLite file that answers, for --sql."),
    ] = None,
    json: Json = False,
) -> None:
    """Create a small example domain, describe a table of yours, or begin with SQL.

    The example has settings, a grammar, a table of tokens, and pairs, and can be trained at once.

    In a folder that has files but no domain.toml, only a domain.toml is written, with settings for
    the pairs found there. Nothing is overwritten.

    With --from, a schema.toml is written: what each column of the data means, how it is called, and
    what looks doubtful. It is yours to edit, and is used at once. If there is one already, it is
    brought up to date, and what you changed stays. A password in a URL is not written.

    With --sql, pairs of a question and SQL become a domain: the schema gives its grammar, the
    database the values of columns. Pairs whose SQL has no form are left out, and told.

    \b
    Examples:
      grammax new rooms
      grammax new films --from films.csv && grammax ask films "the longest film"
      grammax new shop --from postgres://reader@db/shop --table orders
      grammax new library --sql pairs.jsonl --schema schema.sql --database library.sqlite
      grammax check rooms && grammax train rooms && grammax parse --domain rooms "attic friday"
    """
    if sql is not None:
        if source is not None or table is not None:
            raise typer.BadParameter("--sql does not go with --from and --table")
        _write_sql(folder, sql, schema, database, json)
        return
    if schema is not None or database is not None:
        raise typer.BadParameter("--schema and --database go with --sql")
    if source is not None:
        _describe(folder, source, table, json)
        return
    if table is not None:
        raise typer.BadParameter("--table goes with --from")
    from grammax.folder.new import next_step, write_example

    files = write_example(folder)
    if json:
        print_json({"files": [str(path) for path in files]})
        return
    print_lines(map(str, files))
    print_message(f"Next: {next_step(folder)}.", "dim")


def _write_sql(
    folder: Path, pairs: Path, schema: Path | None, database: Path | None, json: bool
) -> None:
    """Write the folder of pairs that are SQL, and print which of them were left out."""
    from grammax.folder.new import next_step
    from grammax.folder.sql.folder import write_sql_folder
    from grammax.folder.sql.pairs import causes

    files, refused, doubtful = write_sql_folder(folder, pairs, schema, database)
    if json:
        left_out = [asdict(problem) for problem in refused]
        doubts = [asdict(problem) for problem in doubtful]
        names = [str(path) for path in files]
        print_json({"files": names, "left_out": left_out, "doubtful": doubts})
        return
    print_lines(map(str, files))
    for problem in (*doubtful[:_SHOWN], *refused[:_SHOWN]):
        print_message(str(problem), "yellow")
    if refused:
        lines = "1 line was" if len(refused) == 1 else f"{len(refused):,} lines were"
        print_message(f"{lines} left out: {causes(refused)}.", "yellow")
    print_message(f"Next: {next_step(folder)}.", "dim")


def _describe(folder: Path, source: str, table: str | None, json: bool) -> None:
    """Write the schema of data, and print the report."""
    from grammax.tables.data_files import SCHEMA, without_password, written_secrets
    from grammax.tables.inspect.inspection import report
    from grammax.tables.own.folder import PASSWORD, write_folder

    with late_progress(None) as progress:
        progress(f"reading {without_password(source)}", 0)
        with write_folder(folder, source, table) as opened:
            description = opened.description
    if json:
        columns = [
            {"name": column.name, "label": column.label, "class": column.semantic,
             "role": column.role, "unit": column.unit, "doubt": column.doubt}
            for column in description.used
        ]  # fmt: skip
        print_json(
            {"files": [str(folder / SCHEMA)], "source": description.source,
             "table": description.table, "rows": description.rows, "columns": columns,
             "notes": description.notes, "doubts": dict(description.doubts())}
        )  # fmt: skip
        return
    print_lines([report(description), str(folder / SCHEMA)])
    if written_secrets(source):
        print_message(
            f"The password was not written. Give it when the data is opened: {PASSWORD}=... "
            f'grammax ask {folder} "..."; or name the URL with it instead of {folder}.',
            "yellow",
        )
    print_message(
        f'Next: edit {folder / SCHEMA}; grammax ask {folder} "..."; grammax serve {folder}.', "dim"
    )


def check_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder with a domain.toml.")],
    data: Data = None,
    json: Json = False,
) -> None:
    """Check the folder of a domain.

    Settings, grammar, tables, and every logical form of every split are checked. All problems are
    listed with file and line; the exit code is 1 if one is an error. Warnings tell of pairs that
    contradict each other, of names and numbers that a query does not mention, and of repeats.

    \b
    Examples:
      grammax check rooms
      grammax check domains/geo --data ~/data --json
    """
    from grammax.folder import check_folder

    with late_progress(None) as progress:
        checked = check_folder(folder, data, progress)
    if json:
        print_json(asdict(checked))
    else:
        _print_splits(checked)
        _print_problems(checked)
    if checked.errors:
        raise typer.Exit(1)


def _print_splits(checked: Checked) -> None:
    numbers = ["pairs", "tokens", "unseen", "longest", "accepted %", "permitted per step"]
    named = any(facts.named is not None for facts in checked.splits.values())
    numbers += ["named %"] if named else []
    table = new_table("split", *numbers, numbers=numbers)
    for name, facts in checked.splits.items():
        counts = (facts.pairs, facts.tokens, facts.unseen, facts.longest)
        shares = [f"{100 * facts.accepted:.2f}", f"{facts.permitted:.2f}"]
        shares += ["" if facts.named is None else f"{100 * facts.named:.2f}"] * named
        table.add_row(name, *(f"{count:,}" for count in counts), *shares)
    print_result(table)
    holds = f"{checked.vocabulary:,} tokens of {checked.kinds:,} kinds"
    grammars = ", ".join(checked.grammars)
    print_result(plain(f"{checked.name} {checked.version}: {holds}; grammars {grammars}"))


def _print_problems(checked: Checked) -> None:
    for severity, colour in (("error", "red"), ("warning", "yellow")):
        found = [problem for problem in checked.problems if problem.severity == severity]
        for problem in found[:_SHOWN]:
            print_message(str(problem), colour)
        if len(found) > _SHOWN:
            rest = f"... and {len(found) - _SHOWN:,} more {severity}s; --json lists all"
            print_message(rest, colour)
