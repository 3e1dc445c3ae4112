"""`constraint`: from an automaton and a tokenizer."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from grammax.automaton.protocol import Automaton
from grammax.subwords.bytewise import ByteChoices
from grammax.subwords.choices import CanonicalChoices
from grammax.subwords.constraint import SubwordConstraint
from grammax.subwords.errors import TokenizerError
from grammax.subwords.names import Names
from grammax.subwords.reading import Reader
from grammax.subwords.spelling import ByteSpelling, CanonicalSpelling, NotCanonical, Spelling
from grammax.subwords.tokenizer import Subwords, subwords
from grammax.subwords.walks import walks

S = TypeVar("S")


def constraint(
    automaton: Automaton[S],
    tokenizer: Any,
    *,
    prefix: str = "",
    separator: str = " ",
    spelling: Literal["auto", "canonical", "bytes"] = "auto",
    eos: int | None = None,
) -> SubwordConstraint[S]:
    """A grammar over the tokens of a language model: the text is `prefix + separator.join(names)`.

    `tokenizer` is a fast tokenizer of transformers, a `tokenizers.Tokenizer`, a `tiktoken.Encoding`
    or what `grammax.subwords.subwords` made of one. Each name is spelled as the tokenizer spells it
    (`canonical`) where that gives the same pieces as whole texts do, which is checked; else, or if
    asked for, all tokens are permitted whose bytes continue the text (`bytes`).
    """
    if spelling not in ("auto", "canonical", "bytes"):
        raise TokenizerError(f"spelling is {spelling!r}; it is 'auto', 'canonical' or 'bytes'")
    tokens = subwords(tokenizer, eos)

    def in_bytes(other: Automaton[Any], reason: str) -> SubwordConstraint[Any]:
        return _in_bytes(other, tokens, prefix, separator, reason)

    if spelling == "bytes":
        return in_bytes(automaton, "")
    try:
        spelled = CanonicalSpelling(tokens)
        reader = _reader(automaton, spelled, prefix, separator)
        spelled.check_texts(prefix, separator, list(walks(automaton)))
    except NotCanonical as error:
        if spelling == "canonical":
            raise
        return in_bytes(automaton, str(error))
    choices = CanonicalChoices(tokens.eos)
    otherwise = in_bytes if spelling == "auto" else None
    return SubwordConstraint(reader, tokens, spelled, choices, otherwise=otherwise)


def _in_bytes(
    automaton: Automaton[S], tokens: Subwords, prefix: str, separator: str, reason: str
) -> SubwordConstraint[S]:
    spelled = ByteSpelling(tokens)
    choices = ByteChoices(tokens.eos, spelled.tokens, separator)
    reader = _reader(automaton, spelled, prefix, separator)
    choices.prepare(reader)
    return SubwordConstraint(reader, tokens, spelled, choices, reason)


def _reader(automaton: Automaton[S], spelled: Spelling, prefix: str, separator: str) -> Reader[S]:
    vocabulary, start = automaton.vocabulary, automaton.start
    if prefix and automaton.accepts(start):
        raise TokenizerError(
            f"the grammar has an empty sentence, so the text {prefix!r} alone would be permitted; "
            f"write the prefix at the end of the prompt and leave it out here"
        )
    names = Names.of(spelled, separator, vocabulary)
    first = names
    if prefix != separator:
        kinds = automaton.next_tokens(start).kind_numbers
        first = Names.of(spelled, prefix, vocabulary, kinds)
    return Reader(automaton, first, names)
