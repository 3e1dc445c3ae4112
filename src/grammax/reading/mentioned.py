"""The words of a query with each of its mentions as one word, and the names among them.

A number inside a longer name ("top 10 by 5 year return") belongs to the name; not if the rest of
the name are function words, or if the words only refer to a token ("up over 3 years"). Other names
that overlap with a mention ("5 dollars") are dropped, unless both are the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from grammax.language.filling import Mention, slot
from grammax.reading.english import function_words
from grammax.reading.name_index import Match
from grammax.reading.names import NameMatcher
from grammax.text import fold_text

_BESIDE: Final = frozenset(("top", "bottom", "first", "last"))  # words beside a count of ranks


class ReadWords(NamedTuple):
    """The words of a query after its mentions were joined."""

    words: tuple[str, ...]
    typed: tuple[str, ...]
    names: tuple[Match, ...]
    positions: tuple[int, ...]  # for each word before, its position now


def with_mentions(
    words: Sequence[str],
    owners: Sequence[int],
    mentions: Sequence[Mention],
    matcher: NameMatcher,
    text: str,
) -> ReadWords:
    """Join the words of each mention; `owners` has the number of each word's mention, or -1."""
    numbers = {index for index, number in enumerate(owners) if number >= 0}
    names = matcher.find(words, text, numbers)
    ranges = _ranges(owners)
    kept = {
        number: (start, stop)
        for number, (start, stop) in ranges.items()
        if not any(_owns(name, (start, stop), words, matcher) for name in names)
    }
    names = [name for name in names if not any(_clashes(name, kept[number]) for number in kept)]
    joined: list[str] = []
    typed: list[str] = []
    positions: list[int] = []
    for index, word in enumerate(words):
        number = owners[index]
        if number not in kept:
            joined.append(word)
            typed.append(word)
        elif index == kept[number][0]:
            mention = mentions[number]
            joined.append(_word_of(mention))
            typed.append(fold_text(text[mention.start : mention.stop]))
        positions.append(len(joined) - 1)
    found = [Match(positions[n.start], positions[n.stop - 1] + 1, n.ids) for n in names]
    found += [
        Match(positions[start], positions[start] + 1, _slots(number, mentions[number], matcher))
        for number, (start, _) in kept.items()
    ]
    found.sort()
    return ReadWords(tuple(joined), tuple(typed), tuple(found), tuple(positions))


def is_mention(word: str) -> bool:
    """Whether a word of a query stands for a mention.

    >>> is_mention("<number>"), is_mention("<"), is_mention("number")
    (True, False, False)
    """
    return len(word) > 1 and word[0] == "<"


def _word_of(mention: Mention) -> str:
    return f"<{mention.readings[0][0].lower()}>"


def _slots(number: int, mention: Mention, matcher: NameMatcher) -> tuple[int, ...]:
    return tuple(matcher.vocabulary.id(slot(kind, number)) for kind, _ in mention.readings)


def _ranges(owners: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The words of each mention."""
    found: dict[int, tuple[int, int]] = {}
    for index, number in enumerate(owners):
        if number >= 0:
            found[number] = (found.get(number, (index, index))[0], index + 1)
    return found


def _owns(
    name: Match, mention: tuple[int, int], words: Sequence[str], matcher: NameMatcher
) -> bool:
    """Whether the words of a mention are part of a longer name."""
    start, stop = mention
    if not (name.start <= start and stop <= name.stop and name.stop - name.start > stop - start):
        return False
    rest = (*words[name.start : start], *words[stop : name.stop])
    if all(word in _BESIDE or word in function_words() for word in rest):
        return False
    return matcher.is_name(words[name.start : name.stop], name.ids)


def _clashes(name: Match, mention: tuple[int, int]) -> bool:
    """Whether a name overlaps with a mention without containing it."""
    start, stop = mention
    overlap = name.start < stop and start < name.stop
    return overlap and not (name.start <= start and stop <= name.stop)
