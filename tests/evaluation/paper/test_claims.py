"""What the project says of the table, and what the paper published."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="the table is measured with PyTorch")

from evaluation.paper.small import small_table
from model.networks import an_untrained
from model.tiny import TINY

from grammax.evaluation.paper.claims import table_claims
from grammax.evaluation.paper.figures import Figures
from grammax.evaluation.paper.measure import measure
from grammax.evaluation.paper.rows import table_rows


def a_table(name: str, **changes: float) -> list[Figures]:
    """The small table, with all that is claimed and then some changes to a row."""
    table = dict(small_table())
    table["NSP-GC(all)"] = replace(table["NSP-GC(all)"], speedup=4.0)
    table["Spans, lr"] = replace(table["Spans, lr"], speedup=30.0, exact_match_percent=80.68)
    table[name] = replace(table[name], **changes)
    return list(table.values())


def test_all_claims_are_met_at_their_limits() -> None:
    claims = table_claims(a_table("NSP"))
    assert [(claim.claim, claim.target) for claim in claims] == [
        ("NSP-GC(all) is faster than NSP", "≥ 4 times"),
        ("Spans, lr is faster than NSP", "≥ 30 times"),
        ("Spans, lr is right more often than the paper", "> 80.67 %"),
        ("NSP-GC(all) is right as often as NSP on the forms of the paper", "≥ 0 points"),
        ("spans need no memory beyond the model", "≤ 0 MB"),
        ("Spans, lr is ungrammatical", "≤ 0 of 6"),
    ]
    assert all(claim.met for claim in claims)


@pytest.mark.parametrize(
    ("name", "changes", "measured"),
    [
        ("NSP-GC(all)", {"speedup": 3.99}, "3.99 times"),
        ("Spans, lr", {"speedup": 29.9}, "29.9 times"),
        ("Spans, lr", {"exact_match_percent": 80.67}, "80.67 %"),
        ("NSP-GC(all)", {"shared_exact_match_percent": -1.0}, "-1 points"),
        ("Spans, paper", {"memory_mb": 0.1}, "0.1 MB"),
        ("Spans, lr", {"ungrammatical": 1}, "1 of 6"),
    ],
)
def test_each_claim_can_fail(name: str, changes: dict[str, float], measured: str) -> None:
    failed = [claim for claim in table_claims(a_table(name, **changes)) if not claim.met]
    assert [claim.measured for claim in failed] == [measured]


def test_another_domain_is_not_compared_with_the_paper() -> None:
    table = measure(TINY, table_rows(TINY, an_untrained()), TINY.test[:2], 1)
    assert all(row.paper is None for row in table)
    assert [claim.target for claim in table_claims(table)] == ["≤ 0 MB", "≤ 0 of 2"]


def test_rows_of_the_paper_stand_beside_those_measured() -> None:
    paper = {name: row.paper for name, row in small_table().items() if row.paper}
    assert list(paper) == [
        "NSP", "NSP-G(500)", "NSP-G(10⁴)", "NSP-G(all)", "NSP-GC(500)", "NSP-GC(10⁴)",
        "NSP-GC(all)",
    ]  # fmt: skip
    assert [f"{row.speedup:.2f}" for row in paper.values()] == [
        "1.00", "3.29", "1.03", "0.06", "3.51", "3.77", "3.88",
    ]  # fmt: skip
