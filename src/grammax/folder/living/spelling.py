"""How the tokens of a kind are spelt, so that a name becomes one more of them.

Goes in: the tokens of a kind, such as `room:amber` and `room:reading_room`. Comes out: what they
have in common, by which "Blue Room" is `room:blue_room`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, final

from grammax.reading.new_names import token_words

_JOINTS: Final = ":./#="  # signs between the name of a kind and that of a thing
_BETWEEN: Final = ("_", "-", " ")
_QUOTES: Final = "'\""
_MOST: Final = 0.8  # the share of tokens that have something in common
_READ: Final = 2_000  # tokens that are looked at
_FEW: Final = 3  # tokens that may begin alike by chance: new_york, new_jersey
_WORDS: Final = re.compile(r"[^\W_]")


@final
@dataclass(frozen=True, slots=True)
class KindSpelling:
    """What the tokens of a kind have in common.

    >>> spelling = KindSpelling.from_tokens(["room:amber", "room:reading_room"])
    >>> spelling.token("The Blue Room")
    'room:the_blue_room'
    >>> KindSpelling.from_tokens(["texas:s", "ohio:s"]).token("New York")
    'new_york:s'
    >>> KindSpelling.from_tokens(["'red river'", "'ohio'"]).token("Rio Grande")
    "'rio grande'"
    >>> KindSpelling.from_tokens(["GEN_DRAMA", "GEN_WAR", "GEN_CRIME"]).token("Film noir")
    'GEN_FILM_NOIR'
    """

    prefix: str = ""
    suffix: str = ""
    between: str = "_"  # words
    quote: str = ""  # before and after, if there is one
    case: str = "lower"  # "lower", "upper" or "title"

    @classmethod
    def from_tokens(cls, tokens: Iterable[str]) -> KindSpelling:
        """The spelling that most of these tokens have."""
        some = list(islice(tokens, _READ))
        quote = _most((each[0] for each in some if _is_quoted(each)), len(some))
        prefix, suffix = ("", "") if quote else _ends(some)
        bodies = [each.removeprefix(prefix).removesuffix(suffix) for each in some]
        if quote:
            return cls(between=" ", quote=quote, case=_case(bodies))
        counts = {sign: sum(sign in body for body in bodies) for sign in _BETWEEN}
        between = max(_BETWEEN, key=counts.__getitem__)
        if not counts[between] and any(map(_is_camel, bodies)):
            between = ""
        return cls(prefix, suffix, between, "", _case(bodies))

    def token(self, name: str) -> str:
        """A name as a token of the kind."""
        if self.quote:
            shown = "".join(" " if sign in _QUOTES else sign for sign in name)
            return f"{self.quote}{_CASES[self.case](' '.join(shown.split()))}{self.quote}"
        words = self.between.join(map(_CASES[self.case], token_words(name)))
        return f"{self.prefix}{words}{self.suffix}"


def _is_quoted(token: str) -> bool:
    return len(token) > 2 and token[0] in _QUOTES and token[-1] == token[0]


def _is_camel(body: str) -> bool:
    mixed = body != body.upper() and body[1:] != body[1:].lower()
    return body.isalnum() and body[:1].isupper() and mixed


def _ends(tokens: Sequence[str]) -> tuple[str, str]:
    """The prefix and the suffix: one of them is empty."""
    before, after = [], []
    for token in tokens:
        joints = [at for at, sign in enumerate(token) if sign in _JOINTS and at > 0]
        inner = [at for at in joints if at < len(token) - 1]
        if inner:
            before.append(token[: inner[-1] + 1])
            after.append(token[inner[0] :])
    found = _most(before, len(tokens))
    if found and (len(tokens) == 1 or len({*after}) > 1):
        return found, ""
    found = _most(after, len(tokens))
    if found:
        return "", found
    if len(tokens) < _FEW:
        return "", ""
    first, last = min(tokens), max(tokens)
    alike = next((at for at, sign in enumerate(first) if last[at : at + 1] != sign), len(first))
    return first[: first.rfind("_", 0, alike) + 1], ""


def _most(found: Iterable[str], count: int) -> str:
    """The commonest, if nearly all have it."""
    ranked = Counter(found).most_common(1)
    return ranked[0][0] if ranked and ranked[0][1] >= _MOST * count else ""


def _case(bodies: Sequence[str]) -> str:
    letters = [body for body in bodies if body.lower() != body.upper()]
    if letters and sum(body == body.upper() for body in letters) >= _MOST * len(letters):
        return "upper"
    begins = [_WORDS.search(body) for body in letters]
    titled = sum(found is not None and found[0].isupper() for found in begins)
    return "title" if letters and titled >= _MOST * len(letters) else "lower"


def _titled(word: str) -> str:
    return word[:1].upper() + word[1:]


_CASES: Final[dict[str, Callable[[str], str]]] = {
    "lower": str.lower,
    "upper": str.upper,
    "title": _titled,
}
