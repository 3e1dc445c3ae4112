"""Whether utterances name what they have to: the tokens of the kinds that are `mentioned`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from grammax.errors import VocabularyError
from grammax.folder.domain import FolderDomain
from grammax.folder.settings import SETTINGS
from grammax.language.domain import Pair
from grammax.reading.names import Names
from grammax.reading.spelling import Spelling
from grammax.reading.words import split


@final
class Mentions:
    """Looks for the names of a domain's tokens; a kind that is none is a `VocabularyError`."""

    def __init__(self, domain: FolderDomain) -> None:
        vocabulary = domain.vocabulary
        try:
            self._kinds = frozenset(map(vocabulary.kind_number, domain.must_be_named))
        except VocabularyError as error:
            raise VocabularyError(f"{domain.folder / SETTINGS}: mentioned: {error}") from None
        self._vocabulary = vocabulary
        self._names = Names(vocabulary, domain.wordings, Spelling(1), mentioned=self._kinds)

    def share(self, pairs: Iterable[Pair]) -> float | None:
        """Of the tokens that have to be mentioned, how many are; None if there are none."""
        named = wanted = 0
        for pair in pairs:
            found = [t for t in pair.tokens if self._vocabulary.kind_of(t) in self._kinds]
            if found:
                mentioned = self._names.mentioned(split(pair.query))
                assert mentioned is not None, "there are such kinds"
                named += sum(self._vocabulary.id(token) in mentioned.ids for token in found)
                wanted += len(found)
        return named / wanted if wanted else None
