"""`grammax grammar`: check, sample, query, draw and compare a grammar of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

import typer

from grammax.automaton import BoundAutomaton
from grammax.automaton.compile import exact
from grammax.cli.grammar.comparison import COMPILERS, compare
from grammax.cli.grammar.induce import induce_command
from grammax.cli.grammar.notation import join_tokens, read_grammar, read_token, split_tokens
from grammax.cli.grammar.reports import (
    CheckReport,
    ComparisonReport,
    NextReport,
    explanation_json,
    print_check,
    print_comparison,
    print_next,
)
from grammax.cli.options import Json, new_group
from grammax.cli.terminal import (
    late_progress,
    plain,
    print_json,
    print_lines,
    print_result,
)
from grammax.errors import GrammarError
from grammax.grammar import Grammar, Sampler, sentences
from grammax.grammar.sample import sentences_of_kinds

app = new_group("Check, sample, query, draw, compare and induce grammars.")

File = Annotated[
    str, typer.Argument(metavar="FILE", help="A grammar in lark's notation; - reads stdin.")
]
Start = Annotated[
    str | None,
    typer.Option(metavar="RULE", help="The start rule; by default `start`, or the first."),
]
Table = Annotated[
    Path | None,
    typer.Option(
        "--tokens",
        metavar="TABLE",
        help="The tokens of kinds: TSV or CSV with the columns token, kind.",
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", help="Equal seeds draw equal sentences.")]


app.command("induce")(induce_command)


@app.command("check")
def check_command(
    file: File,
    start: Start = None,
    tokens: Table = None,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")] = False,
    json: Json = False,
) -> None:
    """List the errors and warnings of a grammar, and its size.

    The exit code is 1 if there are errors. A grammar that is not LR(1) is not an error: the summary
    shows the conflict, and the automata glr, superset, unrolled and earley accept such a grammar.

    \b
    Examples:
      grammax grammar check rooms.lark
      grammax grammar check rooms.lark --tokens values.tsv --strict
      cat rooms.lark | grammax grammar check - --json
    """
    try:
        grammar = read_grammar(file, tokens, start)
        report = CheckReport.from_problems(grammar.problems, grammar)
    except GrammarError as error:
        report = CheckReport.from_problems(error.problems, None)
    if json:
        print_json(asdict(report))
    else:
        print_check(report)
    if report.errors or (strict and report.warnings):
        raise typer.Exit(1)


@app.command("sample")
def sample_command(
    file: File,
    start: Start = None,
    tokens: Table = None,
    count: Annotated[
        int | None,
        typer.Option(
            "-n",
            metavar="N",
            min=0,
            help="How many sentences: by default 5, or all with --all.",
        ),
    ] = None,
    seed: Seed = 0,
    max_depth: Annotated[
        int, typer.Option(metavar="N", min=1, help="The deepest nesting of rules.")
    ] = 8,
    all_to: Annotated[
        int | None,
        typer.Option(
            "--all", metavar="LENGTH", min=0, help="All sentences of at most LENGTH tokens instead."
        ),
    ] = None,
    kinds: Annotated[bool, typer.Option("--kinds", help="Print kinds instead of tokens.")] = False,
    json: Json = False,
) -> None:
    """Print sentences, random ones or all up to a length.

    There is one sentence per line. A token with spaces or quotes is printed as a JSON string, so
    that every line can be given to `grammax grammar next`.

    \b
    Examples:
      grammax grammar sample rooms.lark -n 20 --seed 7
      grammax grammar sample rooms.lark --kinds
      grammax grammar sample rooms.lark --all 7
    """
    grammar = read_grammar(file, tokens, start)
    if all_to is None:
        found = islice(_drawn(grammar, seed, max_depth, kinds), 5 if count is None else count)
    else:
        found = islice(_enumerated(grammar, all_to, kinds), count)
    if json:
        print_json({"sentences": list(found)})
    else:
        print_lines(" ".join(words) if kinds else join_tokens(words) for words in found)


def _drawn(grammar: Grammar, seed: int, max_depth: int, kinds: bool) -> Iterator[Sequence[str]]:
    sampler, random, names = Sampler(grammar, max_depth=max_depth), Random(seed), [*grammar.kinds]
    while True:
        if kinds:
            yield [names[kind] for kind in sampler.draw_kinds(random)]
        else:
            yield sampler.draw(random)


def _enumerated(grammar: Grammar, length: int, kinds: bool) -> Iterator[Sequence[str]]:
    if not kinds:
        return sentences(grammar, length)
    names = [*grammar.kinds]
    return ([names[kind] for kind in found] for found in sentences_of_kinds(grammar, length))


@app.command("next")
def next_command(
    file: File,
    prefix: Annotated[
        str,
        typer.Argument(
            metavar="PREFIX", help="The tokens so far, in one argument, separated by spaces."
        ),
    ] = "",
    start: Start = None,
    tokens: Table = None,
    automaton: Annotated[
        Literal["lr", "glr", "superset", "unrolled", "earley"] | None,
        typer.Option(help="lr by default, or glr if the grammar is not LR(1)."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="T", help="Explain why the token T is or is not permitted next."),
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Show at most N kinds.")] = 40,
    json: Json = False,
) -> None:
    """Show what may follow a prefix of a sentence.

    The table lists the permitted kinds, the number of their tokens, and the first of them.

    A token with spaces or quotes is written as a JSON string. A prefix that begins with a dash
    comes after --, and the options before it.

    \b
    Examples:
      grammax grammar next rooms.lark
      grammax grammar next rooms.lark "( find"
      grammax grammar next rooms.lark "( find" --token and
      grammax grammar next sql.lark 'SELECT name "group by"' --automaton superset
      grammax grammar next sums.lark -- "- 5"
    """
    words = split_tokens(prefix)
    wanted = None if token is None else read_token(token)
    compiled = _compiled(read_grammar(file, tokens, start), automaton)
    if wanted is None:
        report = NextReport.after(compiled, words)
        if json:
            print_json(asdict(report))
        else:
            print_next(report, limit)
        return
    explanation = compiled.explain(words, wanted)
    if json:
        print_json(explanation_json(compiled, explanation))
    else:
        print_result(plain(str(explanation)))


def _compiled(grammar: Grammar, automaton: str | None) -> BoundAutomaton[Any]:
    return COMPILERS[automaton](grammar, None) if automaton else exact(grammar)


@app.command("draw")
def draw_command(
    file: File,
    start: Start = None,
    tokens: Table = None,
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", metavar="PATH", help=".svg, .png, .pdf or .dot; - prints DOT."
        ),
    ] = "-",
    automaton: Annotated[
        Literal["superset", "unrolled", "lr", "glr"], typer.Option(help="Which automaton to draw.")
    ] = "superset",
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Draw at most N states.")] = 200,
) -> None:
    """Draw an automaton of a grammar, arcs labelled with kinds.

    Pictures need Graphviz; DOT files do not.

    \b
    Examples:
      grammax grammar draw rooms.lark -o rooms.svg
      grammax grammar draw rooms.lark --automaton lr --limit 50 -o rooms.dot
      grammax grammar draw rooms.lark | dot -Tx11
    """
    from grammax.automaton.draw import draw, to_dot

    compiled = COMPILERS[automaton](read_grammar(file, tokens, start), None)
    if output == "-":
        print_lines([to_dot(compiled, limit).rstrip("\n")])
    else:
        draw(compiled, Path(output), limit)


@app.command("compare")
def compare_command(
    file: File,
    start: Start = None,
    tokens: Table = None,
    count: Annotated[
        int, typer.Option("-n", metavar="N", min=1, help="The number of sentences.")
    ] = 200,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Compare the automata of a grammar: permitted tokens, states, and time per step.

    Each reads the same random sentences. Looser automata permit more tokens per step; the time of a
    step is that of `next_tokens` and `pass_token` on states that were seen before.

    \b
    Examples:
      grammax grammar compare rooms.lark
      grammax grammar compare rooms.lark -n 1000 --seed 7 --json
    """
    grammar = read_grammar(file, tokens, start)
    with late_progress(len(COMPILERS) * count) as progress:
        drawn = list(islice(_drawn(grammar, seed, 8, kinds=False), count))
        report = ComparisonReport.from_rows(grammar, drawn, compare(grammar, drawn, progress))
    if json:
        print_json(asdict(report))
    else:
        print_comparison(report)
