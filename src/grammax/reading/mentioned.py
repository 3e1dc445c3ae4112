"""The words of a query with each of its numbers and times as one word, and the names among them.

A number inside a longer name ("top 10 by 5 year return") belongs to the name; not if the rest of
the name are function words, or if the words only refer to a token ("up over 3 years"). Other names
that overlap with a mention ("5 dollars") are dropped, unless both are the same words. The words of
texts that a query mentions stay words, and a text is one more name among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from grammax.language.filling import Mention, slot
from grammax.reading.english import function_words
from grammax.reading.name_index import Match
from grammax.reading.names import NameMatcher
from grammax.reading.normal import Span
from grammax.reading.words import split
from grammax.text import fold_text

_BESIDE: Final = frozenset(("top", "bottom", "first", "last"))  # words beside a count of ranks


class ReadWords(NamedTuple):
    """The words of a query after its mentions were joined."""

    words: tuple[str, ...]
    typed: tuple[str, ...]
    names: tuple[Match, ...]
    positions: Sequence[int]  # for each word before, its position now


def split_at_mentions(
    text: str, mentions: Sequence[Mention], longest: int
) -> tuple[list[str], dict[int, Span]]:
    """The words of a text, and where those of each mention are, among the first `longest`."""
    words: list[str] = []
    places: dict[int, int] = {}  # of characters: the number of words before
    end = 0
    for cut in sorted({at for mention in mentions for at in mention[:2]}):
        words += split(text[end:cut])
        places[cut], end = len(words), cut
    words += split(text[end:])
    spans: dict[int, Span] = {}
    for number, mention in enumerate(mentions):
        start, stop = places[mention.start], places[mention.stop]
        if start < stop and start < longest and (mention.one_word or stop <= longest):
            spans[number] = start, min(stop, longest)
    return words, spans


def texts_among(
    spans: Mapping[int, Span],
    mentions: Sequence[Mention],
    positions: Sequence[int],
    matcher: NameMatcher,
) -> list[Match]:
    """The texts that a query mentions, as names among its words after its numbers were joined."""
    return [
        Match(positions[start], positions[stop - 1] + 1, _slots(number, mentions[number], matcher))
        for number, (start, stop) in spans.items()
        if not mentions[number].one_word
    ]


def with_mentions(
    words: Sequence[str],
    spans: Mapping[int, Span],
    mentions: Sequence[Mention],
    names: Sequence[Match],
    matcher: NameMatcher,
    text: str,
) -> ReadWords:
    """Join the words of each mention; `spans` has where they are, by the number of the mention.

    Texts are not joined.
    """
    spans = {number: span for number, span in spans.items() if mentions[number].one_word}
    if not spans:
        same = tuple(words)
        return ReadWords(same, same, tuple(names), range(len(words)))
    kept = {
        number: span
        for number, span in spans.items()
        if not any(_owns(name, span, words, matcher) for name in names if _holds(name, span))
    }
    joined: list[str] = []
    typed: list[str] = []
    positions: list[int] = []
    found: list[Match] = []
    end = 0
    for number, (start, stop) in kept.items():
        mention, before = mentions[number], words[end:start]
        positions += range(len(joined), len(joined) + len(before))
        joined += before
        typed += before
        at, end = len(joined), stop
        joined.append(_word_of(mention))
        typed.append(fold_text(text[mention.start : mention.stop]))
        positions += [at] * (stop - start)
        found.append(Match(at, at + 1, _slots(number, mention, matcher)))
    rest = words[end:]
    positions += range(len(joined), len(joined) + len(rest))
    found += [
        Match(positions[start], positions[stop - 1] + 1, ids)
        for start, stop, ids in names
        if not _clashes(start, stop, kept.values())
    ]
    found.sort()
    return ReadWords((*joined, *rest), (*typed, *rest), tuple(found), positions)


def is_mention(word: str) -> bool:
    """Whether a word of a query stands for a mention.

    >>> is_mention("<number>"), is_mention("<"), is_mention("number")
    (True, False, False)
    """
    return len(word) > 1 and word[0] == "<"


def _word_of(mention: Mention) -> str:
    return f"<{mention.readings[0][0].lower()}>"


def _slots(number: int, mention: Mention, matcher: NameMatcher) -> tuple[int, ...]:
    tokens = [slot(kind, number) for kind, _ in mention.readings]
    return tuple(matcher.vocabulary.id(token) for token in (*tokens, *mention.hints))


def _holds(name: Match, mention: Span) -> bool:
    """Whether the words of a mention are some of those of a longer name."""
    start, stop = mention
    return name.start <= start and stop <= name.stop and name.stop - name.start > stop - start


def _owns(name: Match, mention: Span, words: Sequence[str], matcher: NameMatcher) -> bool:
    """Whether a mention is part of the longer name that holds it."""
    start, stop = mention
    rest = (*words[name.start : start], *words[stop : name.stop])
    if all(word in _BESIDE or word in function_words() for word in rest):
        return False
    return matcher.is_name(words[name.start : name.stop], name.ids)


def _clashes(first: int, last: int, mentions: Iterable[Span]) -> bool:
    """Whether a name overlaps with a mention without containing it."""
    for start, stop in mentions:
        if first < stop and start < last and not (first <= start and stop <= last):
            return True
    return False
