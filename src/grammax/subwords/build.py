"""`constraint`: from an automaton and a tokenizer."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from grammax.automaton.protocol import Automaton
from grammax.errors import AutomatonError
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
    """A grammar over the sub-words of a language model.

    The model writes the text of a sentence: its tokens, with `separator` between them, after
    `prefix`, which is a space where the prompt ends without one. `automaton` is a compiled grammar,
    such as `grammax.exact(grammar)`. `tokenizer` is a fast tokenizer of transformers, a
    `tokenizers.Tokenizer`, a `tiktoken.Encoding` or what `grammax.subwords.subwords` made of one.
    `eos` is the id that ends a text, by default the tokenizer's own; a `tokenizers.Tokenizer` has
    none.

    `spelling` says which sub-words are permitted:

    - `canonical`: the tokenizer's own spelling of each token of the grammar. `NotCanonical` is
      raised if it differs from the tokenizer's spelling of whole texts, which is checked.
    - `bytes`: every sub-word whose bytes continue the text.
    - `auto`: `canonical` where that is possible, else `bytes`.

    >>> import grammax, tiktoken
    >>> from grammax.subwords import constraint
    >>> pieces = {bytes([byte]): byte for byte in range(256)} | {b"dr": 256}
    >>> encoding = tiktoken.Encoding(
    ...     "tiny", pat_str=r"\\S+|\\s", mergeable_ranks=pieces, special_tokens={"<end>": 257}
    ... )
    >>> automaton = grammax.exact(grammax.Grammar.read('start: "film" GENRE\\nGENRE: "drama"'))
    >>> searching = constraint(automaton, encoding, eos=257)
    >>> state = searching.start()
    >>> encoding.decode(searching.forced(state))
    'film drama<end>'
    """
    if spelling not in ("auto", "canonical", "bytes"):
        raise TokenizerError(f"spelling is {spelling!r}; it is 'auto', 'canonical' or 'bytes'")
    if not hasattr(automaton, "next_tokens"):
        raise AutomatonError(
            f"the first argument is an automaton, not a {type(automaton).__name__}. A grammar is "
            f"compiled first: grammax.exact(grammar)."
        )
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
