"""Parse many texts where some cannot be parsed: each has a result or its error."""

from __future__ import annotations

from collections.abc import Sequence

from grammax.errors import GrammaxError
from grammax.parser.parsed import Parsed
from grammax.parser.parser import Parser


def parse_each(
    parser: Parser, texts: Sequence[str], best: int = 1, device: str | None = None
) -> list[Parsed | str]:
    """Each text parsed, or its error; on an error the texts are halved until it is located."""
    if not texts:
        return []
    try:
        if best == 1:
            return [*parser.parse_batch(texts, device=device)]
        if len(texts) == 1:
            return [parser.parse(texts[0], best)]
    except GrammaxError as error:
        if len(texts) == 1:
            return [str(error)]
    half = len(texts) // 2
    first, second = texts[:half], texts[half:]
    return parse_each(parser, first, best, device) + parse_each(parser, second, best, device)
