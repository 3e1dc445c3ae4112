"""`TextReader`: a query → the texts that it may ask columns to contain.

What people search for is quoted, or follows a cue ("called", "about", "whose title contains"), or
has capitals, or consists of words that mean nothing else here. Where a text ends is often unclear:
"called pride and prejudice by austen". So candidates may overlap, and the model chooses; each is a
run of the query's words as typed, and there are few.

>>> reader = TextReader(["title"], frozenset(("films", "called", "from")))
>>> text = "films called pride and prejudice from 2005"
>>> [text[each.start : each.stop] for each in reader.read(text)]
['pride', 'pride and prejudice', 'pride and prejudice from 2005', 'prejudice']
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Final, NamedTuple, Self, final

from grammax.language.filling import Mention
from grammax.reading.english import function_words
from grammax.reading.normal import plain_word
from grammax.reading.words import split
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.english.wordings import FIXED_WORDINGS
from grammax.tables.form.errors import without_blanks
from grammax.tables.form.operands import quoted
from grammax.tables.inspect.words import plural_of
from grammax.tables.lexicon import TEXT
from grammax.tables.wording.cues import TableCues

MOST: Final = 6
"""The texts of a query that are returned."""
_WORDS: Final = 10  # of a text
_CHARACTERS: Final = 120
_VALUES: Final = 50_000  # values whose words are known; the most common come first

_CHUNK: Final = re.compile(r"\S+")
_BEFORE, _AFTER = "\"'“”‘’«»([{,;:", "\"'“”‘’«»)]},;:?!."
QUOTED: Final = re.compile(
    r"\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|‘([^’]+)’"
    r"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)"
)
_NAMING: Final = frozenset(("called", "named", "titled", "entitled"))
_TOPIC: Final = frozenset(
    ("about", "on", "mentioning", "mentions", "mention", "mentioned", "regarding", "concerning",
     "discussing", "discuss", "discusses", "describing", "covering", "featuring", "re")
)  # fmt: skip
_HOLDING: Final = frozenset(
    ("containing", "contains", "contain", "including", "includes", "include", "like", "matching",
     "matches", "match", "saying", "says", "say", "reading", "reads")
)  # fmt: skip
_EDGES: Final = frozenset(
    ("starting", "starts", "start", "beginning", "begins", "begin", "ending", "ends", "end")
)
_NOUNS: Final = frozenset(
    ("word", "words", "phrase", "term", "terms", "text", "string", "keyword", "keywords", "letters")
)
_USUAL: Final = ("name", "title", "text")  # names of columns, whatever they are called
_ARTICLES: Final = frozenset(("the", "a", "an"))
_OWNERS: Final = frozenset(("the", "its", "their", "his", "her", "a"))
_HAVING: Final = frozenset(("with", "has", "have", "having", "had")) | _HOLDING | _TOPIC | _NOUNS
_LINKS: Final = (
    frozenset(("is", "are", "was", "were", "has", "have", "having", "equals", "that", "which", "=",
               ":", "with", "it", "to", "does", "not", "don't", "doesn't", "do", "equal", "in"))
    | _HOLDING | _EDGES | _NAMING | frozenset(("mentions", "mention", "mentioning"))
)  # fmt: skip
_STOPS: Final = frozenset(
    ("and", "or", "but", "with", "without", "that", "which", "who", "whose", "where", "in", "by",
     "from", "for", "sorted", "ordered", "order", "sort", "released", "published", "written",
     "directed", "made", "built", "born", "since", "before", "after", "between", "over", "under",
     "above", "below", "than", "more", "less", "fewer", "at", "having", "has", "have", "is", "are",
     "was", "were", "per", "grouped", "excluding", "except", "not", "along", "show", "please", "on",
     "sent", "costing", "until", "during", ">", "<", "=", ">=", "<=", "as", "if", "when")
)  # fmt: skip
_SMALL: Final = frozenset(("of", "the", "and", "in", "for", "a", "to", "on", "de", "la", "&"))
_ASKED: Final = frozenset(
    ("rows", "records", "entries", "data", "table", "results", "excluding", "grouped", "written",
     "released", "published", "return", "calculate", "items")
) | _NAMING | _TOPIC | _HOLDING | _EDGES | _NOUNS  # fmt: skip
_LETTER: Final = re.compile(r"[^\W\d_]")
_YEAR: Final = re.compile(r"(?:1[5-9]|20)\d\d")

_Span = tuple[int, int]


class _Word(NamedTuple):
    """A word of the query without the punctuation around it."""

    start: int
    stop: int
    text: str  # in lower case
    capital: bool
    ends: bool  # whether a clause ends after it
    pauses: bool = False  # whether a comma follows


@final
class TextReader:
    """Finds texts. Immutable, shared between threads.

    `names` are those of the columns that are searched; `known` are words that mean something else
    in a query, and `rows` the nouns for rows, all in lower case. If the names in all columns are
    known, an unknown word is searched only where a cue, quotes or capitals say so: not `free`.
    """

    __slots__ = ("_beginnings", "_free", "_known", "_names", "_not_said", "_rows", "_stops")

    def __init__(
        self,
        names: Iterable[str],
        known: Iterable[str],
        rows: Iterable[str] = (),
        free: bool = True,
    ) -> None:
        self._free = free
        self._rows = frozenset(rows)
        self._stops = _STOPS | self._rows
        lower = [name.lower() for name in names]
        every = {tuple(name.split()) for each in lower for name in (each, plural_of(each))}
        self._names = frozenset(every - {()})
        self._beginnings = frozenset(name[0] for name in self._names)
        self._known = function_words().union(known)
        self._not_said = function_words() | _ASKED | self._rows | self._beginnings

    @classmethod
    def from_catalogue(cls, catalogue: Catalogue) -> Self | None:
        """A reader for the searched columns of a catalogue; None if it has none."""
        searched = catalogue.lexicon.searched
        if not searched:
            return None
        names = [*_USUAL, *(name for token in searched for name in catalogue.wordings(token))]
        entity = catalogue.schema.entity
        rows = [text.lower() for text in (entity.singular, entity.plural) if " " not in text]
        free = any(text.searched for text in catalogue.schema.texts)
        return cls(names, _known_words(catalogue), rows, free)

    def read(self, text: str) -> list[Mention]:
        """The likeliest texts, in order; they may overlap."""
        found: dict[_Span, None] = {}
        for span in self._spans(text):
            if span not in found and span[1] - span[0] <= _CHARACTERS:
                found[span] = None
                if len(found) == MOST:
                    break
        return [
            Mention(start, stop, ((TEXT, (quoted(without_blanks(text[start:stop])),)),), False)
            for start, stop in sorted(found)
        ]

    def _spans(self, text: str) -> Iterator[_Span]:
        """The places of texts, the likeliest first."""
        yield from _in_quotes(text)
        words = _words(text)
        runs = [run for at in range(len(words)) for run in self._after_cue(words, at)]
        for rank in range(4):
            yield from (each[rank] for each in runs if len(each) > rank)
        if not text.isupper():
            yield from _capitalised(words, self._known)
        unknown = list(self._unknown(words)) if self._free else []
        yield from ((words[begin].start, words[stop - 1].stop) for begin, stop in unknown)
        for begin, stop in unknown:
            begin, stop = self._wider(words, begin, stop)
            yield words[begin].start, words[stop - 1].stop

    def _after_cue(self, words: list[_Word], at: int) -> Iterator[list[_Span]]:
        """The texts, short and long, that begin after a cue at a word."""
        word = words[at].text
        if word == "in":
            yield from self._before_in(words, at)
            return
        begin = at + 1
        if begin >= len(words) or words[at].ends:
            return
        if word in _NOUNS:
            yield self._runs(words, begin)
        elif word in _EDGES:
            if words[begin].text in ("with", "in", "by") and begin + 1 < len(words):
                yield self._runs(words, _past_noun(words, begin + 1))
        elif word in _NAMING or word in _HOLDING:
            yield self._runs(words, _past_noun(words, begin))
        elif word in _TOPIC:
            begin = _past_noun(words, begin)
            begin += words[begin].text in _ARTICLES and begin + 1 < len(words)
            if word != "on" or words[begin].text not in self._known:
                yield self._runs(words, begin)
        elif word in self._beginnings:
            yield from self._after_name(words, at)

    def _after_name(self, words: list[_Word], at: int) -> Iterator[list[_Span]]:
        """The texts after the name of a column: "title contains star", "title: star wars"."""
        for size in (3, 2, 1):
            begin = at + size
            name = tuple(word.text for word in words[at:begin])
            if begin < len(words) and name in self._names:
                while begin + 1 < len(words) and words[begin].text in _LINKS:
                    begin += 1
                begin = _past_noun(words, begin)
                linked = begin > at + size
                if linked or not self._means_something(words[begin].text):
                    yield self._runs(words, begin)
                return

    def _runs(self, words: list[_Word], begin: int) -> list[_Span]:
        """What begins at a word: to where a clause may end, the next such place, and its end.

        After "or" and "and" another text may begin.
        """
        stops: list[int] = []
        at = begin
        while at < len(words) and at < begin + _WORDS:
            word = words[at].text
            is_stop = word in self._stops or _YEAR.fullmatch(word)
            if at > begin and is_stop and at - 1 not in stops and words[at - 1].text not in _STOPS:
                stops.append(at - 1)
            if words[at].ends or words[at].pauses:
                stops.append(at)
            if words[at].ends:
                break
            at += 1
        else:
            stops.append(at - 1)
        found = [(words[begin].start, words[stop].stop) for stop in dict.fromkeys(stops[:2])]
        if len(stops) > 1 and words[stops[0] + 1].text in ("or", "and"):
            found.append((words[min(stops[0] + 2, stops[1])].start, words[stops[1]].stop))
        return [*found, (words[begin].start, words[stops[-1]].stop)]

    def _before_in(self, words: list[_Word], at: int) -> Iterator[list[_Span]]:
        """The text of "with star in the title"."""
        if at + 1 >= len(words):
            return
        rest = [word.text for word in words[at + 1 : at + 5]]
        rest = rest[1:] if rest[0] in _OWNERS else rest
        names = [tuple(rest[:size]) for size in range(1, len(rest) + 1)]
        if self._names.isdisjoint(names):
            return
        for begin in range(at - 1, max(-1, at - _WORDS), -1):
            word = words[begin]
            if word.text in _HAVING or word.text in self._rows or word.ends:
                begin = _past_noun(words, begin + 1)
                if begin < at:
                    yield self._runs(words[:at], begin)
                return
        if 0 < at < _WORDS:
            yield [(words[0].start, words[at - 1].stop)]

    def _unknown(self, words: list[_Word]) -> Iterator[_Span]:
        """Runs of words that mean nothing else, by their places."""
        begin: int | None = None
        for at, word in enumerate(words):
            means = self._means_something(word.text)
            if means and begin is not None:
                yield begin, at
                begin = None
            elif not means and begin is None:
                begin = at
            if begin is not None and (word.ends or word.pauses):
                yield begin, at + 1
                begin = None
        if begin is not None:
            yield begin, len(words)

    def _wider(self, words: list[_Word], begin: int, stop: int) -> _Span:
        """A run with the words beside it that are not only grammar: "kandy medical college"."""
        while stop < len(words) and not words[stop - 1].ends and self._is_said(words[stop].text):
            stop += 1
        while begin and not words[begin - 1].ends and self._is_said(words[begin - 1].text):
            begin -= 1
        return begin, min(stop, begin + _WORDS)

    def _is_said(self, word: str) -> bool:
        """Whether a word may be one of a name: no noun for rows, and none of grammar alone."""
        return word not in self._not_said

    def _means_something(self, word: str) -> bool:
        if word in self._known or not _LETTER.search(word):
            return True
        return word[0].isdigit() or plain_word(word) in self._known


def _words(text: str) -> list[_Word]:
    found = []
    for chunk in _CHUNK.finditer(text):
        given = chunk.group()
        left = given.lstrip(_BEFORE)
        core = left.rstrip(_AFTER)
        if not core:
            if given in (":", "="):
                found.append(_Word(chunk.start(), chunk.end(), given, False, False))
            elif found:
                found[-1] = found[-1]._replace(ends=True)
            continue
        start = chunk.end() - len(left)
        stop = start + len(core)
        after = text[stop : chunk.end()]
        ends = bool(after.strip(",.:"))  # a full stop may be that of "no. 5"
        capital, pauses = core[0].isupper(), after.startswith(",")
        found.append(_Word(start, stop, core.lower(), capital, ends, pauses))
    return found


def _in_quotes(text: str) -> Iterator[_Span]:
    for match in QUOTED.finditer(text):
        start, stop = match.span(match.lastindex or 0)
        inner = text[start:stop]
        start += len(inner) - len(inner.lstrip())
        stop -= len(inner) - len(inner.rstrip())
        if without_blanks(inner):
            yield start, stop


def _past_noun(words: list[_Word], begin: int) -> int:
    """The index after "the word", "the phrase"."""
    at = begin
    if at + 1 < len(words) and words[at].text in _ARTICLES and words[at + 1].text in _NOUNS:
        at += 1
    if at + 1 < len(words) and words[at].text in _NOUNS:
        return at + 1
    return begin


def _capitalised(words: list[_Word], known: Container[str]) -> Iterator[_Span]:
    """Runs of words with capitals, after the first word: "about the Lord of the Rings"."""
    at = 1
    while at < len(words):
        if not words[at].capital:
            at += 1
            continue
        stop = after = at + 1
        while after < len(words) and not words[after - 1].ends:
            if words[after].capital:
                stop = after + 1
            elif words[after].text not in _SMALL:
                break
            after += 1
        if any(word.text not in known for word in words[at:stop]):
            yield words[at].start, words[stop - 1].stop
        at = stop


def _known_words(catalogue: Catalogue) -> frozenset[str]:
    """The words of the catalogue's names and cues, of its noun for rows, and of the language."""
    entity = catalogue.schema.entity
    texts = [
        entity.singular,
        entity.plural,
        *(n for names in FIXED_WORDINGS.values() for n in names),
    ]
    cues = TableCues(catalogue)
    for token in catalogue.fields:
        texts += (*catalogue.wordings(token), *cues(token))
    for type_ in catalogue.value_types:
        for token in catalogue.values_of(type_)[:_VALUES]:
            texts += catalogue.wordings(token)
    found = {word for text in texts for word in split(text)}
    return frozenset((*found, *map(plain_word, found), *_ASKED))
