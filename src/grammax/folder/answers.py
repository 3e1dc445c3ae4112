"""What answers the logical forms of a folder: a function of an installed package.

`answers = "rooms"` in the settings is looked up among the entry points of the group
`grammax.answers`. Only what was installed has entry points, so nothing in a folder, which may come
from anyone, is ever executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from threading import Thread
from typing import Any, Final, final

from grammax.errors import GrammaxError
from grammax.language.answer import ANSWER_SECONDS, Answers, AnswerTooSlow
from grammax.language.domain import Tokens

GROUP: Final = "grammax.answers"
Answer = Callable[[Tokens], Any]  # what a logical form denotes: a list of rows, or anything else


class NoSuchAnswers(GrammaxError):
    """A name under which nothing that answers was installed."""


class AnswerFailed(GrammaxError):
    """A function that answers raised an error."""


@final
@dataclass(frozen=True, slots=True)
class FunctionAnswers:
    """`Answers` of a function, which gets all the time that it takes, but is waited for no longer.

    It has to bear several threads.
    """

    function: Answer

    def answer(self, tokens: Tokens, limit: int, seconds: float = ANSWER_SECONDS) -> Any:
        """What the function returns; of a list at most `limit` items."""
        found = self._found(tokens, seconds)
        return found[:limit] if isinstance(found, list | tuple) else found

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether two logical forms have the same answer; one that has none is unlike any."""
        if one == other:
            return True
        try:
            return bool(self._found(one) == self._found(other))
        except (AnswerFailed, AnswerTooSlow):
            return False

    def _found(self, tokens: Tokens, seconds: float = ANSWER_SECONDS) -> Any:
        found: list[Any] = []
        failed: list[Exception] = []

        def work() -> None:
            try:
                found.append(self.function(tokens))
            except Exception as error:  # whatever another's function does
                failed.append(error)

        worker = Thread(target=work, daemon=True)
        worker.start()
        worker.join(seconds)
        if failed:
            kind = type(failed[0]).__name__
            raise AnswerFailed(f"what answers raised {kind}: {failed[0]}") from failed[0]
        if not found:
            raise AnswerTooSlow(f"there was no answer after {seconds:g} seconds")
        return found[0]


@contextmanager
def opened_answers(name: str) -> Iterator[Answers]:
    """What was installed under a name; `NoSuchAnswers` says what there is instead."""
    yield FunctionAnswers(_installed(name))


def _installed(name: str) -> Answer:
    there = entry_points(group=GROUP)
    if name not in there.names:
        raise NoSuchAnswers(
            f"answers is {name!r}, and no installed package has an entry point of that name in the "
            f"group {GROUP}; {_listed(sorted(there.names))}. docs/your-own-language.md shows one."
        )
    try:
        function: Answer = there[name].load()
    except (ImportError, AttributeError) as error:
        message = f"the entry point {name!r} of {GROUP} cannot be loaded: {error}"
        raise NoSuchAnswers(message) from error
    if not callable(function):
        raise NoSuchAnswers(f"the entry point {name!r} of {GROUP} is no function")
    return function


def _listed(names: Sequence[str]) -> str:
    return f"there is {', '.join(names)}" if names else "there is none"
