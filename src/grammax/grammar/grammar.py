"""`Grammar`: rules over kinds, checked and trimmed. Automata are compiled from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Literal, final

from grammax.errors import GrammarError, Location, Problem
from grammax.grammar.check import check_names, check_rules, choose_start, productive, reachable
from grammax.grammar.draft import Draft, from_python
from grammax.grammar.expand import Rule, expand
from grammax.grammar.expressions import NOWHERE, Part
from grammax.grammar.gbnf import read_gbnf
from grammax.grammar.kinds import Tokens, read_tokens, resolve_kinds, split_kinds
from grammax.grammar.productions import Productions
from grammax.grammar.written import GBNF, LARK, written

Notation = Literal["lark", "gbnf"]

_LONG_LIST = 1_000  # tokens; in a shorter list each token is a kind, with its own name


@final
@dataclass(frozen=True)
class Grammar:
    """Plain rules over disjoint kinds. Some sentence uses each rule, and every kind has tokens.

    >>> from grammax import Grammar
    >>> grammar = Grammar.read('''
    ...     start: "(" FIELD "EQ" GENRE ")"
    ...     FIELD: "genre"
    ...     GENRE: "drama" | "comedy"
    ... ''')
    >>> print(*grammar.rules)
    start: "(" FIELD "EQ" GENRE ")"
    >>> grammar.kinds["GENRE"]
    ('drama', 'comedy')
    """

    start: str
    rules: tuple[Rule, ...]
    kinds: Mapping[str, tuple[str, ...]]
    problems: tuple[Problem, ...] = field(default=(), compare=False)

    @staticmethod
    def read(
        text: str,
        tokens: Mapping[str, Iterable[str]] | None = None,
        *,
        start: str | None = None,
        file: str = "<grammar>",
        vocabulary: Iterable[str] | None = None,
        notation: Notation = "lark",
    ) -> Grammar:
        """A grammar from text in lark's notation, or in GBNF, that of llama.cpp and xgrammar.

        `tokens` gives the tokens of declared kinds. Terminals that are patterns, `/[0-9]+/` or
        `"select"i`, are the tokens of the `vocabulary` that match them. Priorities, aliases and
        marks are read as in lark; they choose between readings or shape a tree, so they do not
        change which sentences there are. Nor does `%ignore`, as there is nothing between tokens.

        >>> text = "start: NUMBER /[a-z]+/\\nNUMBER: /[0-9]+/"
        >>> grammar = Grammar.read(text, vocabulary=["12", "ab", "7", "A"])
        >>> grammar.kinds["NUMBER"]
        ('12', '7')
        """
        _check_text(text, file)
        if notation == "gbnf":
            return _build(read_gbnf(text, file), tokens or {}, start, vocabulary)
        # Imported here: lark is needed to read a grammar, not to use one that was saved.
        from grammax.grammar.notation import read_notation

        return _build(read_notation(text, file), tokens or {}, start, vocabulary)

    @staticmethod
    def open(
        path: str | Path,
        tokens: str | Path | Mapping[str, Iterable[str]] | None = None,
        *,
        start: str | None = None,
        vocabulary: Iterable[str] | None = None,
    ) -> Grammar:
        """A grammar from a file, `.gbnf` or `.ebnf` in GBNF and any other in lark's notation.

        The tokens of its kinds come from a table or a mapping, those of its patterns from the
        vocabulary.
        """
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            message = f"byte {error.start} is not UTF-8"
            raise GrammarError(
                Problem("not-utf-8", message, "Save the file as UTF-8.", Location(str(path)))
            ) from None
        given = read_tokens(Path(tokens)) if isinstance(tokens, str | Path) else tokens
        notation: Notation = "gbnf" if path.suffix.lower() in (".gbnf", ".ebnf") else "lark"
        return Grammar.read(
            text, given, start=start, file=str(path), vocabulary=vocabulary, notation=notation
        )

    @staticmethod
    def from_rules(
        rules: Mapping[str, Sequence[Part]],
        kinds: Mapping[str, Iterable[str]] | None = None,
        *,
        start: str | None = None,
    ) -> Grammar:
        """A grammar from Python values; see `grammax.grammar.expressions`.

        >>> from grammax.grammar.expressions import some, token
        >>> g = Grammar.from_rules({"list": [[token("["), some("ITEM"), token("]")]]},
        ...                        {"ITEM": ["a", "b"]})
        >>> print(*g.rules, sep=" ; ")
        ITEM+: ITEM ; ITEM+: ITEM+ ITEM ; list: "[" ITEM+ "]"
        """
        kinds = kinds or {}
        try:
            draft = from_python(rules, kinds)
        except RecursionError:
            raise _nested_too_deeply(NOWHERE.file) from None
        return _build(draft, kinds, start)

    @cached_property
    def productions(self) -> Productions:
        """The rules in numbers; kinds are numbered as in `Vocabulary(grammar.kinds)`."""
        names = [*self.kinds, *dict.fromkeys(rule.name for rule in self.rules)]
        number = {name: index for index, name in enumerate(names)}
        return Productions(
            kinds=len(self.kinds),
            names=tuple(names),
            rules=tuple(
                (number[rule.name], tuple(number[symbol] for symbol in rule.symbols))
                for rule in self.rules
            ),
            start=number[self.start],
        )

    def to_lark(self, separator: str | None = None) -> str:
        """The grammar as text in lark's notation, which `Grammar.read` reads.

        With a separator, such as `" "`, it describes the characters of a sentence whose tokens
        are joined by it: that is what llguidance takes.

        >>> text = 'film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'
        >>> print(Grammar.read(text).to_lark(" "), end="")
        start: "genre" " is" GENRE
        GENRE: " drama" | " comedy"
        """
        return written(self.start, self.rules, self.kinds, LARK, separator)

    def to_gbnf(self, separator: str | None = " ") -> str:
        """The grammar as text in GBNF, which llama.cpp and xgrammar take; see `to_lark`.

        >>> text = 'film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'
        >>> print(Grammar.read(text).to_gbnf(), end="")
        root ::= "genre" " is" genre-token
        genre-token ::= " drama" | " comedy"
        """
        return written(self.start, self.rules, self.kinds, GBNF, separator)

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))


def _build(
    draft: Draft,
    given: Mapping[str, Iterable[str]],
    wanted: str | None,
    vocabulary: Iterable[str] | None = None,
) -> Grammar:
    start, problems = choose_start(draft, wanted)
    problems += check_names(draft, given.keys())
    _raise_errors(problems)
    try:
        rules = expand(draft)
    except RecursionError:
        raise _nested_too_deeply(draft.file) from None
    tokens, found = resolve_kinds(draft, rules, given, vocabulary)
    problems += found
    problems += check_rules(draft, rules, tokens, start)
    _raise_errors(problems)
    rules, tokens = _with_lists_as_kinds(rules, tokens)
    rules, tokens, overlaps = _with_disjoint_kinds(rules, tokens, draft)
    rules = _trimmed(rules, tokens, start)
    used = {symbol for rule in rules for symbol in rule.symbols}
    kinds = MappingProxyType({kind: tokens[kind] for kind in tokens if kind in used})
    return Grammar(start, tuple(rules), kinds, (*problems, *overlaps))


def _check_text(text: str, file: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        before = text[: error.start]
        where = Location(file, before.count("\n") + 1, error.start - before.rfind("\n"))
        message = f"{text[error.start]!a} is half of a surrogate pair, which is no character"
        hint = "Decode the text as UTF-8, without `surrogateescape` or `surrogatepass`."
        raise GrammarError(Problem("not-utf-8", message, hint, where)) from None


def _nested_too_deeply(file: str) -> GrammarError:
    hint = "Give the inner groups names: make them rules of their own."
    message = "the groups of a rule are nested too deeply"
    return GrammarError(Problem("nested-too-deeply", message, hint, Location(file)))


def _raise_errors(problems: Sequence[Problem]) -> None:
    if any(problem.severity == "error" for problem in problems):
        raise GrammarError(sorted(problems, key=lambda p: (p.severity, p.location.line)))


def _with_lists_as_kinds(rules: list[Rule], tokens: Tokens) -> tuple[list[Rule], Tokens]:
    """Long lists of tokens that nothing else uses become one kind: `start: "t1" | "t2" | ...`.

    Of 100,000 such alternatives each would be a rule and a kind of its own otherwise. Tokens that
    are alternatives of the same rules, and of no others, are one list.
    """
    uses = Counter(symbol for rule in rules for symbol in rule.symbols)
    alone: dict[str, list[str]] = {}  # literal → the rules of which it is an alternative
    for rule in rules:
        if len(rule.symbols) == 1 and rule.symbols[0].startswith('"'):
            alone.setdefault(rule.symbols[0], []).append(rule.name)
    lists: dict[tuple[str, ...], list[str]] = {}
    for literal, names in alone.items():
        if uses[literal] == len(names):
            lists.setdefault(tuple(sorted(names)), []).append(literal)
    kind_of: dict[str, str] = {}
    result = dict(tokens)
    for within, literals in lists.items():
        if len(literals) >= _LONG_LIST:
            kind = f"{'∩'.join(within)}∋{literals[0]}"
            kind_of |= dict.fromkeys(literals, kind)
            result[kind] = tuple(chain.from_iterable(map(result.pop, literals)))
    if not kind_of:
        return rules, tokens
    merged = (replace(r, symbols=tuple(kind_of.get(s, s) for s in r.symbols)) for r in rules)
    once = {(rule.name, rule.symbols): rule for rule in reversed(list(merged))}
    return list(once.values())[::-1], result


def _with_disjoint_kinds(
    rules: list[Rule], tokens: Tokens, draft: Draft
) -> tuple[list[Rule], Tokens, list[Problem]]:
    """Kinds that share tokens become rules with finer kinds as alternatives."""
    used = {symbol for rule in rules for symbol in rule.symbols}
    finer, made_of = split_kinds({kind: tokens[kind] for kind in tokens if kind in used})
    if not made_of:
        return rules, finer, []
    where = {kind.name: kind.location for kind in draft.kinds}
    renamed = {kind: parts[0] for kind, parts in made_of.items() if len(parts) == 1}
    result = [
        replace(rule, symbols=tuple(renamed.get(symbol, symbol) for symbol in rule.symbols))
        for rule in rules
    ]
    owners = Counter(part for kind in used & tokens.keys() for part in made_of.get(kind, (kind,)))
    problems = []
    for kind, parts in made_of.items():
        location = where.get(kind, Location(draft.file))
        if kind not in renamed:
            result += [Rule(kind, (part,), location) for part in parts]
            shared = [part for part in parts if owners[part] > 1]
            shown = ", ".join(repr(token) for part in shared[:3] for token in finer[part][:3])
            message = f"the kind {kind} shares tokens with others, such as {shown}"
            hint = f"It was split into {', '.join(parts)}, which the grammar can distinguish."
            problems.append(Problem("overlapping-kinds", message, hint, location, "warning"))
    return result, finer, problems


def _trimmed(rules: Sequence[Rule], kinds: Mapping[str, object], start: str) -> list[Rule]:
    """The rules that some sentence uses, without duplicates."""
    solid = productive(rules, kinds)
    by_name: dict[str, list[Rule]] = {}
    for rule in dict.fromkeys(rules):
        if all(symbol in solid for symbol in rule.symbols):
            by_name.setdefault(rule.name, []).append(rule)
    reached = reachable(by_name, start)
    used = (alternatives for name, alternatives in by_name.items() if name in reached)
    return list(chain.from_iterable(used))
