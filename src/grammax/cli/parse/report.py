"""A parse as JSON, and explained token by token."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from grammax.cli.terminal import new_table, plain, print_lines, print_result
from grammax.reading.words import whole_words

if TYPE_CHECKING:
    from grammax.parser import Parsed


def parsed_json(parsed: Parsed) -> dict[str, Any]:
    """A parse as JSON."""
    return asdict(parsed) | {
        "abstains": parsed.abstains,
        "seconds": parsed.seconds._asdict(),
        "best": [alternative._asdict() for alternative in parsed.best],
    }


def not_understood(parsed: Parsed) -> list[str]:
    """The words that no token of the logical form accounts for, as they were typed."""
    typed = dict(parsed.typos)
    words = [typed.get(index, word) for index, word in enumerate(parsed.words)]
    return whole_words(words, parsed.uncovered)


def print_explained(parsed: Parsed) -> None:
    """For each token its words and how many tokens were permitted and scored; then the times."""
    table = new_table("token", "permitted", "rows", "words", numbers=("permitted", "rows"))
    steps = zip(parsed.tokens, parsed.permitted, parsed.scored, strict=False)
    for index, (token, permitted, scored) in enumerate(steps):
        words = plain(" ".join(parsed.words_of(index)))
        table.add_row(plain(token), f"{permitted:,}", f"{scored:,}", words)
    print_result(table)
    spent = "  ".join(f"{name} {1000 * s:.2f} ms" for name, s in parsed.seconds._asdict().items())
    print_lines([f"confidence {parsed.confidence:.1%}  {spent}"])
