"""Every error that grammax raises on purpose.

    GrammaxError
    ├── GrammarError            a grammar is wrong; `problems` lists every problem found
    │   └── ConflictError       a grammar is not LR(1); `prefix` leads to the conflict
    ├── VocabularyError         tokens and kinds that do not fit together
    │   └── UnknownToken        a token that the vocabulary does not hold
    ├── AutomatonError          an automaton was used wrongly
    │   ├── TokenNotPermitted   the grammar does not allow this token here
    │   ├── ForeignState        a state that another automaton made
    │   └── DrawingError        a picture that cannot be drawn on this machine
    └── FileFormatError         a file that is truncated, foreign, or newer than this release

Heads, search and domains add their own below `GrammaxError`.

Messages say what was given, where, what is permitted and what to do next; attributes carry the
same facts for programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from grammax.automaton.explain import Explanation
    from grammax.vocabulary import Permitted


class GrammaxError(Exception):
    """The base class: `except GrammaxError` catches every error that users can cause.

    >>> from grammax import Grammar, GrammaxError
    >>> try:
    ...     Grammar.read("film: genre")
    ... except GrammaxError as error:
    ...     print(type(error).__name__)
    GrammarError
    """


@dataclass(frozen=True, slots=True)
class Location:
    """A line and column of a grammar or a table, counted from 1; 0 means unknown."""

    file: str = "<grammar>"
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error or a warning about a grammar."""

    code: str
    message: str
    hint: str
    location: Location = Location()
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        hint = f"\n    {self.hint}" if self.hint else ""
        return f"{self.location}: {self.severity}: {self.message}{hint}"


class GrammarError(GrammaxError):
    """A grammar that cannot be used; `problems` lists every reason, not only the first.

    >>> from grammax import Grammar, GrammarError
    >>> try:
    ...     Grammar.read('film: "genre" GENRES | length\\nGENRE: "drama"')
    ... except GrammarError as error:
    ...     [problem.code for problem in error.problems if problem.severity == "error"]
    ['undefined', 'undefined']
    """

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        found = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.problems: tuple[Problem, ...] = found
        shown = [str(problem) for problem in found[:20]]
        if len(found) > len(shown):
            shown.append(f"... and {len(found) - len(shown)} more")
        super().__init__("\n".join(shown))


class ConflictError(GrammarError):
    """A grammar that is not LR(1): after `prefix`, with `lookahead` next, two `actions` fit.

    >>> from grammax import ConflictError, Grammar, lr
    >>> try:
    ...     lr(Grammar.read('sum: sum "+" sum | "1"'))
    ... except ConflictError as error:
    ...     error.prefix, error.lookahead
    (('1', '+', '1'), '+')
    """

    def __init__(
        self, problem: Problem, prefix: Sequence[str], lookahead: str, actions: Sequence[str]
    ) -> None:
        super().__init__(problem)
        self.prefix: tuple[str, ...] = tuple(prefix)
        self.lookahead = lookahead
        self.actions: tuple[str, ...] = tuple(actions)


class VocabularyError(GrammaxError):
    """Tokens and kinds that do not fit together.

    >>> from grammax import Vocabulary, VocabularyError
    >>> try:
    ...     Vocabulary({"GENRE": []})
    ... except VocabularyError as error:
    ...     print(str(error)[:27])
    the kind GENRE has no token
    """


class UnknownToken(VocabularyError):
    """A token, or a row number, that the vocabulary does not hold.

    >>> from grammax import UnknownToken, Vocabulary
    >>> try:
    ...     Vocabulary({"GENRE": ["drama", "comedy"]}).id("commedy")
    ... except UnknownToken as error:
    ...     error.token, error.nearest
    ('commedy', ('comedy',))
    """

    def __init__(
        self,
        token: object,
        message: str,
        nearest: Sequence[str] | Callable[[], Sequence[str]] = (),
    ) -> None:
        super().__init__(message)
        self.token = token
        self._nearest = nearest

    @cached_property
    def nearest(self) -> tuple[str, ...]:
        """The tokens that are most similar to the given one.

        Where they must be searched for (0.4 s in 56,000 tokens), that is done on first access.
        """
        return tuple(self._nearest() if callable(self._nearest) else self._nearest)

    def __str__(self) -> str:
        message = super().__str__()
        if not callable(self._nearest):
            return message
        hint = f"did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        return f"{message}; {hint or 'no name in it is similar.'}"


class AutomatonError(GrammaxError):
    """An automaton was asked something that it cannot answer."""


class TokenNotPermitted(AutomatonError):
    """The grammar does not allow `token` here; the state it was tried on is unchanged.

    >>> from grammax import Grammar, TokenNotPermitted, lr
    >>> automaton = lr(Grammar.read('film: "genre" "is" ("drama" | "comedy")'))
    >>> try:
    ...     automaton.read(["genre", "drama"])
    ... except TokenNotPermitted as error:
    ...     error.token, list(error.permitted.tokens)
    ('drama', ['is'])
    """

    def __init__(
        self, token: str, permitted: Permitted, explain: Callable[[], Explanation]
    ) -> None:
        super().__init__(token, permitted)
        self.token = token
        self.permitted = permitted
        self._explain = explain

    @cached_property
    def explanation(self) -> Explanation:
        """Computed on first access, so a search that only tries tokens does not pay for it."""
        return self._explain()

    @property
    def nearest(self) -> tuple[str, ...]:
        """The permitted tokens that are most similar to the given one."""
        return self.explanation.nearest

    def __str__(self) -> str:
        return str(self.explanation)


class ForeignState(AutomatonError):
    """A state was passed to an automaton that did not create it."""


class DrawingError(AutomatonError):
    """A picture that cannot be drawn here: no Graphviz, or an unknown format."""


class FileFormatError(GrammaxError):
    """A file that is truncated, damaged, not ours, or written by a newer release.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from grammax import FileFormatError
    >>> from grammax.automaton import load_automaton
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "films"
    ...     _ = path.write_text("no automaton")
    ...     try:
    ...         load_automaton(path)
    ...     except FileFormatError as error:
    ...         print("is not a grammax automaton" in str(error))
    True
    """
