"""An extension of Griffe: examples with prompts in docstrings become blocks of code.

Docstrings are Markdown, in which `>>>` would begin a quotation within a quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any

import griffe


class Examples(griffe.Extension):
    """Fences the examples of every docstring."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(cleandoc(obj.docstring.value))


def fenced(text: str) -> str:
    """A docstring with its examples, which end at an empty line, between fences."""
    return "\n".join(_lines(text.splitlines()))


def _lines(lines: list[str]) -> Iterator[str]:
    inside = False
    for line in lines:
        if line.startswith(">>>") and not inside:
            inside = True
            yield from ("", "```pycon")
        elif inside and not line:
            inside = False
            yield "```"
        yield re.sub(r"\s+# doctest: [+\w, ]+$", "", line) if inside else line
    if inside:
        yield "```"
