"""Text in GBNF → a `Draft`: the notation of llama.cpp's grammars and of xgrammar's EBNF.

`root ::= "(" item* ")"`, with `|`, groups, `* + ?`, `{m,n}`, character classes and comments after
`#`. There a grammar describes characters; here it describes tokens: a literal is one token, and a
character class is a pattern that selects tokens of the vocabulary. Rules begin with `root`, unless
another start is asked for. What only those engines have (look-ahead, token numbers, dispatch of
tags) is refused where it is written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple, NoReturn, final

from grammax.errors import GrammarError, Location, Problem
from grammax.grammar.draft import Definition, Draft
from grammax.grammar.expressions import (
    Choice,
    Concatenation,
    Expression,
    Pattern,
    Reference,
    Repeat,
    TokenText,
    parts_in_order,
)

_TOKEN = re.compile(
    r"""(?P<space>(?:\s|\#[^\n]*)+)
    |(?P<name>[A-Za-z_][\w.-]*|\d[\w-]*(?=\s*::=))
    |(?P<literal>"(?:\\.|[^"\\\n])*")
    |(?P<set>\[(?:\\.|[^\]\\\n])*\])
    |(?P<count>\{\s*\d*\s*(?:,\s*\d*\s*)?\})
    |(?P<sign>::=|\(=|[()|*+?.,])""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_MOST_REPEATS = 10_000
_FUNCTIONS = frozenset(("TagDispatch", "Token", "ExcludeToken", "AnyTokens", "TokenTagDispatch"))


def read_gbnf(text: str, file: str = "<grammar>") -> Draft:
    """The definitions in `text`; raises `GrammarError` with line, column and hint."""
    try:
        rules = _Reader(text, file).rules()
    except RecursionError:
        raise GrammarError(
            Problem(
                "nested-too-deeply",
                "the groups of a rule are nested too deeply",
                "Give the inner groups names: make them rules of their own.",
                Location(file),
            )
        ) from None
    first = [rule for rule in rules if rule.name == "root"]
    return Draft((*first, *(rule for rule in rules if rule.name != "root")), (), (), file)


class _Token(NamedTuple):
    type: str
    text: str
    at: int


@final
class _Reader:
    """Reads one text from left to right; `_here` is the next token."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._here = 0
        self._lines = [0, *(end.end() for end in re.finditer("\n", text))]
        self._tokens = self._split()

    def rules(self) -> list[Definition]:
        found: list[Definition] = []
        while self._next.type != "end":
            name = self._next
            if not self._begins_rule():
                self._fail(name, f"{self._shown(name)} does not begin a rule", _RULE)
            self._here += 2
            found.append(Definition(name.text, self._choice(), self._location(name.at)))
        return found

    def _split(self) -> list[_Token]:
        tokens: list[_Token] = []
        at = 0
        while at < len(self._text):
            match = _TOKEN.match(self._text, at)
            if match is None:
                self._refuse_character(at)
            assert match.lastgroup is not None
            if match.lastgroup != "space":
                tokens.append(_Token(match.lastgroup, match[0], at))
            at = match.end()
        return [*tokens, _Token("end", "", len(self._text))]

    @property
    def _next(self) -> _Token:
        return self._tokens[self._here]

    def _begins_rule(self) -> bool:
        return self._next.type == "name" and self._tokens[self._here + 1].text == "::="

    def _choice(self) -> Expression:
        options = [self._sequence()]
        while self._next.text == "|":
            self._here += 1
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self) -> Expression:
        parts: list[Expression] = []
        while self._next.type != "end" and self._next.text not in ("|", ")"):
            if self._begins_rule():
                break
            parts.append(self._repeated())
        return parts_in_order(tuple(parts))

    def _repeated(self) -> Expression:
        part = self._atom()
        while self._next.text in ("*", "+", "?") or self._next.type == "count":
            sign = self._next
            least, most = self._bounds(sign)
            part = Repeat(part, least, most)
            self._here += 1
        return part

    def _bounds(self, sign: _Token) -> tuple[int, int | None]:
        if sign.type != "count":
            return int(sign.text == "+"), 1 if sign.text == "?" else None
        first, comma, last = (part.strip() for part in sign.text[1:-1].partition(","))
        least = int(first or 0)
        most = (int(last) if last else None) if comma else least
        fits = bool(first or last) and least <= _MOST_REPEATS
        if not fits or (most is not None and not least <= most <= _MOST_REPEATS):
            hint = f"`{{m}}`, `{{m,}}` and `{{m,n}}` take 0 <= m <= n <= {_MOST_REPEATS}."
            self._fail(sign, f"a part cannot be repeated {sign.text} times", hint)
        return least, most

    def _atom(self) -> Expression:  # noqa: RET503 - the last line does not return
        token = self._next
        self._here += 1
        where = self._location(token.at)
        match token.type:
            case "name":
                followed = self._text[token.at + len(token.text) :][:1] == "("
                if token.text in _FUNCTIONS and followed:
                    self._fail(token, f"{token.text}(...) is not supported", _ENGINE)
                return Reference(token.text, where)
            case "literal":
                text = self._unescaped(token)
                return TokenText(text, where) if text else Concatenation()
            case "set":
                return Pattern(f"/{_as_regex(token.text)}/", where)
            case "sign" if token.text == ".":
                return Pattern("/./s", where)
            case "sign" if token.text == "(":
                inner = self._choice()
                if self._next.text != ")":
                    self._fail(token, "this group is not closed", "Close it with `)`.")
                self._here += 1
                return inner
            case "sign" if token.text == "(=":
                self._fail(token, "a look-ahead `(= ...)` is not supported", _ENGINE)
        self._fail(token, f"{self._shown(token)} is not expected here", _RULE)

    def _unescaped(self, token: _Token) -> str:
        def character(escape: re.Match[str]) -> str:
            code = escape[1] or escape[2] or escape[3]
            try:
                return chr(int(code, 16)) if code else _ESCAPES.get(escape[4], escape[4])
            except (ValueError, OverflowError):
                self._fail(token, f"{escape[0]} is not a character", r"Codes end at \U0010FFFF.")

        text = _ESCAPE.sub(character, token.text[1:-1])
        try:
            text.encode()
        except UnicodeEncodeError:
            hint = r"Write the character itself, or all of its code: \U0001F600."
            self._fail(token, "half of a surrogate pair is no character", hint)
        return text

    def _refuse_character(self, at: int) -> NoReturn:
        character = self._text[at]
        token = _Token("unknown", character, at)
        hints = {
            "<": _ENGINE,
            "!": _ENGINE,
            '"': "A literal ends with a quote on the same line.",
            "[": "A character class ends with `]` on the same line.",
            ":": "A rule is `name ::= ...`; for `name: ...`, lark's notation, read it as lark.",
        }
        self._fail(token, f"{character!r} cannot be read", hints.get(character, _RULE))

    def _shown(self, token: _Token) -> str:
        return "the end of the text" if token.type == "end" else repr(token.text[:40])

    def _location(self, at: int) -> Location:
        line = bisect_right(self._lines, at)
        return Location(self._file, line, at - self._lines[line - 1] + 1)

    def _fail(self, token: _Token, message: str, hint: str) -> NoReturn:
        raise GrammarError(Problem("syntax", message, hint, self._location(token.at)))


_RULE = "A rule is `name ::= alternatives`, and alternatives are separated by `|`."
_ENGINE = "A grammar here knows tokens by their text only: write the tokens, or a character class."


def _as_regex(characters: str) -> str:
    """A character class in the syntax of `re`, in which `[` within a class is escaped."""
    inverted = characters.startswith("[^")
    inner = characters[2:-1] if inverted else characters[1:-1]
    inner = re.sub(r"(?<!\\)\[", r"\\[", inner)
    inner = re.sub(r"(?<!\\)(--|&&|\|\||~~)", lambda pair: "\\" + "\\".join(pair[0]), inner)
    return f"[{'^' if inverted else ''}{inner}]"
