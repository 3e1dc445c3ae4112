"""Names of fields that are computed from others: "forward budget", "5 year average length".

A catalogue lists some names of such a field. People combine any name of the base with any phrase
for the computation; `variant_names` are these combinations.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from grammax.tables.catalogue.catalogue import Catalogue

_YEARS: Final = {"3": "three", "5": "five"}


def _averages(years: str) -> tuple[str, ...]:
    return tuple(
        pattern.replace("{y}", number)
        for number in (years, _YEARS[years])
        for pattern in (
            "{y} year average {f}", "{y} year avg {f}", "{y} yr average {f}", "{y} yr avg {f}",
            "{f} {y} year average", "{f} {y} year avg", "average {f} over {y} years",
            "{y} year mean {f}", "average {y} year {f}",
        )
    ) + tuple(
        pattern.replace("{y}", years)
        for pattern in ("{y}y average {f}", "{y}y avg {f}", "{f} {y}y average", "{f} {y}y avg")
    )  # fmt: skip


def _growths(years: str) -> tuple[str, ...]:
    return tuple(
        pattern.replace("{y}", number)
        for number in (years, _YEARS[years])
        for pattern in (
            "{y} year {f} growth", "{f} growth over {y} years", "{f} {y} year growth",
            "{y} yr {f} growth", "{f} growth {y} years", "{y} year growth in {f}",
            "{y} year {f} cagr", "{f} {y} year cagr", "{f} growth over the last {y} years",
            "{f} growth over the past {y} years", "{y} year {f} growth rate",
            "growth in {f} over {y} years", "growth of {f} over {y} years",
        )
    ) + tuple(
        pattern.replace("{y}", years)
        for pattern in ("{y}y {f} growth", "{f} growth {y}y", "{f} {y}y growth", "{f} cagr {y}y",
                        "{y}y {f} cagr")
    )  # fmt: skip


PATTERNS: Final[Mapping[str, tuple[str, ...]]] = {
    "GROWTH_1Y": (
        "{f} growth", "growth in {f}", "{f} growth rate", "yoy {f} growth", "{f} growth yoy",
        "annual {f} growth", "yearly {f} growth", "1 year {f} growth", "growth of {f}",
        "year on year {f} growth", "{f} growth year on year", "{f} growth year over year",
    ),
    "GROWTH_3Y": _growths("3"),
    "GROWTH_5Y": _growths("5"),
    "GROWTH_QOQ": (
        "quarterly {f} growth", "qoq {f} growth", "{f} growth qoq", "sequential {f} growth",
        "quarter on quarter {f} growth", "{f} growth quarter on quarter",
    ),
    "AVG_3Y": _averages("3"),
    "AVG_5Y": _averages("5"),
    "FORWARD": (
        "forward {f}", "fwd {f}", "expected {f}", "estimated {f}", "projected {f}", "forecast {f}",
        "next year {f}", "next year's {f}", "{f} estimate", "{f} forecast", "consensus {f}",
        "{f} next year", "ntm {f}", "{f} forward",
    ),
    "FORWARD_GROWTH": (
        "expected {f} growth", "forward {f} growth", "estimated {f} growth", "forecast {f} growth",
        "projected {f} growth", "{f} growth next year", "next year's {f} growth",
    ),
    "TTM": ("ttm {f}", "{f} ttm", "trailing {f}", "{f} trailing", "ltm {f}", "{f} ltm",
            "trailing 12 month {f}", "trailing twelve month {f}"),
    "QUARTERLY": ("quarterly {f}", "{f} mrq", "mrq {f}", "latest quarterly {f}"),
    "PER_SHARE": ("{f} per share", "{f} a share", "{f} / share"),
    "TO_SALES": ("{f} to sales", "{f} to revenue", "{f} / sales", "{f} / revenue",
                 "{f} as a percentage of sales", "{f} as a percentage of revenue",
                 "{f} as % of sales", "{f} as % of revenue", "{f} as a share of revenue"),
    "TO_ASSETS": ("{f} to assets", "{f} / assets", "{f} as a percentage of assets",
                  "{f} as % of assets"),
    "CHANGE_1Y": ("change in {f}", "{f} change", "yoy change in {f}", "1 year change in {f}"),
}  # fmt: skip
"""Phrases for computations; "{f}" is a name of the base."""


GROWTHS: Final = ("GROWTH_1Y", "CHANGE_1Y")
"""The computations that are meant by a verb of change without a period: "views up 10%"."""

MOVES: Final = frozenset(
    ("up", "down", "rise", "rises", "rising", "rose", "risen", "grow", "grows", "growing", "grew",
     "grown", "growth", "grower", "growers", "increase", "increases", "increased", "increasing",
     "jump", "jumped", "jumping", "surge", "surged", "surging", "soar", "soared", "soaring",
     "climb", "climbed", "climbing", "gain", "gained", "gaining", "improve", "improved",
     "improving", "expand", "expanded", "expanding", "accelerating", "fall", "falls", "falling",
     "fell", "fallen", "drop", "drops", "dropped", "dropping", "decline", "declines", "declined",
     "declining", "decrease", "decreased", "decreasing", "shrink", "shrinks", "shrinking",
     "shrank", "shrunk", "plunge", "plunged", "plunging", "slump", "slumped", "slide", "slid",
     "sliding", "tumble", "tumbled", "tank", "tanked", "cut", "cutting", "raised", "raising",
     "hiked", "yoy", "collapse", "collapsed", "swelled", "boosted", "boost", "slashed", "slash",
     "trimmed", "trim", "widening", "widened", "widen", "narrowing", "narrowed", "squeezed", "laid",
     "reduced", "reducing", "lifted", "ballooned", "crashed", "sank", "dipped", "spiked", "eased",
     "contracted", "contracting", "deteriorating", "accelerated", "slowing", "quadrupled",
     "doubled", "tripled", "halved", "momentum", "slipped", "slipping")
)  # fmt: skip
"""Words that may turn the name of a field into the name of its growth."""

LONGER_GROWTHS: Final = ("GROWTH_3Y", "GROWTH_5Y")
"""The computations that are meant by growth beside a number of years: "growth of 5% in 3 years"."""

YEARS: Final = frozenset(("years", "yrs", "yr", "y", "year", "annualised", "annualized", "cagr"))
"""Words that may turn growth over one year into growth over more of them."""

MULTIPLES: Final = frozenset(("x", "times", "multiple", "multiples"))
"""Words that may turn the name of a field into the ratio that divides by it."""

COMPARING: Final = frozenset(
    ("above", "below", "over", "under", "at", "near", "hit", "hits", "hitting", "made", "reached",
     "crossed", "cross", "crossing", "broke", "beyond", "through", "touched", "set", "beneath",
     "higher", "lower")
)  # fmt: skip
"""Words that may compare something unsaid with a level: "above its 50-day average"."""

QUARTERLY: Final = frozenset(("quarterly",))
"""Words with which the name of a quarter's value may mean the value by quarters."""

_CHANGES: Final = (*PATTERNS["GROWTH_1Y"][:3], *PATTERNS["CHANGE_1Y"])


def variant_names(token: str, catalogue: Catalogue) -> tuple[str, ...]:
    """The combinations of the names of a field's base with phrases for its computation.

    They may include names that the catalogue lists. A numeric field without a base is meant by
    phrases for its change: "the change in length over the last 3 years".
    """
    if token not in catalogue.fields:
        return ()
    field = catalogue.fields[token]
    if field.type not in catalogue.schema.number_types:
        return ()
    patterns, base = _CHANGES, token
    if field.base is not None and field.base in catalogue.fields:
        patterns, base = PATTERNS.get(field.variant or "", ()), field.base
    names = catalogue.wordings(base)
    return tuple(pattern.replace("{f}", name) for name in names for pattern in patterns)


def growths(catalogue: Catalogue) -> dict[str, tuple[str, ...]]:
    """For each field the fields that are its growth over a year."""
    return _by_base(catalogue, GROWTHS)


def longer_growths(catalogue: Catalogue) -> dict[str, tuple[str, ...]]:
    """For each growth over a year the growths of the same field over more years."""
    longer = _by_base(catalogue, LONGER_GROWTHS)
    return {
        token: longer[base]
        for base, tokens in growths(catalogue).items()
        if base in longer
        for token in tokens
    }


def _by_base(catalogue: Catalogue, variants: Collection[str]) -> dict[str, tuple[str, ...]]:
    """For each field those of its variants that are asked for."""
    found: dict[str, tuple[str, ...]] = {}
    for token, field in catalogue.fields.items():
        if field.base is not None and field.variant in variants:
            found[field.base] = (*found.get(field.base, ()), token)
    return found


def bases_of_quarters(catalogue: Catalogue) -> dict[str, tuple[str, ...]]:
    """For each field that is another in the latest quarter, that other field."""
    return {
        token: (field.base,)
        for token, field in catalogue.fields.items()
        if field.base is not None and field.variant == "QUARTERLY"
    }
