"""`grammax parse`: the logical form of a query, or of each line of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grammax.cli.exit_codes import INTERRUPTED
from grammax.cli.loading import load_parser
from grammax.cli.named import domain_and_query, is_named, named_once
from grammax.cli.options import Catalogue, Data, DomainName, Force, Model, Table
from grammax.cli.parse.one import parse_one
from grammax.cli.terminal import print_message

if TYPE_CHECKING:
    from grammax.cli.parse.batch import Batch
    from grammax.parser import Parser


Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[DATA] [QUERY]", help="A file, folder or URL of data; a query in English."
    ),
]
QueryFile = Annotated[
    str | None,
    typer.Option("--file", "-f", metavar="FILE", help="Queries, one per line; - is stdin."),
]
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="With --file: its JSON lines [stdout]."),
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Start again instead of continuing the output.")
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=4_096, help="With --file: the number of processes [1]."),
]
Device = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="With --file: the device that decodes, such as cuda [CPU]."),
]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="With --file: processes of Ray, of a cluster by its address, or local.",
    ),
]
Column = Annotated[
    str, typer.Option(metavar="NAME", help="With --ray: the column that has the queries.")
]
Best = Annotated[int, typer.Option(metavar="N", min=1, max=100, help="The N best logical forms.")]
Explain = Annotated[
    bool, typer.Option("--explain", help="Show the words and the cost of each token.")
]
JsonLines = Annotated[bool, typer.Option("--json", help="Print JSON; --file always does.")]


def parse_command(
    words: Words = None,
    file: QueryFile = None,
    output: Output = None,
    overwrite: Overwrite = False,
    workers: Workers = None,
    device: Device = None,
    ray: Ray = None,
    column: Column = "query",
    best: Best = 1,
    explain: Explain = False,
    force: Force = False,
    table: Table = None,
    domain: DomainName = "eqs",
    model: Model = None,
    catalogue: Catalogue = None,
    data: Data = None,
    json: JsonLines = False,
) -> None:
    """Parse queries into logical forms.

    A logical form is always grammatical and well typed. The first run with a model takes a few
    seconds, because it builds a cache. Where the parser abstains, the exit code is 3 and the
    logical form is its best guess; the reason, and words in doubt, go to stderr.

    With --file there is one JSON line per line of the file, in order: its number, its text, and
    the logical form or an error; the exit code is 0 when all are written. An interrupted run
    continues after the last complete line of the output. Lines are read 1,024 at a time;
    `grammax shell --json` answers them one by one.

    With --ray, FILE may be Parquet, a folder of it, or a pattern in quotes, and --output is a
    folder that gets one file of Parquet for each 32,768 queries. A lost process is replaced, and
    the same command continues after an interruption. --workers is one per core by default.

    \b
    Examples:
      grammax parse "steel western europe not german"
      grammax parse "steel or chemicals in asia" --best 3
      grammax parse "steel japan" --explain
      grammax parse films.csv "the longest film"
      grammax parse --file queries.txt -o parsed.jsonl --workers 8
      grammax parse --file queries.txt -o parsed.jsonl --workers 16 --device cuda
      grammax parse --file 'queries/*.parquet' -o parsed/ --ray local
      cut -f2 log.tsv | grammax parse --file - | jq -r .lf
    """
    if file is not None and words and len(words) == 1 and is_named(words[0]):
        name, query = named_once(words[0], domain), None
    else:
        name, query = domain_and_query(words or [], domain)
    _require_one(query, file, output, overwrite, explain)
    _require_greedy(file, best, device)
    if ray is not None:
        _require_folder(file, output, best, data)
        from grammax.cli.parse.on_ray import parse_on_ray

        given = (name, model, catalogue, table, column, device)
        parse_on_ray(file or "", output or "", given, ray, workers, overwrite)
        return
    if file is not None:
        with load_parser(name, model, catalogue, data, None, table) as parser:
            batch = _batch(parser, file, output, overwrite, best, workers or 1, model, device)
            _parse_file(parser, batch)
        return
    code = parse_one(
        *(query or "", name, model, catalogue, data, table),
        best=best,
        explain=explain,
        force=force,
        json=json,
    )
    if code:
        raise typer.Exit(code)


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


def _require_greedy(file: str | None, best: int, device: str | None) -> None:
    if device is not None and (file is None or best > 1):
        raise typer.BadParameter("--device goes with --file, and not with --best")


def _require_folder(file: str | None, output: str | None, best: int, data: Path | None) -> None:
    if file in (None, "-") or output in (None, "-"):
        raise typer.BadParameter("--ray goes with --file FILE and with --output FOLDER")
    if best > 1 or data is not None:
        raise typer.BadParameter("--ray goes without --best and --data")


def _batch(
    parser: Parser,
    file: str,
    output: str | None,
    overwrite: bool,
    best: int,
    workers: int,
    model: Path | None,
    device: str | None,
) -> Batch:
    from hashlib import blake2b

    from grammax.cli.parse.batch import Batch
    from grammax.domains import trained_model

    checkpoint = model or trained_model(parser.domain)
    return Batch(
        source=None if file == "-" else Path(file),
        output=None if output in (None, "-") else Path(output or ""),
        overwrite=overwrite,
        best=best,
        workers=workers,
        model=blake2b(checkpoint.read_bytes(), digest_size=6).hexdigest(),
        device=device,
    )


def _parse_file(parser: Parser, batch: Batch) -> None:
    from grammax.cli.parse.batch import Counts, run_batch

    counts = Counts()
    try:
        run_batch(parser, batch, counts)
    except KeyboardInterrupt:
        again = "" if batch.output is None else " The same command continues from here."
        print_message(f"Interrupted after {counts}.{again}", "yellow")
        raise typer.Exit(INTERRUPTED) from None
    print_message(str(counts), "green")
