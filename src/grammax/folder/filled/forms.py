"""`FilledForms`: logical forms with slots in place of what the query fills, and back.

A form as it is written has the tokens that were read from its query; a form as a decoder predicts
it has slots in place of these. Which tokens of a written form a query fills is decided by the
grammar: a token is a listed one where that is permitted, else one of a kind that may come there.
A text has two slots, those of its first and its last word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn, final

from grammax.automaton import BoundAutomaton
from grammax.automaton.walk import walk
from grammax.errors import GrammaxError
from grammax.folder.open_kinds import FIRST, LAST, PLACE, FilledKind
from grammax.language.answer import Tokens
from grammax.language.filling import FilledText, Mention, slot

_MARK: Final = "#"
_MOST: Final = 100_000  # steps of a search for the slots of a form

Slotted = Callable[[FilledKind, str, set[int]], Tokens | None]


class NotMentioned(GrammaxError):
    """A logical form with a token that should be in its query, and is not."""

    def __init__(self, token: str, kinds: Sequence[FilledKind]) -> None:
        self.token = token
        fills = " or ".join(dict.fromkeys(kind.fill for kind in kinds))
        names = ", ".join(kind.kind for kind in kinds)
        super().__init__(
            f"the query does not mention {token!r}: {names} is filled by its {fills}, so no parser "
            f"may predict it"
        )


class _Place(NamedTuple):
    """A prefix of a form with slots."""

    at: int  # tokens of the written form
    state: Any
    tokens: Tokens
    used: frozenset[int]


@final
class FilledForms:
    """Converts forms of a grammar with slots, whose automaton is exact."""

    def __init__(self, automaton: BoundAutomaton[Any], kinds: Sequence[FilledKind]) -> None:
        self._automaton = automaton
        self._kinds = {
            name: kind for kind in kinds if kind.fill != "name" for name in kind.slot_kinds
        }
        self._any_case = [kind for kind in kinds if kind.case == "any"]

    def filled(self, tokens: Tokens, mentions: Sequence[Mention]) -> Tokens:
        """A written form with slots; `NotMentioned` if its query lacks a token of it.

        Of several mentions of a token the first is taken that is not used yet.
        """
        mentioned = Mentioned(mentions, self._kinds)
        found, furthest = self._searched(tokens, mentioned.slots)
        if found is not None:
            return found
        shaped, refused = self._searched(tokens, _shaped)
        if shaped is None:
            self._refuse(tokens, refused)
        at = min(furthest.at, len(tokens) - 1)
        kinds = dict.fromkeys(self._fillable(furthest.state).values())
        raise NotMentioned(tokens[at], [*(kinds or dict.fromkeys(self._kinds.values()))])

    def shaped(self, tokens: Tokens) -> Tokens:
        """A written form with slots, whatever its query mentions; raises if the grammar refuses."""
        found, furthest = self._searched(tokens, _shaped)
        if found is None:
            self._refuse(tokens, furthest)
        return found

    def placed(self, tokens: Tokens) -> Tokens:
        """`shaped`, of a form that may be refused: from there on it is as it was written."""
        found, furthest = self._searched(tokens, _shaped)
        return furthest.tokens + tokens[furthest.at :] if found is None else found

    def misplaced(self, tokens: Tokens) -> str | None:
        """Why a token is refused that is neither listed nor of a kind that may be filled there."""
        found, furthest = self._searched(tokens, _shaped)
        kinds = list(dict.fromkeys(self._fillable(furthest.state).values()))
        if found is not None or furthest.at == len(tokens) or not kinds:
            return None
        token = tokens[furthest.at]
        if token in self._automaton.vocabulary:
            return None
        wanted = " or ".join(f"{kind.kind}, filled by its {kind.fill}" for kind in kinds)
        as_written = [f" as {kind.written}" for kind in kinds if kind.written != PLACE]
        how = f", written{' or'.join(as_written)}" if as_written else ""
        return f"{token!r} is not listed, and no {wanted}{how}"

    def written_pieces(self, tokens: Tokens, mentions: Sequence[Mention]) -> Iterator[Tokens]:
        """For each token of a form with slots the tokens that are written for it."""
        first: int | None = None
        for token in tokens:
            name, _, number = token.partition(_MARK)
            kind = self._kinds.get(name) if number.isdecimal() else None
            if kind is None or int(number) >= len(mentions):
                yield (token,)
            elif name.endswith(FIRST) and kind.fill == "text":
                first = int(number)
                yield ()
            elif kind.fill == "text":
                last = int(number)
                yield (_span(kind, mentions, last if first is None else first, last),)
                first = None
            else:
                yield dict(mentions[int(number)].readings).get(name, (token,))

    def texts(self, tokens: Tokens, mentions: Sequence[Mention]) -> Iterator[FilledText]:
        """The texts of a form with slots, as they were typed."""
        pieces = self.written_pieces(tokens, mentions)
        first = None
        for token, piece in zip(tokens, pieces, strict=True):
            name, _, number = token.partition(_MARK)
            kind = self._kinds.get(name) if number.isdecimal() else None
            if kind is None or not kind.is_text:
                continue
            mention = mentions[int(number)]
            if name.endswith(FIRST):
                first = mention
            else:
                yield FilledText((first or mention).start, mention.stop, kind.kind, piece[0])
                first = None

    def used(self, tokens: Tokens) -> Tokens:
        """The slots of the words between the first and the last one of each text."""
        found: list[str] = []
        first = None
        for token in tokens:
            name, _, number = token.partition(_MARK)
            if not number.isdecimal() or name not in self._kinds:
                continue
            if name.endswith(FIRST):
                first = int(number)
            elif name.endswith(LAST) and first is not None:
                begin, end = sorted((first, int(number)))
                found += [slot(name, each) for each in range(begin, end + 1)]
        return tuple(found)

    def keys(self, tokens: Tokens) -> Tokens:
        """A written form, to be compared: what differs in capitals alone may be the same."""
        return tuple(map(self._key, tokens)) if self._any_case else tokens

    def _key(self, token: str) -> str:
        if token in self._automaton.vocabulary:
            return token
        kinds = (kind for kind in self._any_case if kind.inner(token) is not None)
        return next((kind.key(token) for kind in kinds), token)

    def _fillable(self, state: Any) -> Mapping[str, FilledKind]:
        """The kinds with slots that may come next; of texts, those of their first word."""
        permitted = self._automaton.next_tokens(state).kind_numbers
        number = self._automaton.vocabulary.kind_number
        return {name: kind for name, kind in self._kinds.items() if number(name) in permitted}

    def _searched(self, tokens: Tokens, slotted: Slotted) -> tuple[Tokens | None, _Place]:
        """The form with slots, or None, and how far a search for it came."""
        automaton = self._automaton
        start = furthest = _Place(0, automaton.start, (), frozenset())
        waiting, tried = [start], {(0, id(start.state)): start}  # which keep the states alive
        steps = 0
        while waiting and steps < _MOST:
            steps += 1
            place = waiting.pop()
            if place.at > furthest.at:
                furthest = place
            if place.at == len(tokens):
                if automaton.accepts(place.state):
                    return place.tokens, place
                continue
            fresh = []
            for after in self._after(place, tokens[place.at], slotted):
                if (after.at, id(after.state)) not in tried:
                    tried[after.at, id(after.state)] = after
                    fresh.append(after)
            waiting += reversed(fresh)  # the first one is tried first
        return None, furthest

    def _after(self, place: _Place, token: str, slotted: Slotted) -> Iterator[_Place]:
        """The places after one more token: listed, or of each kind that may come there."""
        automaton, state = self._automaton, place.state
        fillable = dict.fromkeys(self._fillable(state).values())
        yield from self._filled_after(place, token, slotted, [k for k in fillable if k.comes_first])
        if token in automaton.vocabulary and token in automaton.next_tokens(state):
            after = automaton.pass_token(state, token)
            yield _Place(place.at + 1, after, (*place.tokens, token), place.used)
        others = [kind for kind in fillable if not kind.comes_first]
        yield from self._filled_after(place, token, slotted, others)

    def _filled_after(
        self, place: _Place, token: str, slotted: Slotted, kinds: Iterable[FilledKind]
    ) -> Iterator[_Place]:
        automaton, state = self._automaton, place.state
        for kind in kinds:
            used = set(place.used)
            found = slotted(kind, token, used)
            if found is not None:
                after = state
                for each in found:
                    after = automaton.pass_token(after, each)
                yield _Place(place.at + 1, after, place.tokens + found, frozenset(used))

    def _refuse(self, tokens: Tokens, furthest: _Place) -> NoReturn:
        """Raise what the grammar says of the token that it refuses."""
        given = (*furthest.tokens, *tokens[furthest.at :][:1])
        *_, last = walk(self._automaton, given)
        assert not self._automaton.accepts(last.state), "it was searched for"
        raise GrammaxError(f"{' '.join(tokens)[:200]!r} is only the beginning of a logical form.")


@final
class Mentioned:
    """The slots of the tokens that a query mentions."""

    def __init__(self, mentions: Sequence[Mention], kinds: Mapping[str, FilledKind]) -> None:
        self._mentions = mentions
        self._whole: dict[tuple[str, str], list[int]] = {}
        for number, mention in enumerate(mentions):
            for kind, (token, *_) in mention.readings:
                self._whole.setdefault((kind, kinds[kind].key(token)), []).append(number)

    def slots(self, kind: FilledKind, token: str, used: set[int]) -> Tokens | None:
        """The slots of a token; None if it is not mentioned. Mentions that it has become used."""
        if kind.fill == "text":
            return self._ends(kind, token, used)
        numbers = self._whole.get((kind.kind, kind.key(token)))
        if not numbers:
            return None
        number = next((each for each in numbers if each not in used), numbers[0])
        used.add(number)
        return (slot(kind.kind, number),)

    def _ends(self, kind: FilledKind, token: str, used: set[int]) -> Tokens | None:
        spans = self._spans(kind, token)
        if not spans:
            return None
        first, last = next(
            (span for span in spans if used.isdisjoint(range(span[0], span[1] + 1))), spans[0]
        )
        used.update(range(first, last + 1))
        return slot(kind.kind + FIRST, first), slot(kind.kind + LAST, last)

    def _spans(self, kind: FilledKind, token: str) -> list[tuple[int, int]]:
        """The numbers of the first and the last word of each run of words that is the token."""
        wanted = kind.inner(token)
        wanted = None if wanted is None else kind.key(wanted)
        name = kind.kind + FIRST
        if wanted is None:
            return []
        words = [
            (n, m, dict(m.readings)[name][0])
            for n, m in enumerate(self._mentions)
            if m.readings and any(each == name for each, _ in m.readings)
        ]
        found = []
        for at, (first, _, _) in enumerate(words):
            text, end = "", -1
            for number, mention, word in words[at:]:
                gap = kind.spaces if 0 <= end < mention.start else ""
                text += gap + kind.key(kind.cased(word))
                end = mention.stop
                if not wanted.startswith(text):
                    break
                if text == wanted:
                    found.append((first, number))
                    break
        return found


def _shaped(kind: FilledKind, token: str, used: set[int]) -> Tokens | None:  # noqa: ARG001
    """Slots for any token that may be of a kind."""
    if kind.inner(token) is None:
        return None
    return tuple(slot(name, 0) for name in kind.slot_kinds)


def _span(kind: FilledKind, mentions: Sequence[Mention], one: int, other: int) -> str:
    """The words from one to the other of two as a token, in whatever order these were chosen."""
    text, end = "", -1
    for mention in mentions[min(one, other) : max(one, other) + 1]:
        word = dict(mention.readings).get(kind.kind + FIRST)
        if word is not None:
            text += (" " if 0 <= end < mention.start else "") + word[0]
            end = mention.stop
    return kind.token(text)
