"""Words for columns of numbers and dates that do not contain the column's name.

What is said of a class comes first ("oldest" of ages), then what is said of a concept ("heaviest"
of weights, "most viewed" of views; the adjectives are those of `inspect/concepts.tsv`).

>>> idioms_of("AGE", None).most, idioms_of("RANK", None).least[:2]
(('oldest', 'eldest'), ('highest ranked', 'best ranked'))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Final

from grammax.tables.idioms import Idioms
from grammax.tables.inspect.concepts import Concept, general
from grammax.tables.semantics import SemanticClass
from grammax.tables.wording.inflection import comparative, superlative

_CLASSES: Final[Mapping[str, Idioms]] = {
    "AGE": Idioms(
        more=("old", "elderly"), less=("young",), most=("oldest", "eldest"), least=("youngest",),
        greater=("older than {n}", "over {n} years old", "aged over {n}", "above {n} years of age",
                 "over the age of {n}", "more than {n} years old"),
        smaller=("younger than {n}", "under {n} years old", "aged under {n}",
                 "below {n} years of age", "under the age of {n}", "less than {n} years old"),
    ),
    "RATING": Idioms(
        more=("good", "highly rated", "great"), less=("bad", "poorly rated"),
        most=("best", "highest rated", "top rated", "best rated", "top-rated", "highest-rated"),
        least=("worst", "lowest rated", "worst rated", "lowest-rated"),
        greater=("rated above {n}", "rated higher than {n}", "rated over {n}",
                 "rated more than {n}", "rated better than {n}"),
        smaller=("rated below {n}", "rated lower than {n}", "rated under {n}",
                 "rated less than {n}", "rated worse than {n}"),
    ),
    "RANK": Idioms(
        most=("lowest ranked", "worst ranked"), least=("highest ranked", "best ranked",
        "top ranked"),
        greater=("ranked below {n}", "ranked lower than {n}"),
        smaller=("ranked above {n}", "ranked higher than {n}", "ranked better than {n}"),
    ),
    "DURATION": Idioms(
        more=("long",), less=("short",), most=("longest",), least=("shortest",),
        greater=("longer than {n}", "lasting more than {n}", "lasting longer than {n}",
                 "taking more than {n}", "that last over {n}", "that take longer than {n}"),
        smaller=("shorter than {n}", "lasting less than {n}", "taking less than {n}",
                 "that last less than {n}", "that take under {n}"),
    ),
    "DATE": Idioms(
        more=("recent", "new"), less=("old", "early"),
        most=("latest", "most recent", "newest", "last"), least=("earliest", "oldest", "first"),
        greater=("newer than {n}", "more recent than {n}"), smaller=("older than {n}",),
    ),
    "YEAR": Idioms(
        more=("recent", "new"), less=("old",), most=("newest", "latest", "most recent"),
        least=("oldest", "earliest"),
        greater=("newer than {n}", "more recent than {n}"), smaller=("older than {n}",),
    ),
}  # fmt: skip
_PRICED: Final = Idioms(
    more=("expensive", "pricey", "costly"), less=("cheap", "inexpensive", "affordable"),
    most=("most expensive", "priciest", "costliest"), least=("cheapest", "least expensive"),
    greater=("costing more than {n}", "more expensive than {n}", "priced above {n}",
             "that cost more than {n}", "priced over {n}", "that cost over {n}"),
    smaller=("cheaper than {n}", "costing less than {n}", "less expensive than {n}",
             "priced below {n}", "that cost less than {n}", "priced under {n}",
             "that cost under {n}"),
    verbs=("cost",),
)  # fmt: skip
_PAID: Final = Idioms(
    more=("well paid",), less=("badly paid",),
    most=("best paid", "highest paid", "highest earning"),
    least=("lowest paid", "worst paid", "lowest earning"),
    greater=("earning more than {n}", "that earn more than {n}", "making over {n}",
             "paid more than {n}", "who earn more than {n}"),
    smaller=("earning less than {n}", "that earn less than {n}", "making under {n}",
             "paid less than {n}", "who earn less than {n}"),
    verbs=("earn", "make"),
)  # fmt: skip
_BORN: Final = Idioms(
    more=("young",), less=("old",), most=("youngest", "most recently born"),
    least=("oldest", "eldest"), greater=("younger than {n}",), smaller=("older than {n}",),
)  # fmt: skip
_CONCEPTS: Final[Mapping[str, Idioms]] = {
    **dict.fromkeys(("price", "cost", "fee", "fare", "rent"), _PRICED),
    **dict.fromkeys(("salary", "income"), _PAID),
    **dict.fromkeys(("birth date", "birth year"), _BORN),
    "weight": Idioms(
        greater=("weighing more than {n}", "that weigh over {n}"),
        smaller=("weighing less than {n}", "that weigh under {n}"), verbs=("weigh",),
    ),
    "speed": Idioms(greater=("going over {n}",), smaller=("going under {n}",)),
    "population": Idioms(
        most=("most populous", "most populated", "largest", "biggest"),
        least=("least populous", "least populated", "smallest"),
        greater=("with more than {n} people", "with over {n} inhabitants"),
        smaller=("with fewer than {n} people", "with less than {n} inhabitants"),
    ),
    "experience": Idioms(
        greater=("with more than {n} years of experience",),
        smaller=("with less than {n} years of experience",),
    ),
    "popularity": Idioms(most=("most popular",), least=("least popular",)),
}  # fmt: skip
_OWN: Final = frozenset(("price", "cost", "fee", "fare", "rent", "salary", "income",
                         "birth date", "birth year"))  # fmt: skip
"""Concepts whose words replace those of their class and the adjectives of the table."""
_NONE: Final = Idioms()
_NOT_COMPARED: Final = frozenset((SemanticClass.YEAR, SemanticClass.RANK))
"""Classes whose verbs are not said of more and less: "built in", "finishing"."""


def idioms_of(semantic: str, concept: Concept | None) -> Idioms:
    """The words for a column of a class, whose name is about a concept."""
    if concept is None:
        return _CLASSES.get(semantic, _NONE)
    wider = general(concept)
    name = wider.name if wider is not None and concept.name not in _CONCEPTS else concept.name
    known = _CONCEPTS.get(name, _NONE)
    if name in _OWN:
        return _joined(known, _verbs(concept))
    own = _joined(_adjectives(concept, semantic), _verbs(concept))
    of_class = _CLASSES.get(semantic, _NONE)
    if semantic in ("DURATION", "RATING") and concept.more not in ("long", "good", ""):
        of_class = replace(of_class, more=(), less=(), most=(), least=())
    return _joined(_joined(known, own), of_class)


def _verbs(concept: Concept) -> Idioms:
    """The verbs of a concept of numbers, compared: "holding more than {n}"."""
    if not concept.semantic.is_number or concept.semantic in _NOT_COMPARED:
        return _NONE
    return Idioms(
        greater=tuple(verb.replace("{}", "more than {n}") for verb in concept.verbs),
        smaller=tuple(verb.replace("{}", "less than {n}") for verb in concept.verbs),
    )


def _adjectives(concept: Concept, semantic: str) -> Idioms:
    """The adjectives of a concept, compared: "heavy", "heavier than {n}", "heaviest"."""
    more, less = concept.more, concept.less
    counted = more.endswith("ed") and semantic == "COUNT"  # "viewed": there are no "viewed films"
    opposite = f"least {more}" if more and superlative(more).startswith("most ") else ""
    least = [superlative(less)] * bool(less) + [opposite] * bool(opposite)
    taken = semantic in ("DATE", "YEAR")  # "newer than 2010" is of the class
    return Idioms(
        more=(more,) if more and not counted else (),
        less=(less,) if less else (),
        most=(superlative(more),) if more else (),
        least=tuple(least),
        greater=(f"{comparative(more)} than {{n}}",) if more and not counted and not taken else (),
        smaller=(f"{comparative(less)} than {{n}}",) if less and not taken else (),
    )


def _joined(one: Idioms, other: Idioms) -> Idioms:
    parts = (part.name for part in fields(Idioms))
    return Idioms(
        **{part: tuple(dict.fromkeys((*getattr(one, part), *getattr(other, part))))
           for part in parts}
    )  # fmt: skip
