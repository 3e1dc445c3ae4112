"""What the parser makes of queries as users type them: right, wrong with and without a warning.

The queries in `benchmarks/people` were written from a list of abilities alone, by writers who had
not seen the corpus or the phrasing rules; each has the logical forms that a fair judge accepts, the
most literal one first. Some cannot be said in the language, some are no queries at all: there the
parser should abstain. `kept` was put aside until the last training was done.

python benchmarks/people.py [--quick] [--json] [--errors] [--file FILE ...]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from report import Claim, Options, Row, at_most, run

import grammax
from grammax.domains import load_domain
from grammax.evaluation.benchmark import at_least
from grammax.parser import Parsed, Parser
from grammax.tables.domain import TableDomain
from grammax.tables.filling import NotMentioned, filled

FOLDER = Path(__file__).parent / "people"
Kind = Literal["answerable", "cannot", "nonsense"]
BINS = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """A query that a person wrote, and what is right for it."""

    query: str
    kind: Kind
    forms: tuple[str, ...]
    feature: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A query and its reading."""

    asked: Asked
    parsed: Parsed
    exact: bool
    acceptable: bool
    invented: bool

    @property
    def wrong_without_warning(self) -> bool:
        """The worst result: an answer to another question, as if it were sure."""
        return not self.acceptable and not self.parsed.abstains


def main(switches: Options) -> tuple[list[Row], list[Claim]]:
    """The shares of each file, and by feature."""
    files = switches.given.file or sorted(FOLDER.glob("*.jsonl"))
    domain = load_domain("eqs")
    assert isinstance(domain, TableDomain)
    rows: list[Row] = []
    every: list[Outcome] = []
    with grammax.load(domain, model=switches.given.model) as parser:
        for path in files:
            found = [outcome(asked, parser, domain) for asked in read(path)]
            rows.append(shares(path.stem, found))
            every += found
            if switches.given.errors:
                show(found)
    rows.append(shares("all", every))
    for feature in dict.fromkeys(each.asked.feature for each in every):
        rows.append(shares(feature, [each for each in every if each.asked.feature == feature]))
    return rows, claims(every)


def read(path: Path) -> Iterable[Asked]:
    """The queries of a file of JSON lines."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Asked(row["query"], row["kind"], tuple(row["lf"]), row["feature"])


def outcome(asked: Asked, parser: Parser, domain: TableDomain) -> Outcome:
    """The reading of a query, compared with what is accepted."""
    parsed = parser.parse(asked.query, offer=False)
    same = [domain.same(parsed.tokens, domain.read(form)) for form in asked.forms]
    return Outcome(asked, parsed, any(same[:1]), any(same), is_invented(parsed, domain))


def is_invented(parsed: Parsed, domain: TableDomain) -> bool:
    """Whether a reading has a number, a count, a time or a currency that its query lacks."""
    try:
        filled(parsed.tokens, domain.mentions(parsed.text.lstrip()), domain.catalogue.fields)
    except NotMentioned:
        return True
    return False


def shares(name: str, found: Sequence[Outcome]) -> dict[str, Any]:
    """One row of the table."""
    answerable = [each for each in found if each.asked.kind == "answerable"]
    others = [each for each in found if each.asked.kind != "answerable"]
    return {
        "name": name,
        "queries": len(found),
        "answerable": len(answerable),
        "exact": _share(each.exact for each in answerable),
        "right": _share(each.acceptable for each in answerable),
        "right, not abstained": _share(
            each.acceptable and not each.parsed.abstains for each in answerable
        ),
        "wrong, warned": _share(
            not each.acceptable and each.parsed.abstains for each in answerable
        ),
        "wrong, no warning, of all": _share(each.wrong_without_warning for each in found),
        "abstained where it should": _share(each.parsed.abstains for each in others),
        "ECE": calibration_error(found),
        "invented": sum(each.invented for each in found),
        "rows multiplied": sum(sum(e.parsed.scored) for e in found) / max(1, len(found)),
    }


def calibration_error(found: Sequence[Outcome]) -> float:
    """The expected calibration error over all queries; what cannot be said is never right."""
    bins: list[list[Outcome]] = [[] for _ in range(BINS)]
    for each in found:
        bins[min(BINS - 1, int(BINS * each.parsed.confidence))].append(each)
    gaps = (
        abs(sum(each.parsed.confidence for each in some) - sum(e.acceptable for e in some))
        for some in bins
    )
    return sum(gaps) / max(1, len(found))


def claims(found: Sequence[Outcome]) -> list[Claim]:
    """What the project aims at, on queries that nobody has seen."""
    row = shares("", found)
    return [
        at_least("answerable queries that are right", row["right"], 0.88, "of them"),
        at_most("wrong without warning", row["wrong, no warning, of all"], 0.04, "of all"),
        at_least("abstained where it should", row["abstained where it should"], 0.90, "of them"),
        at_most("expected calibration error", row["ECE"], 0.05, ""),
        at_most("readings with an invented number", row["invented"], 0, ""),
    ]


def show(found: Iterable[Outcome]) -> None:
    """Print the wrong readings on stderr."""
    for each in found:
        parsed = each.parsed
        good = each.acceptable if each.asked.kind == "answerable" else parsed.abstains
        if not good:
            why = parsed.why or "no warning"
            print(f"{each.asked.query}\n    {parsed.lf}   [{parsed.confidence:.2f}, {why}]",
                  f"\n    {each.asked.forms[:1]}", file=sys.stderr)  # fmt: skip


def _share(hits: Iterable[bool]) -> float:
    every = list(hits)
    return sum(every) / max(1, len(every))


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--errors", action="store_true", help="print the wrong readings on stderr")
    parser.add_argument("--file", type=Path, action="append", help="other files of JSON lines")
    parser.add_argument("--model", type=Path, help="a model other than the shipped one")


if __name__ == "__main__":
    run("people", __doc__ or "", main, ("numpy", "numba"), arguments=_arguments)
