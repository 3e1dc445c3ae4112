"""`Parser`: parses queries, and answers them from the domain's data store."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from copy import copy
from dataclasses import replace
from itertools import compress
from math import exp
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Final, Self, final

from grammax.confidence import Judgement, stored_calibration, unknown_words
from grammax.errors import GrammaxError
from grammax.language.answer import Answers
from grammax.language.capabilities import Examples, Explainable, Fillable, Updatable
from grammax.language.changes import FixedVocabulary, NewValue
from grammax.language.domain import Domain
from grammax.language.phrases import Rephrased
from grammax.model.header import decoding_grammar, read_header
from grammax.parser.conditions import only_conditions, seconds_with, with_conditions
from grammax.parser.parsed import Alternative, Answered, Parsed, Seconds
from grammax.reading.name_index import Match
from grammax.reading.reader import Query
from grammax.reading.words import split
from grammax.runtime.changed import changed_weights
from grammax.runtime.lstm import Array
from grammax.runtime.parser import RuntimeParser
from grammax.search import Decoded

_SOURCE: Final = 0.5  # share of the largest attention from which a word is a token's source
_OFFERED: Final = 3  # alternatives that are offered when the parser abstains
_ROWS: Final = 20  # of an answer
_CHARACTERS: Final = 10_000  # of a text in which numbers that could not be read are told


class NothingToAsk(GrammaxError):
    """A domain without a data store that answers."""


@final
class Parser:
    """The parser of a domain. Threads may share it; as a context manager it closes its store.

    >>> import grammax
    >>> with grammax.load("eqs") as parser:
    ...     parsed = parser.parse("steel western europe not german", best=3)
    >>> [alternative.lf == parsed.lf for alternative in parsed.best]
    [True, False, False]
    """

    def __init__(self, domain: Domain, model: Path, *, compiled: bool | None = None) -> None:
        base = domain.base if isinstance(domain, Updatable) else domain
        self._base = runtime = RuntimeParser.load(model, base, compiled=compiled)
        self._calibration = stored_calibration(read_header(model))
        if isinstance(domain, Updatable) and domain.changes:
            runtime = _changed_runtime(runtime, domain.base, domain)
        self._use(domain, runtime)

    def _use(self, domain: Domain, runtime: RuntimeParser) -> None:
        self.domain = domain
        self._runtime = runtime
        self._opening = Lock()
        self._opened = ExitStack()
        self._answers: Answers | None = None

    def with_values(self, values: Sequence[NewValue]) -> Parser:
        """A new parser that also knows these values and fields; this one does not change.

        Their kinds must be kinds of the grammar. Raises `ChangesRefused` if one cannot be added.
        """
        return self._updated(self._updatable.with_values(values))

    def without_values(self, tokens: Sequence[str]) -> Parser:
        """A new parser that never predicts these values and fields; this one does not change.

        Raises `ChangesRefused` if one cannot be removed.
        """
        return self._updated(self._updatable.without_values(tokens))

    def with_alias(self, token: str, alias: str) -> Parser:
        """A new parser that knows another name of a value or field; this one does not change.

        Raises `ChangesRefused` if it cannot be a name.
        """
        return self._updated(self._updatable.with_alias(token, alias))

    @property
    def _updatable(self) -> Updatable:
        if not isinstance(self.domain, Updatable):
            raise FixedVocabulary(f"the values and fields of {self.domain.name!r} do not change.")
        return self.domain

    def _updated(self, domain: Updatable) -> Parser:
        runtime, before = self._base, self._updatable
        if domain.changes:
            if domain.changes.since(before.changes) is not None:
                runtime = self._runtime
            else:  # a token that is added again must have its definition of the base
                before = before.base
            runtime = _changed_runtime(runtime, before, domain)
        made = copy(self)
        made._use(domain, runtime)
        return made

    def parse(self, text: str, best: int = 1, *, offer: bool = True) -> Parsed:
        """The logical form of a query, with the `best` alternatives.

        If the parser abstains, it gives some alternatives even if `best` is 1. Beam search for
        these takes ten times as long; `offer=False` avoids it.
        """
        rest = self.domain.without_phrases(text)
        if rest is None:
            return self._parse(text, best, offer)
        if not rest.text:
            return only_conditions(text, rest, self.domain)
        parsed = self._parse(rest.text, best, offer)
        return with_conditions(text, rest, parsed, self.domain, self._count_words)

    def _parse(self, text: str, best: int, offer: bool) -> Parsed:
        started = perf_counter()
        query = self._runtime.read(text)
        reading = perf_counter() - started
        if best > 1:
            listed = self._runtime.best(query, best)
            watched = self._runtime.follow(query, listed[0])
        else:
            found, watched = self._runtime.watch(query)
            listed = [found]
        judged = self._judged(query, listed[0], watched.attention)
        if best == 1 and offer and judged.abstains:
            return self._parse(text, _OFFERED, offer)
        decoding = perf_counter() - started - reading - watched.encoding
        seconds = Seconds(reading, watched.encoding, decoding)
        sources = _sources(query, listed[0], watched.attention)
        return self._parsed(query, listed, judged, sources, seconds)

    def parse_batch(self, texts: Sequence[str], *, device: str | None = None) -> list[Parsed]:
        """The logical forms of many queries, faster than one by one.

        `seconds` is the mean time per query, and `sources` are empty. With a `device`, such as
        "cuda", they are decoded there, in batches of up to 1,024: the logical forms are the same.
        """
        rests = [self.domain.without_phrases(text) for text in texts]
        if any(rests):
            return self._parse_rests(texts, rests, device)
        return self._parse_batch(texts, device)

    def _parse_batch(self, texts: Sequence[str], device: str | None) -> list[Parsed]:
        started = perf_counter()
        queries = [self._runtime.read(text) for text in texts]
        found = self._runtime.decode_batch(queries, device)
        share = Seconds(0.0, 0.0, (perf_counter() - started) / max(1, len(texts)))
        return [
            self._parsed(query, [each], self._judged(query, each), ((),) * len(each.tokens), share)
            for query, each in zip(queries, found, strict=True)
        ]

    def _parse_rests(
        self, texts: Sequence[str], rests: Sequence[Rephrased | None], device: str | None
    ) -> list[Parsed]:
        """As `parse_batch`, where some queries have phrases that stand for conditions."""
        left = [
            text if rest is None else rest.text for text, rest in zip(texts, rests, strict=True)
        ]
        parsed = iter(self._parse_batch([text for text in left if text], device))
        domain, found = self.domain, list[Parsed]()
        for text, rest in zip(texts, rests, strict=True):
            if rest is None:
                found.append(next(parsed))
            elif not rest.text:
                found.append(only_conditions(text, rest, domain))
            else:
                each = next(parsed)
                found.append(with_conditions(text, rest, each, domain, self._count_words))
        return found

    def _count_words(self, text: str) -> int:
        """The number of words of a text, as the parser reads them."""
        return len(self._runtime.weights.reader.read(text).words) if text.strip() else 0

    def ask(self, text: str, rows: int = _ROWS, *, best: int = 1, force: bool = False) -> Answered:
        """The logical form of a query and its answer, at most `rows` rows.

        If the parser abstains there is no answer, unless `force` is true. Raises `NothingToAsk` if
        the domain has no data store, `AnswerTooSlow` if the store takes too long.
        """
        parsed = self.parse(text, best)
        if parsed.abstains and not force:
            return Answered(parsed, None, 0.0)
        answers = self.answers
        started = perf_counter()
        answer = answers.answer(parsed.tokens, rows)
        return Answered(parsed, answer, perf_counter() - started)

    @property
    def answers(self) -> Answers:
        """The domain's data store, opened on first use and closed by `close`."""
        with self._opening:
            if self._answers is None:
                store = self.domain.answers()
                if store is None:
                    raise NothingToAsk(
                        f"the domain {self.domain.name!r} has no data to answer from. Use parse()."
                    )
                self._answers = self._opened.enter_context(store)
            return self._answers

    @property
    def samples(self) -> tuple[str, ...]:
        """Sample queries of the domain; of those made from data, the ones that are understood."""
        samples = self.domain.samples
        if not self.domain.about:
            return samples
        return tuple(each for each in samples if not self.parse(each, offer=False).abstains)

    @property
    def examples(self) -> tuple[Examples, ...]:
        """Example queries of the domain by what they show, those that are understood."""
        found = self.domain.examples if isinstance(self.domain, Explainable) else ()
        understood = (
            Examples(
                each.category,
                tuple(q for q in each.queries if not self.parse(q, offer=False).abstains),
            )
            for each in found
        )
        return tuple(each for each in understood if each.queries)

    def step_seconds(self, text: str) -> tuple[float, ...]:
        """The time of each token of a query's logical form; 0 for forced tokens.

        The query is parsed again, with a clock at each choice.
        """
        rest = self.domain.without_phrases(text)
        if rest is not None and not rest.text:
            return seconds_with(rest, (), ())
        decoded, seconds = self._runtime.time(self._runtime.read(rest.text if rest else text))
        choices = iter(seconds)
        found = [next(choices) if scored else 0.0 for scored in decoded.scored]
        each = tuple(decoded.per_token(found, lambda _: 0.0))
        return each if rest is None else seconds_with(rest, decoded.tokens, each)

    @property
    def cache_folder(self) -> Path | None:
        """The folder of the model's cache; None if it is not stored."""
        return self._base.weights.rows.folder

    def compile(self) -> None:
        """Compile searches if Numba is installed, for a parser that was loaded without them."""
        self._base.compile()
        if self._runtime is not self._base:
            self._runtime.compile(like=self._base)

    def owning(self, domain: Domain) -> Self:
        """The same parser; closing it closes this domain, too."""
        self._opened.callback(domain.close)
        return self

    def close(self) -> None:
        """Close the data store, if it was opened."""
        with self._opening:
            self._answers = None
            self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _judged(self, query: Query, decoded: Decoded, attention: Array | None = None) -> Judgement:
        """Confidence and abstention; a parser whose model is not calibrated never abstains."""
        if _missing(decoded, self.domain):
            return Judgement(0.0, "inexpressible", unknown_words(query, decoded))
        if self._calibration is None:
            return Judgement(exp(decoded.log_probability), None, unknown_words(query, decoded))
        contradictory = self.domain.contradicts(decoded.tokens)
        doubtful = contradictory or bool(_misfits(query, decoded, self.domain))
        judged = self._calibration.judge(query, decoded, attention, contradictory=doubtful)
        return replace(judged, contradictory=contradictory)

    def _parsed(
        self,
        query: Query,
        listed: Sequence[Decoded],
        judged: Judgement,
        sources: tuple[tuple[int, ...], ...],
        seconds: Seconds,
    ) -> Parsed:
        first, best = listed[0], tuple(map(self._alternative, listed))
        return Parsed(
            text=query.text,
            lf=best[0].lf,
            tokens=best[0].tokens,
            confidence=judged.confidence,
            why=judged.why,
            uncovered=judged.uncovered,
            best=best,
            permitted=tuple(first.per_token(first.permitted, lambda _: 1)),
            scored=tuple(first.per_token(first.scored, lambda _: 0)),
            words=query.typed,
            typos=query.typos,
            sources=sources,
            seconds=seconds,
            version=self.domain.version,
            unused=judged.unused,
            concerned=judged.concerned,
            unread=_unread(query, judged),
            lacks=self.domain.lacks,
            contradictory=judged.contradictory,
            misfits=_misfits(query, first, self.domain),
            missing=_missing(first, self.domain),
        )

    def _alternative(self, decoded: Decoded) -> Alternative:
        text = self.domain.text(decoded.tokens)
        return Alternative(text, decoded.tokens, exp(decoded.log_probability))


def _changed_runtime(runtime: RuntimeParser, before: Updatable, now: Updatable) -> RuntimeParser:
    weights = changed_weights(runtime.weights, before, now)
    automaton = now.automaton(decoding_grammar(weights.config, now))
    return runtime.changed(weights, automaton)


def _unread(query: Query, judged: Judgement) -> tuple[str, ...]:
    """The numbers and times that could not be read and that nothing accounts for, as typed."""
    filling = query.reader.filling if query.reader and judged.uncovered else None
    left = {query.words[at] for at in judged.uncovered}
    if filling is None or not any(word[-1].isdecimal() for word in left):
        return ()
    texts = (query.text[start:stop] for start, stop in filling.unread(query.text[:_CHARACTERS]))
    return tuple(text for text in texts if not left.isdisjoint(split(text)))


def _misfits(query: Query, decoded: Decoded, domain: Domain) -> tuple[str, ...]:
    """The numbers whose unit their field cannot have, with the unit."""
    if not isinstance(domain, Fillable) or not any(mention.unit for mention in query.mentions):
        return ()
    slots = tuple(domain.vocabulary.tokens[at] for at in decoded.ids)
    given = query.text.lstrip()
    found = (query.mentions[number] for number in domain.misfits(slots, query.mentions))
    return tuple(_with_unit(given[each.start : each.stop], each.unit) for each in found)


def _missing(decoded: Decoded, domain: Domain) -> tuple[str, ...]:
    """The kinds that a form needs and its query does not mention."""
    return domain.unfilled(decoded.tokens) if isinstance(domain, Fillable) else ()


def _with_unit(number: str, unit: str) -> str:
    """ "5 kg", "$5"; "1h30" as typed."""
    if not number[-1:].isdecimal():
        return number
    return f"{number} {unit}" if unit.isalpha() else f"{unit}{number}"


def _sources(query: Query, decoded: Decoded, attention: Array) -> tuple[tuple[int, ...], ...]:
    """For each token, the positions of the words that it came from.

    A token that the query names once came from that name; another one from the words with the
    largest attention when it was chosen. `attention` is that of each choice, (choices, words).
    """
    named: dict[int, Match | None] = {}  # None if a token is named twice
    for name in query.names:
        for token in name.ids:
            named[token] = None if token in named else name
    most = _SOURCE * attention.max(1, keepdims=True)
    attended = iter((attention >= most).tolist())
    positions = range(len(query.words))
    found: list[tuple[int, ...]] = []
    for token, scored in zip(decoded.ids, decoded.scored, strict=False):
        chosen = next(attended) if scored else ()
        match = named.get(token)
        if match is None:
            found.append(tuple(compress(positions, chosen)))
        else:
            found.append(tuple(range(match.start, match.stop)))
    for index, length in enumerate((decoded.lengths or ())[: len(found) - 1]):
        if not length:  # the first word of a text, of which the next token is the last one
            both = found[index] + found[index + 1]
            found[index + 1] = tuple(range(min(both), max(both) + 1)) if both else ()
    return tuple(decoded.per_token(found))
