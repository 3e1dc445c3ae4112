"""Corrections that people made in the service, as pairs to learn from."""

from __future__ import annotations

from pathlib import Path

from grammax.cli.terminal import print_message
from grammax.language.domain import Domain, Pair
from grammax.service.corrections import read


def corrected_pairs(path: Path, domain: Domain) -> list[Pair]:
    """The pairs of a file; what cannot be learnt from is told, line by line, and left out.

    A query that was corrected twice counts as it was corrected last.
    """
    found = read(path)
    problems = list(found.problems)
    pairs: dict[str, Pair] = {}
    for correction in found.corrections:
        if domain.grammatical(correction.tokens) and domain.well_typed(correction.tokens):
            pairs[correction.query] = Pair(correction.query, correction.tokens)
        else:
            problems.append(
                f"{path}: left out, for {domain.name} {domain.version} has no such logical form: "
                f"{correction.query!r}, {correction.lf}"
            )
    for problem in problems:
        print_message(problem, "yellow")
    print_message(f"{path.name}: {len(pairs):,} corrections to learn from", "dim")
    return list(pairs.values())
