"""Parses of queries with phrases that stand for conditions (see `Domain.without_phrases`).

The parser reads the rest of the query. Here the conditions are added to what it found, and the
phrases to the words: the result is that of the whole query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from grammax.language.domain import Domain, Tokens
from grammax.language.phrases import Rephrased, joined
from grammax.parser.parsed import Alternative, Parsed, Seconds

Positions = tuple[int, ...]


def only_conditions(text: str, rest: Rephrased, domain: Domain) -> Parsed:
    """The parse of a query that has nothing but phrases: nothing is left to predict."""
    made = joined((), rest.conditions)
    lf = domain.text(made.tokens)
    return Parsed(
        text=text,
        lf=lf,
        tokens=made.tokens,
        confidence=1.0,
        why=None,
        uncovered=(),
        best=(Alternative(lf, made.tokens, 1.0),),
        permitted=(1,) * len(made.tokens),
        scored=(0,) * len(made.tokens),
        words=tuple(each.typed.lower() for each in rest.conditions),
        typos=(),
        sources=tuple(() if at is None else (at,) for at in made.condition),
        seconds=Seconds(0.0, 0.0, 0.0),
        version=domain.version,
        contradictory=domain.contradicts(made.tokens),
    )


def with_conditions(
    text: str, rest: Rephrased, parsed: Parsed, domain: Domain, count_words: Callable[[str], int]
) -> Parsed:
    """The parse of a whole query, given that of the rest of it.

    `count_words` counts the words of the beginning of a text.
    """
    words, moved, places = _words(rest, parsed.words, count_words)
    made = joined(parsed.tokens, rest.conditions)
    best = [(joined(each.tokens, rest.conditions).tokens, each) for each in parsed.best]

    def shift(positions: Sequence[int]) -> Positions:
        return tuple(moved[at] for at in positions)

    def sources(new: int | None, condition: int | None) -> Positions:
        if new is not None:
            return shift(parsed.sources[new])
        return () if condition is None else (places[condition],)

    return replace(
        parsed,
        text=text,
        lf=domain.text(made.tokens),
        tokens=made.tokens,
        best=tuple(Alternative(domain.text(t), t, each.probability) for t, each in best),
        permitted=tuple(1 if at is None else parsed.permitted[at] for at in made.before),
        scored=tuple(0 if at is None else parsed.scored[at] for at in made.before),
        words=words,
        typos=tuple((moved[at], typed) for at, typed in parsed.typos),
        sources=tuple(map(sources, made.before, made.condition)),
        uncovered=shift(parsed.uncovered),
        unused=shift(parsed.unused),
        concerned=shift(parsed.concerned),
        contradictory=domain.contradicts(made.tokens),
    )


def seconds_with(rest: Rephrased, tokens: Tokens, seconds: Sequence[float]) -> tuple[float, ...]:
    """The time of each token, given that of the tokens of the rest of a query."""
    made = joined(tokens, rest.conditions)
    return tuple(0.0 if at is None else seconds[at] for at in made.before)


def _words(
    rest: Rephrased, words: Sequence[str], count_words: Callable[[str], int]
) -> tuple[tuple[str, ...], list[int], list[int]]:
    """The words with the phrases; where each of the words is now, and where each phrase is."""
    found = list(words)
    moved, places = list(range(len(words))), list[int]()
    inserted = 0
    for condition in rest.conditions:
        at = min(count_words(rest.text[: condition.at]) + inserted, len(found))
        phrase = condition.typed.lower()
        if condition.noun and at < len(found):
            found[at] = phrase
        else:
            found.insert(at, phrase)
            moved = [place + (place >= at) for place in moved]
            inserted += 1
        places.append(at)
    return tuple(found), moved, places
