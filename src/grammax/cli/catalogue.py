"""`grammax catalogue`: add and remove values and fields without training.

The changes are stored in a file with the user's data, or in the folder of a domain. Every command
reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from grammax.cli.loading import updatable_domain
from grammax.cli.options import Json, new_group
from grammax.cli.terminal import new_table, plain, print_json, print_message, print_result
from grammax.files import locked
from grammax.language.capabilities import Entry, Explainable, Updatable
from grammax.language.changes import ChangeProblem, Changes, ChangesRefused
from grammax.language.changes_file import read_changes, write_changes
from grammax.language.changes_table import read_table
from grammax.tables.data_files import user_file

app = new_group("Add or remove values and fields, without retraining.")

Domain = Annotated[
    str, typer.Option("--domain", metavar="NAME", help="Name of the domain, or its folder.")
]
ChangesFile = Annotated[
    Path | None,
    typer.Option(
        "--catalogue",
        metavar="FILE",
        help="Stores the changes; by default in the domain's folder, or with the user's data.",
    ),
]


@app.command("add")
def add_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="TSV, CSV or JSON lines.")],
    domain: Domain = "eqs",
    catalogue: ChangesFile = None,
    json: Json = False,
) -> None:
    """Add the values and fields of a file: columns kind, name, aliases, token.

    Bars separate aliases; aliases and token may be left out. All are added, or none. For a folder,
    the file may also be a table of tokens: columns token, kind, aliases.

    \b
    Examples:
      grammax catalogue add values.tsv
      grammax catalogue add new_rooms.tsv --domain rooms
      printf 'kind,name,aliases\\ncountry,Wakanda,wakandan\\n' > new.csv
      grammax catalogue add new.csv
    """
    table = read_table(file)
    _change(domain, catalogue, json, lambda before: table.apply(before.with_values))


@app.command("remove")
def remove_command(
    tokens: Annotated[
        list[str] | None, typer.Argument(metavar="TOKEN...", help="Tokens of values and fields.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="A file of tokens, one per line.")
    ] = None,
    domain: Domain = "eqs",
    catalogue: ChangesFile = None,
    json: Json = False,
) -> None:
    """Remove values and fields by token: they are never predicted again.

    All are removed, or none.

    \b
    Examples:
      grammax catalogue remove GENRE_NOIR GENRE_WESTERN --domain films
      grammax catalogue remove --file removed.txt
    """
    given = list(tokens or ())
    if file is not None:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        given += [line.strip() for line in lines if line.strip()]
    if not given:
        raise typer.BadParameter("give tokens to remove, or a file of them with --file")
    _change(domain, catalogue, json, lambda before: before.without_values(given))


@app.command("list")
def list_command(domain: Domain = "eqs", catalogue: ChangesFile = None, json: Json = False) -> None:
    """List the added and removed values and fields.

    \b
    Examples:
      grammax catalogue list
      grammax catalogue list --json
    """
    path = catalogue or user_file(domain, "changes")
    name = updatable_domain(domain).name
    changes = _stored(path, name)
    if json:
        print_json({"file": str(path), "domain": name, **asdict(changes)})
        return
    if not changes:
        print_message(f"Nothing was added or removed: {path} has no changes.", "yellow")
        return
    table = new_table("change", "token", "kind", "name", "aliases")
    for value in changes.added:
        cells = (value.token, value.kind, value.name, " | ".join(value.aliases))
        table.add_row("added", *map(plain, cells))
    for token in changes.removed:
        table.add_row("removed", plain(token), "", "", "")
    print_result(table)


@app.command("search")
def search_command(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A name.")],
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, help="At most N entries.")] = 10,
    domain: Domain = "eqs",
    catalogue: ChangesFile = None,
    json: Json = False,
) -> None:
    """Look up values and fields by name or alias, with the changes.

    \b
    Examples:
      grammax catalogue search wakanda
      grammax catalogue search "western europe" -n 3
    """
    known = updatable_domain(domain)
    changed = known.with_changes(_stored(catalogue or user_file(domain, "changes"), known.name))
    found = changed.search(text, count) if isinstance(changed, Explainable) else ()
    added = {value.token for value in changed.changes.added}
    if json:
        rows = [entry._asdict() | {"added": entry.token in added} for entry in found]
        print_json({"text": text, "version": changed.version, "found": rows})
    else:
        _print_found(text, found, added)
    if not found:
        raise typer.Exit(1)


def _change(
    name: str,
    catalogue: Path | None,
    json: bool,
    change: Callable[[Updatable], Updatable],
) -> None:
    """Apply a change to the stored ones, store the result, and report it."""
    path = catalogue or user_file(name, "changes")
    domain = updatable_domain(name)
    with locked(path):
        before = domain.with_changes(_stored(path, domain.name))
        started = perf_counter()
        try:
            after = change(before)
        except ChangesRefused as refused:
            if json:
                print_json({"problems": [_problem(problem) for problem in refused.problems]})
                raise typer.Exit(1) from None
            raise
        seconds = perf_counter() - started
        write_changes(path, domain.name, after.base.version, after.changes)
    new = after.changes.since(before.changes) or Changes()
    back = [token for token in before.changes.removed if token not in after.changes.removed]
    if json:
        report = {"file": str(path), "version": after.version, "seconds": seconds}
        print_json(report | asdict(new) | {"back": back})
        return
    counts = {"added": new.added, "removed": new.removed, "brought back": back}
    done = " and ".join(f"{len(some):,} {what}" for what, some in counts.items() if some)
    print_message(f"{done}; version {after.version}, stored in {path}", "green")


def _problem(problem: ChangeProblem) -> dict[str, object]:
    return {"where": problem.where, "given": problem.given, "message": problem.message}


def _stored(path: Path, domain: str) -> Changes:
    return read_changes(path, domain) if path.exists() else Changes()


def _print_found(text: str, found: Sequence[Entry], added: set[str]) -> None:
    if not found:
        print_message(f"Nothing in the catalogue is similar to {text!r}.", "yellow")
        return
    table = new_table("token", "kind", "name", "aliases", "")
    for entry in found:
        aliases = " | ".join(entry.aliases[:5])
        mark = "added" if entry.token in added else ""
        table.add_row(*map(plain, (entry.token, entry.kind, entry.name, aliases, mark)))
    print_result(table)
