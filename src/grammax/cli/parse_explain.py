"""How a logical form was found: a line for each token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammax.cli.terminal import new_table, plain, print_lines, print_result

if TYPE_CHECKING:
    from grammax.parser import Parsed


def print_explained(found: Parsed) -> None:
    """What each token came from, among how many it was chosen, and how long it all took."""
    table = new_table("token", "permitted", "rows", "words", numbers=("permitted", "rows"))
    steps = zip(found.tokens, found.permitted, found.scored, strict=False)
    for place, (token, permitted, scored) in enumerate(steps):
        words = plain(" ".join(found.words_of(place)))
        table.add_row(plain(token), f"{permitted:,}", f"{scored:,}", words)
    print_result(table)
    spent = "  ".join(f"{name} {1000 * s:.2f} ms" for name, s in found.seconds._asdict().items())
    print_lines([f"confidence {found.confidence:.1%}  {spent}"])
