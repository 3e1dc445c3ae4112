"""A tiny domain of countries and sectors by their real names; needs no PyTorch.

`TINY` is bracketed, so its end is always forced. `OPEN` is not: after each clause a sentence may
end or go on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

from grammax import Grammar, Vocabulary, lr, superset
from grammax.automaton import BoundAutomaton
from grammax.errors import GrammaxError
from grammax.language.domain import Domain, Pair, Part, Tokens
from grammax.reading.names import NameMatcher
from grammax.reading.reader import QueryReader
from grammax.reading.spelling import Spelling
from grammax.reading.words import WordVocabulary

_NAMES = """
COUNTRY: "COU_GERMANY" | "COU_FRANCE" | "COU_JAPAN" | "COU_SOUTH_KOREA" | "COU_NETHERLANDS"
       | "COU_UNITED_KINGDOM" | "COU_WESTERN_EUROPE"
SECTOR: "SEC_STEEL" | "SEC_BANKS" | "SEC_SOFTWARE" | "SEC_AUTOMOBILES"
"""
BRACKETED = (
    """
query: clause | "(" "AND" clause clause+ ")"
clause: equality | "(" "NOT" equality ")" | "(" "top" DIGIT+ "FLD_MKT_CAP" ")"
equality: "(" "FLD_DOMICILE" "EQ" COUNTRY ")" | "(" "FLD_SECTOR" "EQ" SECTOR ")"
DIGIT: "0".."9"
"""
    + _NAMES
)
LIST = (
    """
query: clause ("and" clause)*
clause: "domicile" "is" COUNTRY | "sector" "is" SECTOR
"""
    + _NAMES
)
WORDINGS = {
    "COU_GERMANY": ("Germany", "german"),
    "COU_FRANCE": ("France", "french"),
    "COU_JAPAN": ("Japan", "japanese"),
    "COU_SOUTH_KOREA": ("South Korea", "korean"),
    "COU_NETHERLANDS": ("Netherlands", "dutch"),
    "COU_UNITED_KINGDOM": ("United Kingdom", "british"),
    "COU_WESTERN_EUROPE": ("Western Europe", "western european"),
    "SEC_STEEL": ("steel",),
    "SEC_BANKS": ("banks", "banking"),
    "SEC_SOFTWARE": ("software",),
    "SEC_AUTOMOBILES": ("automobiles", "cars"),
    "FLD_MKT_CAP": ("market cap",),
}
UNSEEN = "COU_NETHERLANDS"
COUNTRIES = [token for token in WORDINGS if token.startswith("COU_") and token != UNSEEN]
SECTORS = [token for token in WORDINGS if token.startswith("SEC_")]


def clause(field: str, value: str) -> str:
    """A clause of the bracketed language."""
    return f"( {field} EQ {value} )"


def bracketed_pairs(countries: list[str]) -> list[Pair]:
    """Each country and sector, together and apart."""
    found = []
    for country, sector in product(countries, SECTORS):
        name, adjective = WORDINGS[country]
        where, what = clause("FLD_DOMICILE", country), clause("FLD_SECTOR", sector)
        said = WORDINGS[sector][-1]
        count = 5 + 5 * SECTORS.index(sector)
        best = f"( top {' '.join(str(count))} FLD_MKT_CAP )"
        texts = {
            f"{adjective} {said}": f"( AND {where} {what} )",
            f"{said} not {adjective}": f"( AND {what} ( NOT {where} ) )",
            f"Top {count} {said} in {name}": f"( AND {what} {where} {best} )",
        }
        found += [Pair(query, tuple(text.split())) for query, text in texts.items()]
    return found


def open_pairs() -> list[Pair]:
    """Countries, and countries with a sector."""
    found = []
    for country in COUNTRIES:
        found.append(Pair(WORDINGS[country][0], ("domicile", "is", country)))
        for sector in SECTORS[:2]:
            tokens = ("sector", "is", sector, "and", "domicile", "is", country)
            found.append(Pair(f"{WORDINGS[country][1]} {WORDINGS[sector][0]}", tokens))
    return found


@dataclass(frozen=True)
class TinyDomain(Domain):
    """A `Domain`; `dataclasses.replace` makes others of it."""

    grammar: str
    train: tuple[Pair, ...]
    test: tuple[Pair, ...] = ()
    name: str = "tiny"
    version: str = "one"
    must_be_named: frozenset[str] = frozenset()
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)

    grammars = ("superset", "lr")
    splits = ("train", "test")

    @property
    def training(self) -> Mapping[str, Any]:
        return self.settings

    @property
    def vocabulary(self) -> Vocabulary:
        return self.automaton("lr").vocabulary

    def automaton(self, grammar: str) -> BoundAutomaton:
        return _automata(self.grammar)[grammar]

    def pairs(self, split: str) -> tuple[Pair, ...]:
        return {"train": self.train, "test": self.test}[split]

    def wordings(self, token: str) -> tuple[str, ...]:
        return WORDINGS.get(token, (token,))

    def text(self, tokens: Tokens) -> str:
        return " ".join(tokens)

    def same(self, one: Tokens, other: Tokens) -> bool:
        return one == other

    def grammatical(self, tokens: Tokens) -> bool:
        automaton = self.automaton("lr")
        try:
            return automaton.accepts(automaton.read(tokens))
        except GrammaxError:
            return False

    def well_typed(self, tokens: Tokens) -> bool:
        return True

    def mistake(self, predicted: Tokens, expected: Tokens) -> str:
        return "other"

    def parts(self, tokens: Tokens) -> list[Part]:
        if tokens[:2] != ("(", "AND"):
            return [Part(tokens, tokens[1])]
        clauses = re.findall(r"\( (?:[^()]|\([^()]*\))*\)", " ".join(tokens[2:-1]))
        return [Part(tuple(clause.split()), clause.split()[1]) for clause in clauses]

    def joined(self, parts: Sequence[Part]) -> Tokens | None:
        roles = [part.role for part in parts]
        if not parts or len(set(roles)) < len(roles):
            return None
        if len(parts) == 1:
            return parts[0].tokens
        ordered = sorted(parts, key=lambda part: part.role == "top")  # others as mentioned
        return ("(", "AND", *(token for part in ordered for token in part.tokens), ")")

    def answers(self) -> None:
        return None


@cache
def _automata(text: str) -> dict[str, BoundAutomaton]:
    grammar = Grammar.read(text)
    exact = lr(grammar)
    return {"lr": exact, "superset": superset(grammar, exact.vocabulary)}


def _split(pairs: list[Pair]) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Every eighth pair is for testing."""
    train = tuple(pair for number, pair in enumerate(pairs) if number % 8)
    return train, tuple(pairs[::8])


TINY = TinyDomain(BRACKETED, *_split(bracketed_pairs(COUNTRIES)))
OPEN = TinyDomain(LIST, tuple(open_pairs()), name="open")
UNSEEN_PAIRS = bracketed_pairs([UNSEEN])


def a_reader(domain: TinyDomain = TINY, longest: int = 200, spelling: int = 32) -> QueryReader:
    """What reads the queries of a domain, all training words known."""
    names = NameMatcher(domain.vocabulary, domain.wordings, Spelling(spelling))
    return QueryReader(
        WordVocabulary.from_queries(pair.query for pair in domain.train), names, longest
    )
