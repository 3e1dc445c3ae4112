"""`Phrases`: a query → what is left of it, and the conditions that its phrases stand for.

>>> long = ("(", "FLD_LENGTH", "GR", "1", "5", "0", ")")
>>> phrases = Phrases({"epic": long}, ("film", "films"))
>>> phrases.read("how many epics per country").text
'how many films per country'
>>> [condition.tokens[:3] for condition in phrases.read("films that are not epic").conditions]
[('(', 'NOT', '(')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, final

from grammax.language.capabilities import Completion
from grammax.language.domain import Tokens
from grammax.language.phrases import NamedCondition, Rephrased
from grammax.reading.english import function_words
from grammax.reading.words import is_punctuation, split
from grammax.tables.inspect.words import plural_of, singular_of
from grammax.tables.mentions.lexer import fold_each

_ARTICLE: Final = r"(?:(?:an?|the|any|all)\s+)*$"
_IS: Final = r"(?:\b(?:that|which|who)\s+)?\b(?:is|are|was|were)\s+"
_IS_NOT: Final = r"(?:\b(?:that|which|who)\s+)?\b(?:isn't|aren't|wasn't|weren't)\s+"
_NEGATED: Final = re.compile(
    rf"(?:{_IS}not\s+|{_IS_NOT}|\b(?:but\s+)?(?:not|no|without|excluding|other\s+than)\s+"
    rf"|\b(?:but\s+|all\s+)?except(?:\s+for)?\s+|\bnon[\s-]+){_ARTICLE}"
)
_PREDICATE: Final = re.compile(rf"{_IS}{_ARTICLE}")
_AND: Final = re.compile(r"\s*(?:,|,?\s*and)\s+(?:an?\s+|the\s+)?")
_OR: Final = re.compile(r"\s*,?\s*or\s+(?:an?\s+|the\s+)?")
_UNCLEAR: Final = re.compile(rf"\b(?:or|either|neither|nor|(?<!other\s)than)\s+{_ARTICLE}")
_NOT_BEFORE: Final = re.compile(
    r"\b(?:not|no|non|without|except|excluding|than)[\s-]+((?:[^\W\d]+\s+){1,2})$"
)
_WORD: Final = re.compile(r"\s+([^\W\d]+)")
_LAST_WORD: Final = re.compile(r"([^\W\d]+)\s+$")
_WORD_START: Final = re.compile(r"(?<!\S)\S")
_LONGEST: Final = 3  # words of a phrase that are completed
_SHORTEST: Final = 2  # letters that a phrase is completed from
_ASKING: Final = frozenset(
    ("a", "all", "an", "any", "are", "display", "every", "find", "for", "get", "give", "i", "is",
     "like", "list", "look", "looking", "me", "of", "please", "search", "see", "show", "tell",
     "that", "the", "there", "to", "us", "want", "was", "were", "what", "which", "would")
)  # fmt: skip
"""Words that ask for rows and say nothing more."""


_EVERYTHING: Final = frozenset(("all", "everything"))


def all_rows(text: str, nouns: Iterable[str], shown: Tokens) -> Rephrased | None:
    """A query for every row, "show all films", as a form with what is shown of them; else None.

    >>> all_rows("All films", ("film", "films"), ("(", "display", "YEAR", ")")).conditions[1].tokens
    ('(', 'display', 'YEAR', ')')
    >>> all_rows("show me", ("film", "films"), ()), all_rows("french films", ("films",), ())
    (None, None)
    """
    words = [word for word in split(text) if not is_punctuation(word)]
    named = frozenset(word for noun in nouns for word in split(noun)) | _EVERYTHING
    if named.isdisjoint(words) or not (_ASKING | named).issuperset(words):
        return None
    last = max(at for at, word in enumerate(words) if word in named)
    return Rephrased(
        "",
        tuple(
            NamedCondition(word, 0, "", shown if at == last else ())
            for at, word in enumerate(words)
        ),
    )


class _Form(NamedTuple):
    """A phrase in the singular or in the plural; None in place of tokens is no phrase."""

    tokens: Tokens | None
    plural: bool = False


@final
class Phrases:
    """Phrases with their conditions; found whole, in the singular or the plural, in any case.

    `nouns` are those for a row and for several, `other_nouns` words that mean the same. In a longer
    name of the table, one of `names`, no phrase is found.
    """

    def __init__(
        self,
        conditions: Mapping[str, Tokens],
        nouns: tuple[str, str],
        other_nouns: Iterable[str] = (),
        names: Iterable[str] = (),
    ) -> None:
        self.conditions = conditions
        self._nouns = nouns
        others = dict.fromkeys(other_nouns)
        self._rows = frozenset(word for noun in (*nouns, *others) for word in split(noun))
        meant: Mapping[str, Tokens] = {**dict.fromkeys(others, ()), **conditions}
        self._forms = {
            form: _Form(tokens, plural)
            for name, tokens in meant.items()
            for form, plural in _forms(name)
        }
        for noun in nouns:
            self._forms.pop(noun.lower(), None)
        if self._forms:
            some = _pattern(self._forms)
            longer = {name for given in names if some.search(name := _plain(given))}
            self._forms |= {name: _Form(None) for name in longer - self._forms.keys()}
            self._any = _pattern(self._forms)

    def read(self, text: str) -> Rephrased | None:
        """A query without its phrases, and their conditions; None if it has no phrase.

        A phrase that names rows, and another noun for them, is replaced by the noun for them.
        Where it is not clear what a phrase belongs to ("epics or comedies", "not german epics"),
        it is left as it is, and the model does not know it.
        """
        folded = fold_each(text) if self._forms else ""
        uses = list(self._uses(folded)) if self._forms else []
        if not uses:
            return None
        rest, end = "", 0
        conditions: list[NamedCondition] = []
        for start, stop, at, noun, tokens in uses:
            rest += text[end:start]
            rest = rest if noun else rest.rstrip() + " " * bool(rest.strip())
            typed = text[at:stop]
            conditions.append(NamedCondition(typed, len(rest), noun, tokens))
            rest, end = rest + noun, stop if noun else _after_space(text, stop)
        rest = (rest + text[end:]).rstrip()
        is_all = any(each.tokens for each in conditions) and self._asks_nothing(rest)
        return Rephrased("" if is_all else rest, tuple(conditions))

    def completions(self, text: str) -> list[Completion]:
        """Phrases that begin with the last words of a text."""
        words = list(_WORD_START.finditer(text))[-_LONGEST:]
        found = []
        for start in (word.start() for word in words):
            typed = fold_each(text[start:])
            for phrase in self.conditions if len(typed) >= _SHORTEST else ():
                if phrase.startswith(typed) and phrase != typed:
                    added = phrase[len(typed) :]
                    found.append(Completion(text[:start] + phrase, added, "phrase", None))
        return found

    def _uses(self, folded: str) -> Iterator[tuple[int, int, int, str, Tokens]]:
        """What is taken out: start and stop, where the phrase begins, a noun, the condition."""
        found = [match for match in self._any.finditer(folded) if self._tokens(match) is not None]
        index, end, was_negated = 0, 0, False
        while index < len(found):
            match = found[index]
            tokens, stop = self._tokens(match) or (), match.end()
            before = folded[end : match.start()]
            if not tokens:
                yield match.start(), stop, match.start(), self._same_noun(match), ()
                index, end = index + 1, stop
                continue
            negated = _NEGATED.search(before)
            while self._continues(folded, stop, found[index + 1 : index + 2]):
                index += 1
                tokens = ("(", "OR", *tokens, *(self._tokens(found[index]) or ()), ")")
                stop = found[index].end()
            index += 1
            joins = end and _AND.fullmatch(before)
            if self._is_unclear(before) or _OR.match(folded, stop) or (joins and was_negated):
                continue
            around = negated or _PREDICATE.search(before)
            start = end if joins else end + around.start() if around else match.start()
            noun = "" if joins or around else self._noun(folded, match, stop)
            tokens = ("(", "NOT", *tokens, ")") if negated else tokens
            yield start, stop, match.start(), noun, tokens
            end, was_negated = stop, bool(negated)

    @staticmethod
    def _is_unclear(before: str) -> bool:
        """Whether the words before a phrase join it to others, or negate it with others."""
        far = _NOT_BEFORE.search(before)
        return bool(_UNCLEAR.search(before)) or (
            far is not None and function_words().isdisjoint(far[1].split())
        )

    def _continues(self, folded: str, stop: int, following: Sequence[re.Match[str]]) -> bool:
        """Whether "or" and another phrase follow: "epics or classics"."""
        return any(
            self._tokens(match) and _OR.fullmatch(folded[stop : match.start()])
            for match in following
        )

    def _form(self, match: re.Match[str]) -> _Form:
        return self._forms[" ".join(match.group().split())]

    def _tokens(self, match: re.Match[str]) -> Tokens | None:
        return self._form(match).tokens

    def _same_noun(self, match: re.Match[str]) -> str:
        return self._nouns[self._form(match).plural]

    def _noun(self, folded: str, phrase: re.Match[str], stop: int) -> str:
        """The noun for rows in place of a phrase; none beside a word that the phrase qualifies."""
        after = _WORD.match(folded, stop)
        before = _LAST_WORD.search(folded, 0, phrase.start())
        if (after and after[1] not in function_words()) or (before and before[1] in self._rows):
            return ""
        return self._same_noun(phrase)

    def _asks_nothing(self, rest: str) -> bool:
        """Whether nothing but rows is asked for: "show me all films"."""
        known = _ASKING | self._rows
        return all(word in known or is_punctuation(word) for word in split(rest))


def _forms(name: str) -> Iterator[tuple[str, bool]]:
    """A phrase in lower case, in the plural and in the singular, and whether it is the plural."""
    plain = _plain(name)
    singular = singular_of(plain)
    yield plural_of(plain), True
    yield singular, False
    yield plain, singular != plain


def _plain(name: str) -> str:
    return " ".join(fold_each(name).split())


def _pattern(forms: Iterable[str]) -> re.Pattern[str]:
    """Any of some forms as whole words, the longest first."""
    listed = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    listed = listed.replace(r"\ ", r"\s+")
    return re.compile(rf"(?:(?<=\bnon-)|(?<![\w-]))(?:{listed})(?![\w-])")


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
