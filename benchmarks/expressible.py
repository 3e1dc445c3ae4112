"""The test forms of public sets that can be expressed with the lists of the training pairs alone.

The grammar is induced from the training pairs, and its kinds list the tokens that these have. So a
test form with a name or a number of its own cannot be expressed: "before". "After" is the same
grammar where kinds are filled by the query as well, if training queries mention their tokens: a
token is then one of the list, or read from the query. WikiSQL has the columns of the training pairs
in both, and its values as in examples/domains/wikisql-open. Nothing is taken from test pairs.

python benchmarks/expressible.py [--quick] [--json] [--sets geo/funql atis/lambda]
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from report import Claim, Options, Row, progress, run

from grammax.errors import GrammaxError
from grammax.evaluation.benchmark import at_least
from grammax.folder import FolderDomain, read_folder
from grammax.folder.data import read_pairs
from grammax.folder.fillable import proposed_kinds
from grammax.folder.induce import induce
from grammax.folder.open import OpenFolder
from grammax.folder.open_kinds import FilledKind
from grammax.folder.settings import Notation
from grammax.grammar import Grammar
from grammax.language.domain import Pair

WIKISQL = "wikisql"
SETS: Mapping[str, tuple[str, Notation]] = {
    "geo/funql": ("geoquery/funql_{}.tsv", "calls"),
    "geo/lambda": ("geoquery/lambda_{}.tsv", "brackets"),
    "geo/prolog": ("geoquery/prolog_{}.tsv", "spaces"),
    "atis/lambda": ("atis/lambda_{}.tsv", "spaces"),
    "atis/funql": ("atis/funql_{}.tsv", "calls"),
    "jobs/lambda": ("jobs/lambda_{}.tsv", "brackets"),
    "jobs/funql": ("jobs/funql_{}.tsv", "calls"),
    "overnight/housing": ("overnight/housing_{}.tsv", "spaces"),
    "overnight/recipes": ("overnight/recipes_{}.tsv", "spaces"),
    WIKISQL: ("wikisql/{}.jsonl.gz", "spaces"),
}
VALUES = FilledKind("VALUE", "text", "any", " ", "VAL:{}", "last")
_WIKISQL = """\
query: "SELECT" AGGREGATE COLUMN ("WHERE" condition ("AND" condition)*)?
condition: COLUMN OPERATOR VALUE
AGGREGATE: "NONE" | "COUNT" | "MIN" | "MAX" | "SUM" | "AVG"
OPERATOR: "=" | "<" | ">"
%declare COLUMN VALUE
"""
QUICK = 8  # of so many test pairs one is taken


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Measure set by set."""
    rows: list[Row] = []
    for name in options.given.sets:
        progress(name)
        rows.append(_measured(name, options.given.data, QUICK if options.quick else 1))
    before, after = (fmean(float(str(row[each])) for row in rows) for each in ("before", "after"))
    rows.append(
        {"name": "mean", "test forms": "", "before": before, "after": after, "filled kinds": ""}
    )
    return rows, [at_least("more test forms can be expressed, points", after - before, 5.0, "")]


def _measured(name: str, data: Path, every: int) -> Row:
    file, notation = SETS[name]
    train, test = (pairs_of(data / file.format(split), notation) for split in ("train", "test"))
    tables: Mapping[str, Sequence[str]] = {}
    if name == WIKISQL:
        text, filled = _WIKISQL, [VALUES]
        tokens = dict.fromkeys(token for pair in train for token in pair.tokens)
        tables = {
            kind: [token for token in tokens if token.startswith(begin)]
            for kind, begin in (("COLUMN", "COL:"), ("VALUE", "VAL:"))
        }
    else:
        text = induce([pair.tokens for pair in train])
        filled = proposed_kinds(Grammar.read(text), train)
    test = test[::every]
    before = _share(text, tables, (), notation, test)
    after = _share(text, tables, filled, notation, test) if filled else before
    return {
        "name": name,
        "test forms": len(test),
        "before": 100 * before,
        "after": 100 * after,
        "filled kinds": len(filled),
    }


def _share(
    grammar: str,
    tables: Mapping[str, Sequence[str]],
    filled: Sequence[FilledKind],
    notation: str,
    pairs: Sequence[Pair],
) -> float:
    """The share of forms that a folder expresses, each with what its query mentions."""
    lines = [f'name = "set"\nnotation = "{notation}"\ntables = ["tokens.tsv"]\n[filled]']
    for kind in filled:
        given = [f"{k} = {json.dumps(v)}" for k, v in asdict(kind).items() if k != "kind"]
        lines.append(f"{json.dumps(kind.kind)} = {{ {', '.join(given)} }}")
    rows = [f"{token}\t{kind}" for kind, some in tables.items() for token in some]
    files = {
        "domain.toml": "\n".join(lines) + "\n",
        "grammar.lark": grammar,
        "tokens.tsv": "\n".join(["token\tkind", *rows]) + "\n",
    }
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        domain = read_folder(Path(folder))
        return fmean(is_expressed(domain, pair) for pair in pairs)


def is_expressed(domain: FolderDomain, pair: Pair) -> bool:
    if not isinstance(domain, OpenFolder):
        return domain.grammatical(pair.tokens)
    try:
        return bool(domain.filled(pair.tokens, domain.mentions(pair.query)))
    except GrammaxError:
        return False


def pairs_of(path: Path, notation: Notation) -> list[Pair]:
    found, problems = read_pairs(path, notation)
    if problems:
        raise GrammaxError(str(problems[0]))
    return [line.pair for line in found]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which sets, and where their pairs are."""
    root = os.environ.get("GRAMMAX_DATA", "data")
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--data", type=Path, default=Path(root), metavar="DIR")


if __name__ == "__main__":
    run("expressible", __doc__ or "", main, arguments=arguments)
