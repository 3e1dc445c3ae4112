"""Text as people type it: case folding, words one typo away, and "did you mean" suggestions.

| function | used for |
|---|---|
| `fold_text` | comparing words without case and accents |
| `fold_letters` | keys and tokens: also writes letters such as ø and ß as plain ones |
| `one_edit_away` | candidate corrections of a mistyped word |
| `nearest`, `did_you_mean` | suggestions in messages |
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase
from typing import Final

_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"}
)
_LONGEST_COMPARED: Final = 200
_NEAR: Final = 60  # percent of letters in common, in order
_AS_GOOD_AS_BEST: Final = 0.9


def fold_text(text: str) -> str:
    """The text in lower case and without accents, in Unicode's compatibility form (NFKC).

    >>> fold_text("Société ﬁnale"), fold_text("Łódź"), fold_text("ＡＢＣ")
    ('societe finale', 'łodz', 'abc')
    """
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", apart))


def fold_letters(text: str) -> str:
    """As `fold_text`, with letters such as ø, ł and æ replaced by plain ones.

    `fold_text` does not replace them because the models were trained on words that contain them.

    >>> fold_letters("Łódź"), fold_letters("Mærsk")
    ('lodz', 'maersk')
    """
    return text.lower() if text.isascii() else fold_text(text).translate(_LETTERS)


def one_edit_away(word: str) -> Iterator[str]:
    """All strings one edit away from a word, some of them twice.

    An edit leaves a letter out, adds one, replaces one, or swaps two (after Norvig, How to Write a
    Spelling Corrector, 2007). Looking up these few hundred words takes less time than computing the
    distance to each of 50,000 known words.

    >>> found = {*one_edit_away("germnay")}
    >>> "germany" in found, "germny" in found, "gemany" in found
    (True, True, False)
    """
    for index in range(len(word)):
        left, letter, right = word[:index], word[index], word[index + 1 :]
        yield left + right
        if right:
            yield left + right[0] + letter + right[1:]
        for other in ascii_lowercase:
            yield left + other + right
            yield left + other + letter + right
    yield from (word + other for other in ascii_lowercase)


def nearest(given: str, choices: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """Up to `count` of `choices` that are similar to `given`, nearest first, ignoring case.

    Those clearly less similar than the first are left out.

    >>> nearest("commedy", ["drama", "comedy", "western"])
    ('comedy',)
    """
    from rapidfuzz import fuzz, process  # 8 ms; only errors need it

    by_folded: dict[str, str] = {}
    length = len(given)
    for choice in choices:
        shorter, longer = sorted((length, len(choice)))
        if length < _LONGEST_COMPARED and 200 * shorter < _NEAR * (shorter + longer):
            continue  # too long or too short to be similar
        by_folded.setdefault(choice[:_LONGEST_COMPARED].casefold(), choice)
    close = process.extract(
        given[:_LONGEST_COMPARED].casefold(),
        by_folded.keys(),
        scorer=fuzz.ratio,
        limit=count,
        score_cutoff=_NEAR,
    )
    return tuple(
        by_folded[folded] for folded, score, _ in close if score > _AS_GOOD_AS_BEST * close[0][1]
    )


def did_you_mean(close: Sequence[str], *, sentence: bool = False) -> str:
    """A question that suggests `close`, capitalised if `sentence`; empty if `close` is empty.

    >>> did_you_mean(["drama", "comedy"]), did_you_mean([])
    ('did you mean drama or comedy?', '')
    """
    return f"{'D' if sentence else 'd'}id you mean {' or '.join(close)}?" if close else ""
