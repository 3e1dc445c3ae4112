"""`decode` and `decode_batch`: any model that predicts token by token, under a grammar.

One search for all models and grammars: greedy, a beam, or samples, within a budget. It is the one
of `grammax.search.greedy` and `grammax.search.beam`; here a `Scorer` is made fit for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from grammax.automaton.protocol import Automaton
from grammax.search.beam import beam_batch
from grammax.search.greedy import PartialSentence, finish, greedy
from grammax.search.result import Decoded, NotCompiled, SearchError, all_found, found_or_errors
from grammax.search.sampling import Draw, Sampling
from grammax.search.scorer import Pair, Scorer, as_pair
from grammax.search.state import AnyGrammar, initial_state

Source = TypeVar("Source")


def decode(
    scorer: Scorer[Source, Any],
    grammar: AnyGrammar,
    source: Source,
    *,
    best: int = 1,
    width: int | None = None,
    sampling: Sampling | None = None,
    budget: int = 200,
) -> list[Decoded]:
    """Sentences of a grammar for a source, by a model of one's own.

    `scorer` is the model: an object with the methods `start(source)`, `scores(state, options)` and
    `advance(state, token)`, see `grammax.search.Scorer`; a decoder and a head become one by
    `grammax.search.WithHead`. `grammar` is an automaton, such as `grammax.exact(grammar)`, or a
    constraint over sub-words. `source` is given to `scorer.start` as it is. The result is

    - the sentence whose tokens are the best at each step (greedy search),
    - with `best`, at most so many sentences, best first, found by beam search; `width` is the width
      of the beam, by default `best`, and not less,
    - with `sampling`, sentences drawn at random, in the order in which they were drawn; it cannot
      be combined with `best` or `width`.

    Every sentence is complete and has at most `budget` tokens; `BudgetTooShort` is raised if none
    is so short. A log-probability is the sum over the choices, each normalised over what is
    permitted.

    >>> import grammax, torch
    >>> class Copies:
    ...     def __init__(self, head):
    ...         self.head = head
    ...     def start(self, source):
    ...         return torch.tensor(source)
    ...     def scores(self, state, options):
    ...         return self.head.scores(state, options)
    ...     def advance(self, state, token):
    ...         return state
    >>> grammar = grammax.Grammar.read('film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"')
    >>> automaton = grammax.lr(grammar)
    >>> layer = torch.nn.Linear(4, len(automaton.vocabulary), bias=False)
    >>> with torch.no_grad():
    ...     _ = layer.weight.copy_(torch.eye(4))
    >>> scorer = Copies(grammax.Spans(grammax.OutputLayer.from_linear(layer, tokens=4)))
    >>> source = [float(token == "comedy") for token in automaton.vocabulary.tokens]
    >>> [str(sentence) for sentence in grammax.decode(scorer, automaton, source, best=2)]
    ['genre is comedy', 'genre is drama']
    >>> sampling = grammax.Sampling(5, temperature=0.1, seed=0)
    >>> {str(drawn) for drawn in grammax.decode(scorer, automaton, source, sampling=sampling)}
    {'genre is comedy'}
    """
    _check(best, width, sampling)
    pair = as_pair(scorer, _rows(grammar))
    if _is_greedy(best, width, sampling):  # faster than a batch of one
        decisions_only = pair.decisions_only
        return [
            greedy(
                pair.one, pair.head, grammar, source, budget=budget, decisions_only=decisions_only
            )
        ]
    (found,) = found_or_errors(
        lambda: _searched(pair, [grammar], [source], best, width, sampling, budget), 1
    )
    if isinstance(found, SearchError):
        raise found
    return found


def decode_batch(
    scorer: Scorer[Source, Any],
    grammars: AnyGrammar | Sequence[AnyGrammar],
    sources: Sequence[Source],
    *,
    best: int = 1,
    width: int | None = None,
    sampling: Sampling | None = None,
    budget: int = 200,
) -> list[list[Decoded]]:
    """For each source what `decode` finds, with the same options.

    `grammars` is one automaton for all sources, or one for each, over the same vocabulary. A model
    that steps many sources at once is given as `WithHead(decoder, head, batch)`; others step one
    after another. If some sources fail, `QueriesFailed` is raised, and has the results of the
    others.

    >>> import grammax
    >>> from grammax.search import ListedScores
    >>> class Counts:
    ...     def start(self, source):
    ...         return source
    ...     def scores(self, state, options):
    ...         counts = [state.count(token) for token in options.permitted.tokens]
    ...         return ListedScores(options.ids(None), counts)  # in this grammar no end is a choice
    ...     def advance(self, state, token):
    ...         return state
    >>> automaton = grammax.lr(grammax.Grammar.read('film: "genre" ("drama" | "comedy")'))
    >>> found = grammax.decode_batch(Counts(), automaton, ["a comedy", "some drama"])
    >>> [str(sentence) for (sentence,) in found]
    ['genre comedy', 'genre drama']
    """
    _check(best, width, sampling)
    if not sources:
        return []
    each: Sequence[AnyGrammar]
    each = grammars if isinstance(grammars, Sequence) else [grammars] * len(sources)
    if len(each) != len(sources):
        raise SearchError(
            f"there are {len(each):,} grammars for {len(sources):,} sources; give one grammar for "
            f"all sources, or one for each"
        )
    pair = as_pair(scorer, max(map(_rows, each)))
    return _searched(pair, each, sources, best, width, sampling, budget)


def _searched(
    pair: Pair,
    grammars: Sequence[AnyGrammar],
    sources: Sequence[Source],
    best: int,
    width: int | None,
    sampling: Sampling | None,
    budget: int,
) -> list[list[Decoded]]:
    if sampling is not None or _is_greedy(best, width, sampling):
        return _side_by_side(pair, grammars, sources, sampling, budget)
    found = beam_batch(
        pair.batch,
        pair.head,
        grammars,
        sources,
        width=best if width is None else width,
        budget=budget,
        decisions_only=pair.decisions_only,
    )
    return [sentences[:best] for sentences in found]


def _side_by_side(
    pair: Pair,
    grammars: Sequence[AnyGrammar],
    sources: Sequence[Source],
    sampling: Sampling | None,
    budget: int,
) -> list[list[Decoded]]:
    """The samples of each source, all side by side; without sampling its greedy sentence."""
    starts = [initial_state(grammar, pair.head, budget) for grammar in grammars]
    draws: Sequence[Sequence[Draw | None]]
    draws = [[None] for _ in sources] if sampling is None else sampling.draws(len(sources))
    sentences = [
        [PartialSentence(state, pair.decisions_only, draw) for draw in of]
        for state, of in zip(starts, draws, strict=True)
    ]
    finish(
        pair.batch,
        pair.head,
        sources,
        [(source, sentence) for source, of in enumerate(sentences) for sentence in of],
    )
    return all_found([_results(of) for of in sentences])


def _results(sentences: Sequence[PartialSentence]) -> list[Decoded] | SearchError:
    """The results for one source, or why there are none."""
    failed = next((sentence.error for sentence in sentences if sentence.error), None)
    return failed or [sentence.decoded() for sentence in sentences]


def _check(best: int, width: int | None, sampling: Sampling | None) -> None:
    if best < 1:
        raise SearchError(f"the number of sentences is 1 or more, not {best}")
    if sampling is not None and (best > 1 or width is not None):
        raise SearchError(
            "samples are drawn, not ranked: give `sampling`, whose count says how many, or `best` "
            "and `width`, not both"
        )
    if width is not None and width < best:
        raise SearchError(
            f"a beam of width {width} cannot give the {best} best sentences: give a width of "
            f"{best} or more"
        )


def _is_greedy(best: int, width: int | None, sampling: Sampling | None) -> bool:
    return sampling is None and best == 1 and width in (None, 1)


def _rows(grammar: AnyGrammar) -> int:
    """The number of rows that a grammar speaks of."""
    if hasattr(grammar, "next_tokens"):
        return len(cast("Automaton[Any]", grammar).vocabulary)
    if not hasattr(grammar, "advance"):
        raise NotCompiled(grammar)
    return grammar.size
