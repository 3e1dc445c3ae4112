"""The claims of a benchmark as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from grammax.cli.terminal import new_table, plain, print_result
from grammax.evaluation.benchmark import Claim


def print_claims(claims: Sequence[Claim]) -> None:
    """A line for each claim, and whether it is met."""
    table = new_table("claim", "target", "measured", "met")
    for claim in claims:
        met = plain("yes") if claim.met else plain("NO", "bold red")
        table.add_row(plain(claim.claim), claim.target, claim.measured, met)
    print_result(table)
