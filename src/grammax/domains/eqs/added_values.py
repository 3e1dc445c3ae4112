"""Queries that name values added after training: 500 real names outside the catalogue.

The names are those of unlisted companies, towns, regions within countries and themes of investors,
collected by hand (`data/added_values.tsv`). Queries are worded by the rules of the corpus. As in
`unseen_values`, everything in a pair except the added value was seen in training.

    domain = with_added_values(load())
    parser = grammax.load(domain)
    outcomes = evaluate(domain, parse_batch, {"added_values": added_pairs(domain)})
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, final

from grammax.domains.eqs.words import EQUITY_STYLE
from grammax.language.changes_table import read_table
from grammax.language.domain import Pair
from grammax.tables.corpus.corpus import Corpus, CorpusError, skeleton
from grammax.tables.corpus.draw import Dice
from grammax.tables.corpus.phraser import Phraser
from grammax.tables.corpus.plan import Plan
from grammax.tables.domain import TableDomain
from grammax.tables.form.text import to_tokens

FILE: Final = Path(__file__).parent / "data" / "added_values.tsv"
COUNT: Final = 331  # pairs, as many as the test splits have
_TRIES: Final = 20_000  # attempts per pair; a city, in one plan of fifty, needs some hundreds


def with_added_values(domain: TableDomain, file: Path = FILE) -> TableDomain:
    """The domain with the values of the file, except those it already has."""
    table = read_table(file)
    known = domain.catalogue
    return table.apply(lambda values: domain.with_values([v for v in values if known.is_new(v)]))


def added_pairs(domain: TableDomain, count: int = COUNT, seed: int = 0) -> tuple[Pair, ...]:
    """Pairs that each hold a value added to the domain; all values are used equally often."""
    values = [value.token for value in domain.changes.added]
    if not values:
        raise CorpusError(
            "nothing was added to the catalogue, so no query can name it. Add values first: "
            "`with_added_values` adds those of a file."
        )
    random = Dice(f"{seed}/added")
    random.shuffle(values)
    writer = _Writer(domain, random)
    found: dict[str, Pair] = {}
    while len(found) < count:
        before = len(found)
        for value in values:
            pair = writer.pair(value)
            if pair is not None and len(found) < count:
                found.setdefault(pair.query.casefold(), pair)
        if len(found) == before:
            raise CorpusError(f"of {count} pairs only {before} were found. Ask for fewer.")
    return tuple(found.values())


@final
class _Writer:
    def __init__(self, domain: TableDomain, random: Dice) -> None:
        self._catalogue = domain.catalogue
        self._phraser = Phraser(domain.catalogue, EQUITY_STYLE)
        self._corpus: Corpus = domain.corpus
        self._random = random

    def pair(self, token: str) -> Pair | None:
        """A pair that contains a value, or None if it cannot be worded."""
        type_ = self._catalogue.values[token].type
        if not self._phraser.voice.words.value(token, bare=True):
            return None
        for plan in self._plans(type_, token):
            phrase = self._phraser.say(plan, self._random)
            tokens = to_tokens(phrase.lf)
            unseen = {*tokens} - self._corpus.seen
            if unseen == {token} and skeleton(phrase.lf) in self._corpus.skeletons:
                return Pair(phrase.query, tokens)
        return None

    def _plans(self, type_: str, token: str) -> Iterator[Plan]:
        """Plans in which the value replaces one of its type."""
        for _ in range(_TRIES):
            plan = self._phraser.planner.plan(self._random)
            for index, enum in enumerate(plan.enums):
                if enum.type == type_:
                    fresh = replace(enum, values=(token, *enum.values[1:]))
                    enums = (*plan.enums[:index], fresh, *plan.enums[index + 1 :])
                    yield replace(plan, enums=enums)
                    break
