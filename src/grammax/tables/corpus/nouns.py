"""The companies that a query asks for: a noun, what stands before it and what stands after it."""

from __future__ import annotations

from random import Random
from typing import Final

from grammax.tables.corpus.bounds import sentence_clause
from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.names import Names
from grammax.tables.corpus.plan import Either, Kind, Plan
from grammax.tables.corpus.values import Said, after_noun, as_noun, before_noun

_COMPANIES: Final = ("companies", "firms", "stocks", "equities", "shares")
_CHANCE_BEFORE: Final = {
    "INDEX": 0.3, "RECOMMENDATION": 0.3, "EXCHANGE": 0.2, "CITY": 0.25, "STATE": 0.25,
    "SIZE": 0.9, "COUNTRY": 0.7, "STYLE": 0.95,
}  # fmt: skip
"""How often a constraint stands before the noun; where several do, they come in this order."""


def described(plan: Plan, names: Names, random: Random, verb: str = "", by: str = "") -> Said:
    """Noun, what stands around it, the comparisons; `by` comes before the comparisons."""
    head, after = companies(plan, names, random)
    if by:
        after.append(Said(by, "by"))
    excluded = [a for a in after if a.text.startswith(("exc", "ex ", "but"))]
    parts = [a for a in after if a not in excluded]
    if plan.bounds:
        parts.append(sentence_clause(plan.bounds, names, random, verb))
        either = isinstance(plan.bounds[0], Either)  # nothing may follow its second side
        if not verb and not by and not either and random.random() < 0.12:
            parts.reverse()
    parts += excluded
    text = " ".join([head.text, *(part.text for part in parts)])
    return Said(text, " ".join([head.shape, *(part.shape for part in parts)]))


def companies(plan: Plan, names: Names, random: Random) -> tuple[Said, list[Said]]:
    """The noun with all that stands before it, and what stands after it."""
    if plan.groups:
        return groups(plan, names, random), []
    before: dict[str, Said] = {}
    after: list[Said] = []
    head = next((kind for kind in plan.kinds if _is_head(kind, random)), None)
    for kind in plan.kinds:
        if kind is head:
            continue
        place = f"{kind.type}{'-not' * kind.negated}"
        chance = _CHANCE_BEFORE.get(kind.type, 0) * (0.5 if kind.negated else 1)
        said = before_noun(kind, names, random) if random.random() < chance else None
        if said and len(before) < 2 and place not in before:
            before[place] = said
        else:
            after.append(after_noun(kind, names, random))
    word = "stocks" if "STYLE" in before else pick(random, _COMPANIES, 1.2)
    order = [place for t in _CHANCE_BEFORE for place in (f"{t}-not", t) if place in before]
    parts = [*(before[place] for place in order), as_noun(head, names, random, word)]
    text = " ".join(part.text for part in parts)
    return Said(text, " ".join(part.shape for part in parts)), after


def groups(plan: Plan, names: Names, random: Random) -> Said:
    """Two kinds of companies: "german banks or french insurers"."""
    word = pick(random, _COMPANIES, 1.2)
    texts, shapes = [], []
    for country, sector in plan.groups:
        adjective = pick(random, names.adjectives(country.values[0]), 1)
        head = as_noun(sector, names, random, word)
        texts.append(f"{adjective} {head.text}")
        shapes.append(head.shape)
    return Said(" or ".join(texts), f"groups({'|'.join(shapes)})")


def _is_head(kind: Kind, random: Random) -> bool:
    """Sectors are mostly the noun; types of security always."""
    if kind.negated:
        return False
    return kind.type == "SECURITY" or (kind.type == "SECTOR" and random.random() < 0.88)
