"""`grammax parse`: the logical form of a query, or of each line of a file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grammax.cli.exit_codes import ABSTAINED, INTERRUPTED
from grammax.cli.options import Anyway, Catalogue, Data, DomainName, Model
from grammax.cli.parse_explain import print_explained
from grammax.cli.parse_load import load_parser, told_on_stderr
from grammax.cli.terminal import print_json, print_lines, print_message

if TYPE_CHECKING:
    from grammax.cli.parse_batch import Batch
    from grammax.parser import Parsed, Parser


def parse_command(
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY", help="What you look for, in English.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option("--file", "-f", metavar="FILE", help="Of queries, one a line; - is stdin."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Of --file: its JSON lines; - stdout."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Begin anew, rather than go on with FILE.")
    ] = False,
    workers: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="Of --file: so many processes.")
    ] = 1,
    best: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="So many logical forms, best first.")
    ] = 1,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also what each token came from, and what it cost.")
    ] = False,
    anyway: Anyway = False,
    domain: DomainName = "eqs",
    model: Model = None,
    catalogue: Catalogue = None,
    data: Data = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON; of --file, always.")] = False,
) -> None:
    """Parse a query: its logical form, always grammatical and well typed.

    The first run with a model prepares it, in a few seconds, and keeps that in the cache folder.
    Where the parser is not sure the exit code is 3; the form is its best guess.

    With --file there is a JSON line for each line, in their order: its number, its text, and the
    form or an error; the exit code is 0 when all are written. A run that was interrupted goes on
    behind the last whole line of the output. Lines are taken 1,024 at a time; `grammax shell
    --json` answers them one by one.

    \b
    Examples:
      grammax parse "steel western europe not german"
      grammax parse "top 10 european tech firms by p/b ratio" --best 3
      grammax parse "auto nysex last quarter mcap > $1bn" --explain
      grammax parse --file queries.txt -o parsed.jsonl --workers 8
      cut -f2 log.tsv | grammax parse --file - | jq -r .lf
    """
    _require_one(query, file, output, overwrite, explain)
    parser = load_parser(domain, model, catalogue, data)
    if file is not None:
        _parse_file(parser, _batch(parser, file, output, overwrite, best, workers, model))
        return
    found = _parsed(parser, query or "", best)
    if json:
        told = {"abstains": found.abstains, "seconds": found.seconds._asdict()}
        print_json(asdict(found) | told | _best(found))
    elif best > 1:
        print_lines(f"{one.confidence:6.1%}  {one.lf}" for one in found.best)
    else:
        print_lines([found.lf])
    if explain and not json:
        print_explained(found)
    if found.abstains and not anyway:
        if not json:
            _say_unsure(found)
        raise typer.Exit(ABSTAINED)


def _require_one(
    query: str | None, file: str | None, output: str | None, overwrite: bool, explain: bool
) -> None:
    if (query is None) == (file is None):
        raise typer.BadParameter("give one query, or a file of queries with --file")
    if file is None and (output is not None or overwrite):
        raise typer.BadParameter("--output and --overwrite go with --file")
    if file is not None and explain:
        raise typer.BadParameter("--explain is for one query, not for --file")
    if overwrite and output in (None, "-"):
        raise typer.BadParameter("--overwrite goes with the file of --output")


def _parsed(parser: Parser, query: str, best: int) -> Parsed:
    from grammax.reading.parse import QueryNotice

    with told_on_stderr(QueryNotice):
        return parser.parse(query, best)


def _say_unsure(found: Parsed) -> None:
    words = ", ".join(found.words[place] for place in found.unaccounted)
    why = f"The parser is not sure ({found.why})."
    print_message(f"{why} Not understood: {words}" if words else why, "yellow")


def _batch(
    parser: Parser,
    file: str,
    output: str | None,
    overwrite: bool,
    best: int,
    workers: int,
    model: Path | None,
) -> Batch:
    from hashlib import blake2b

    from grammax.cli.parse_batch import Batch
    from grammax.domains import trained_model

    checkpoint = model or trained_model(parser.domain)
    return Batch(
        source=None if file == "-" else Path(file),
        output=None if output in (None, "-") else Path(output or ""),
        overwrite=overwrite,
        best=best,
        workers=workers,
        model=blake2b(checkpoint.read_bytes(), digest_size=6).hexdigest(),
    )


def _parse_file(parser: Parser, batch: Batch) -> None:
    from grammax.cli.parse_batch import Counts, run_batch

    counts = Counts()
    try:
        run_batch(parser, batch, counts)
    except KeyboardInterrupt:
        again = "" if batch.output is None else " The same command goes on from here."
        print_message(f"Interrupted after {counts}.{again}", "yellow")
        raise typer.Exit(INTERRUPTED) from None
    print_message(str(counts), "green")


def _best(found: Parsed) -> dict[str, object]:
    return {"best": [alternative._asdict() for alternative in found.best]}
