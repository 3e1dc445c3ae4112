"""`grammax teach`: words, phrases, classes and pairs for a table of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grammax.cli.options import Json
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
    from grammax.tables.teach.lesson import Lesson

Texts = list[str] | None

Folder = Annotated[str, typer.Argument(metavar="DIR", help="A folder that `grammax new` made.")]
Query = Annotated[
    str | None, typer.Argument(metavar="QUERY", help="A query whose meaning --lf gives.")
]
Column = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="A column, by any of its names.")
]
Value = Annotated[str | None, typer.Option(metavar="VALUE", help="A value of --column.")]
Row = Annotated[bool, typer.Option("--row", help="Teach another noun for a row.")]
Names = Annotated[
    Texts,
    typer.Option("--name", metavar="NAME", help="Another name of it; may be given several times."),
]
Phrase = Annotated[
    str | None, typer.Option(metavar="WORDS", help="Words that stand for the condition --means.")
]
Means = Annotated[
    str | None,
    typer.Option(metavar="CONDITION", help='Such as "gross > 100m", or a logical form.'),
]
Class = Annotated[
    str | None,
    typer.Option("--class", metavar="CLASS", help="What --column holds: money, date, place ..."),
]
Unit = Annotated[str | None, typer.Option(metavar="UNIT", help="The unit of --column: USD, kg ...")]
Form = Annotated[str | None, typer.Option("--lf", metavar="LF", help="The meaning of QUERY.")]
Forget = Annotated[
    Texts, typer.Option(metavar="WORDS", help="Forget a name, a phrase, a column's class, a pair.")
]
List = Annotated[bool, typer.Option("--list", help="List what was taught.")]


def teach_command(
    folder: Folder,
    query: Query = None,
    column: Column = None,
    value: Value = None,
    row: Row = False,
    names: Names = None,
    phrase: Phrase = None,
    means: Means = None,
    semantic: Class = None,
    unit: Unit = None,
    lf: Form = None,
    forget: Forget = None,
    show: List = False,
    json: Json = False,
) -> None:
    """Teach a table other words, or what a query means.

    Each thing taught becomes a line of DIR/schema.toml, which you may edit as well, and is used at
    once, also by a running `grammax serve DIR`. A query with its logical form is a line of
    DIR/pairs.jsonl, and is used after the next `grammax train DIR`.

    \b
    Examples:
      grammax teach films --column runtime --name "running time"
      grammax teach films --column country --value "United States" --name "the states"
      grammax teach films --row --name flick
      grammax teach films --phrase blockbuster --means "gross > 100m"
      grammax teach films --column gross --class money --unit USD
      grammax teach films "films with no viewers" --lf "(FLD_VIEWERS EQ 0)"
      grammax teach films --list
      grammax teach films --forget blockbuster
    """
    given = {
        "--list": show, "--forget": forget, "--phrase": phrase or means, "--lf": query or lf,
        "--class": semantic or unit, "--name": names or value or row,
    }  # fmt: skip
    kinds = [name for name, is_given in given.items() if is_given]
    if len(kinds) != 1:
        both = f"{' and '.join(kinds)} do not go together" if kinds else "there is nothing to teach"
        raise typer.BadParameter(f"{both}: give one of {', '.join(given)}, see --help")
    if show:
        _print_taught(folder, json)
        return
    with late_progress(None) as progress:
        progress(f"opening {folder}", 0)
        if forget:
            lessons = list(_forgotten(folder, forget))
        elif kinds == ["--phrase"]:
            lessons = [_phrase(folder, phrase, means)]
        elif kinds == ["--lf"]:
            lessons = [_pair(folder, query, lf)]
        elif kinds == ["--class"]:
            lessons = [_class(folder, column, semantic, unit)]
        else:
            lessons = list(_named(folder, column, value, row, names or []))
    _print_lessons(lessons, json)


def _forgotten(folder: str, words: list[str]) -> Iterator[Lesson]:
    from grammax.tables.teach.forget import forget

    return (forget(folder, word) for word in words)


def _phrase(folder: str, phrase: str | None, means: str | None) -> Lesson:
    from grammax.tables.teach.words import teach_phrase

    if phrase is None or means is None:
        raise typer.BadParameter('a phrase needs both: --phrase blockbuster --means "gross > 100m"')
    return teach_phrase(folder, phrase, means)


def _pair(folder: str, query: str | None, lf: str | None) -> Lesson:
    from grammax.tables.teach.pairs import teach_pair

    if query is None or lf is None:
        raise typer.BadParameter(
            'a pair needs both: "films with no viewers" --lf "(FLD_VIEWERS EQ 0)"; '
            f'`grammax parse --domain {folder} "..."` shows logical forms'
        )
    return teach_pair(folder, query, lf)


def _class(folder: str, column: str | None, semantic: str | None, unit: str | None) -> Lesson:
    from grammax.tables.teach.words import teach_class

    if column is None:
        raise typer.BadParameter("say which column: --column gross --class money --unit USD")
    return teach_class(folder, column, semantic, unit)


def _named(
    folder: str, column: str | None, value: str | None, row: bool, names: list[str]
) -> Iterator[Lesson]:
    from grammax.tables.teach.words import teach_column_name, teach_row_name, teach_value_name

    if not names:
        raise typer.BadParameter("say how it is called: --name NAME")
    if row == (column is not None):
        raise typer.BadParameter(
            "say what the name is of: --column COLUMN, --column COLUMN --value VALUE, or --row"
        )
    for name in names:
        if column is None:
            yield teach_row_name(folder, name)
        elif value is None:
            yield teach_column_name(folder, column, name)
        else:
            yield teach_value_name(folder, column, value, name)


def _print_lessons(lessons: list[Lesson], json: bool) -> None:
    if json:
        print_json([lesson.record() for lesson in lessons])
        return
    for lesson in lessons:
        change = lesson.change[:1].upper() + lesson.change[1:]
        section = f" [{lesson.section}]" if lesson.section else ""
        line = f", line {lesson.line}" if lesson.line else ""
        print_lines([change, f"{lesson.file}{line}{section}"])


def _print_taught(folder: str, json: bool) -> None:
    from grammax.tables.teach.forget import list_taught

    found = list_taught(folder)
    if json:
        print_json([each._asdict() for each in found])
        return
    if not found:
        print_message(f"Nothing was taught in {folder} yet; see `grammax teach --help`.", "dim")
        return
    table = new_table("taught", "words", "meaning", "where")
    for each in found:
        where = f"{Path(each.file).name}, line {each.line}"
        table.add_row(*map(plain, (each.kind, each.word, each.means, where)))
    print_result(table)
