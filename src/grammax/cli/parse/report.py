"""A parse as JSON, and explained token by token."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from grammax.cli.terminal import new_table, plain, print_lines, print_message, print_result

if TYPE_CHECKING:
    from grammax.parser import Parsed


def parsed_json(parsed: Parsed) -> dict[str, Any]:
    """A parse as JSON."""
    values = asdict(parsed)
    del values["lacks"]  # the notices say it
    return values | {
        "abstains": parsed.abstains,
        "notices": parsed.notices,
        "seconds": parsed.seconds._asdict(),
        "best": [alternative._asdict() for alternative in parsed.best],
    }


def not_understood(parsed: Parsed) -> list[str]:
    """The words that no token of the logical form accounts for, as they were typed."""
    return list(parsed.typed(parsed.uncovered))


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


def print_remarks(parsed: Parsed) -> None:
    """Print to stderr why the parser abstains, words in doubt, and corrected typos."""
    for notice in parsed.notices:
        print_message(notice, "yellow")
    for typed, read in read_typos(parsed).items():
        print_message(f"Read {typed!r} as {read!r}.", "yellow")


def read_typos(parsed: Parsed) -> dict[str, str]:
    """Corrected words: typed → read."""
    return {typed: parsed.words[index] for index, typed in parsed.typos}
