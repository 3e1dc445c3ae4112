"""`readings`: numbers and dates as people type them: "2bn", "5%", "2 hours", "june 2020" → tokens.

They are read by the reader of queries, in the unit of the field that they are compared with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from grammax.language.domain import Tokens
from grammax.language.filling import Mention, slot
from grammax.tables.lexicon import MINUS

Mentions = Callable[[str], Sequence[Mention]]
Written = Callable[[Tokens, Sequence[Mention]], Iterable[Tokens]]

_UNITS: Final = re.compile(r"[\s$€£¥]*([^\W\d]*)\W*")
_NEGATIVE: Final = re.compile(r"\s*[-−]\s*(?=[\d.$€£¥])")


def readings(
    before: Tokens, text: str, after: Tokens, mentions: Mentions, written: Written
) -> Iterator[Tokens]:
    """The forms with the only number or time of a text between some tokens, the likeliest first.

    `mentions` finds the numbers and times in a text; `written` puts them in place of slots, in the
    unit of the field before them.
    """
    negative = _NEGATIVE.match(text)
    if negative:
        before, text = (*before, MINUS), text[negative.end() :]
    found = [mention for mention in mentions(text) if mention.one_word]
    if len(found) != 1:
        return
    [mention] = found
    if not _UNITS.fullmatch(f"{text[: mention.start]} {text[mention.stop :]}"):
        return
    for kind, _ in mention.readings:
        pieces = written((*before, slot(kind, 0), *after), found)
        yield tuple(token for piece in pieces for token in piece)
