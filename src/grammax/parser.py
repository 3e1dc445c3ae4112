"""`grammax.load`: a trained parser with all that a program needs, in a millisecond and no PyTorch.

>>> import grammax
>>> parser = grammax.load("eqs")
>>> found = parser.parse("steel western europe not german")
>>> print(found.lf)  # doctest: +NORMALIZE_WHITESPACE
(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY)))
     (FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE))
     (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))
>>> found.words_of(found.tokens.index("COU_GERMANY"))
('german',)

Values and fields come and go without training. Each change is another parser, which shares almost
all with the one before; `LivingParser` holds the one in use.

>>> wider = parser.with_values([grammax.NewValue("Wakanda", "country", aliases=("wakandan",))])
>>> print(wider.parse("wakandan steel").lf)  # doctest: +NORMALIZE_WHITESPACE
(AND (FLD_DOMICILE EQ enumValue(COU_WAKANDA))
     (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import exp
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple, Self, final

from threadpoolctl import threadpool_limits

from grammax.confidence import Abstention, Calibration, Judgement, kept_calibration
from grammax.domains import load_domain, trained_model
from grammax.errors import GrammaxError
from grammax.language.answer import Answers
from grammax.language.capabilities import Updatable
from grammax.language.changes import Changes, FixedVocabulary, NewValue
from grammax.language.changes_file import read_changes
from grammax.language.domain import Domain, Tokens
from grammax.model.header import read_header
from grammax.reading.reader import Query
from grammax.runtime.changed import changed_weights
from grammax.runtime.parser import RuntimeParser
from grammax.runtime.recurrence import Array
from grammax.search import Decoded

_SHARE: Final = 0.5  # of the largest attention: so much makes a word a part of what was chosen
_OFFERED: Final = 3  # readings, where the parser abstains
ROWS: Final = 20  # of an answer, if nothing else is asked for


class NothingToAsk(GrammaxError):
    """A domain without a store that answers."""


class Alternative(NamedTuple):
    """One of the best logical forms of a query."""

    lf: str
    tokens: Tokens
    confidence: float  # its probability by the network, among all that the grammar permits


class Seconds(NamedTuple):
    """How long each stage took."""

    read: float  # words, and the names among them
    encode: float
    decode: float  # attention, output layer and grammar, step by step


@final
@dataclass(frozen=True, slots=True)
class Parsed:
    """A query and its logical form."""

    text: str
    lf: str
    tokens: Tokens
    confidence: float  # the probability that the logical form is right
    why: Abstention | None  # what speaks against relying on it, if anything does
    unaccounted: tuple[int, ...]  # places of words that nothing in it accounts for
    best: tuple[Alternative, ...]  # this one first; as many as were asked for
    permitted: tuple[int, ...]  # at each token how many the grammar permitted
    scored: tuple[int, ...]  # at each token how many rows were multiplied, 0 where it was forced
    words: tuple[str, ...]  # of the query, as they were read
    typos: tuple[tuple[int, str], ...]  # places of words that were put right, as they were typed
    sources: tuple[tuple[int, ...], ...]  # of each token the places of the words it came from
    seconds: Seconds
    version: str  # of the vocabulary that it was found in

    @property
    def abstains(self) -> bool:
        """Whether the parser offers what it found, rather than gives it; `why` says why."""
        return self.why is not None

    def words_of(self, token: int) -> tuple[str, ...]:
        """The words that the token at a place came from; none where it was forced."""
        return tuple(self.words[place] for place in self.sources[token])


@final
@dataclass(frozen=True, slots=True)
class Answered:
    """A query, its logical form, and what that denotes."""

    parsed: Parsed
    answer: Any  # in the domain's own terms: for equities a table
    seconds: float  # of the answer alone


@final
class Parser:
    """A domain's parser. Threads may share it; as a context manager it closes what it opened.

    One query is one thread's work: NumPy's own threads, which would only get into each other's way,
    are switched off for the whole process, unless `blas_threads` says otherwise.
    """

    def __init__(
        self,
        domain: Domain,
        model: Path,
        blas_threads: int | None = 1,
        *,
        compiled: bool | None = None,
    ) -> None:
        if blas_threads is not None:
            threadpool_limits(blas_threads, user_api="blas")
        base = domain.base if isinstance(domain, Updatable) else domain
        loaded = RuntimeParser.load(model, base, compiled=compiled)
        runtime = loaded
        if isinstance(domain, Updatable) and domain.changes:
            runtime = _changed_runtime(loaded, domain.base, domain, compiled)
        self._use(domain, runtime, loaded, compiled, kept_calibration(read_header(model)))

    def _use(
        self,
        domain: Domain,
        runtime: RuntimeParser,
        loaded: RuntimeParser,
        compiled: bool | None,
        calibration: Calibration | None,
    ) -> None:
        self.domain = domain
        self._runtime = runtime
        self._loaded = loaded  # for the domain without changes
        self._compiled = compiled
        self._calibration = calibration
        self._opened = ExitStack()
        self._answers: Answers | None = None

    def with_values(self, values: Sequence[NewValue]) -> Parser:
        """A parser that also knows these values and fields, at once; this one stays as it is.

        They are of kinds that the grammar has. `ChangesRefused` if some cannot be added.
        """
        return self._over(self._living, self._living.with_values(values))

    def without_values(self, tokens: Sequence[str]) -> Parser:
        """A parser that never predicts some tokens, values or fields; this one stays as it is."""
        return self._over(self._living, self._living.without_values(tokens))

    @property
    def _living(self) -> Updatable:
        if not isinstance(self.domain, Updatable):
            raise FixedVocabulary(f"the values and fields of {self.domain.name!r} do not change.")
        return self.domain

    def _over(self, before: Updatable, now: Updatable) -> Parser:
        made: Parser = object.__new__(Parser)
        runtime = self._loaded
        if now.changes:
            if now.changes.since(before.changes) is not None:
                runtime = self._runtime
            else:  # what is back again is as it was in the beginning
                before = before.base
            runtime = _changed_runtime(runtime, before, now, self._compiled)
        made._use(now, runtime, self._loaded, self._compiled, self._calibration)
        return made

    def parse(self, text: str, best: int = 1, *, offer: bool = True) -> Parsed:
        """The logical form of a query, and the `best` ones if more than one is asked for.

        Where the parser abstains it offers some anyway, unless `offer` says not to: finding several
        takes ten times as long.
        """
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
            return self.parse(text, _OFFERED)
        decoding = perf_counter() - started - reading - watched.encoding
        seconds = Seconds(reading, watched.encoding, decoding)
        sources = _sources(listed[0], watched.attention)
        return self._parsed(query, listed, judged, sources, seconds)

    def step_seconds(self, text: str) -> tuple[float, ...]:
        """How long each token of a query's logical form takes, 0 where it is forced.

        It is found once more for this, with a clock at every choice; `parse` has none.
        """
        decoded, seconds = self._runtime.time(self._runtime.read(text))
        choices = iter(seconds)
        return tuple(next(choices) if scored else 0.0 for scored in decoded.scored)

    def parse_batch(self, texts: Sequence[str]) -> list[Parsed]:
        """The logical forms of many queries, faster than one by one.

        Their seconds are a share of the whole, and sources are not told.
        """
        started = perf_counter()
        queries = [self._runtime.read(text) for text in texts]
        found = self._runtime.decode_batch(queries)
        share = Seconds(0.0, 0.0, (perf_counter() - started) / max(1, len(texts)))
        return [
            self._parsed(query, [each], self._judged(query, each), ((),) * len(each.ids), share)
            for query, each in zip(queries, found, strict=True)
        ]

    def ask(self, text: str, rows: int = ROWS) -> Answered:
        """The logical form of a query and its answer, at most `rows` rows of it."""
        parsed = self.parse(text)
        answers = self._store()
        started = perf_counter()
        answer = answers.answer(parsed.tokens, rows)
        return Answered(parsed, answer, perf_counter() - started)

    def close(self) -> None:
        """Close the store that answers, if it was opened."""
        self._answers = None
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _store(self) -> Answers:
        if self._answers is None:
            store = self.domain.answers()
            if store is None:
                raise NothingToAsk(
                    f"the domain {self.domain.name!r} has no store that answers. Use parse()."
                )
            self._answers = self._opened.enter_context(store)
        return self._answers

    def _alternative(self, decoded: Decoded) -> Alternative:
        text = self.domain.text(decoded.tokens)
        return Alternative(text, decoded.tokens, exp(decoded.log_probability))

    def _judged(
        self, query: Query, decoded: Decoded, attention: Sequence[Array] | None = None
    ) -> Judgement:
        """What is to be thought of a parse; a model that learnt nothing of it never abstains."""
        if self._calibration is None:
            return Judgement(exp(decoded.log_probability), None, ())
        return self._calibration.judge(query, decoded, attention)

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
            unaccounted=judged.unaccounted,
            best=best,
            permitted=first.permitted,
            scored=first.scored,
            words=query.words,
            typos=query.typos,
            sources=sources,
            seconds=seconds,
            version=self.domain.version,
        )


def load(
    domain: str | Domain = "eqs",
    model: Path | str | None = None,
    blas_threads: int | None = 1,
    *,
    catalogue: Changes | Path | str | None = None,
    compiled: bool | None = None,
) -> Parser:
    """A domain's parser, with the model that comes with it or one that was trained.

    `catalogue` are changes of its values and fields, or the file that `grammax catalogue` keeps.
    Inner loops are `compiled` where Numba is installed: queries take half the time, and loading a
    third of a second more, or some seconds once on each machine.
    """
    if isinstance(domain, str):
        domain = load_domain(domain)
    path = trained_model(domain) if model is None else Path(model)
    if catalogue is not None:
        domain = _changed(domain, catalogue)
    return Parser(domain, path, blas_threads, compiled=compiled)


def _changed_runtime(
    runtime: RuntimeParser, before: Updatable, now: Updatable, compiled: bool | None
) -> RuntimeParser:
    weights = changed_weights(runtime.weights, before, now)
    return RuntimeParser(weights, now.automaton(now.grammars[-1]), compiled=compiled)


def _changed(domain: Domain, catalogue: Changes | Path | str) -> Domain:
    if not isinstance(domain, Updatable):
        raise FixedVocabulary(f"the values and fields of {domain.name!r} do not change.")
    if not isinstance(catalogue, Changes):
        catalogue = read_changes(Path(catalogue), domain.name)
    return domain.with_changes(catalogue) if catalogue else domain


def _sources(decoded: Decoded, attention: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Of each token the words that had the largest part in its choice."""
    weights = iter(attention)
    found: list[tuple[int, ...]] = []
    for _, scored in zip(decoded.ids, decoded.scored, strict=False):
        places: tuple[int, ...] = ()
        if scored:
            share = next(weights)
            places = tuple((share >= _SHARE * share.max()).nonzero()[0].tolist())
        found.append(places)
    return tuple(found)
