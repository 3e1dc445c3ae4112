"""Words that mean nothing: courtesy before and after a query, and fillers at its end."""

from __future__ import annotations

from typing import Final

from grammax.tables.corpus.draw import Dice

_BEFORE: Final = (
    "please {q}", "hi, {q}", "hey, {q}", "{q} please", "hello {q}", "pls {q}", "ok {q}", "hey {q}",
    "could you please tell me {q}", "i'd like to know {q}", "i would like {q}", "so {q}",
    "i am interested in {q}", "can i see {q}", "let me see {q}", "just {q}", "now {q}",
    "what about {q}", "and {q}",
)  # fmt: skip
_AFTER: Final = (
    "{q} please", "{q} right now", "{q} currently", "{q}, thanks", "{q} thanks", "{q} out there",
    "{q} in the world", "{q} at the moment", "{q} pls", "{q}, please", "{q} only", "{q} overall",
    "{q} as of now", "{q} if any", "{q} thank you", "{q} for me",
)  # fmt: skip
_PHRASES: Final = (
    "could you please tell me", "i'd like to know", "i would like", "i am interested in",
    "can i see", "let me see", "what about", "and",
)  # fmt: skip
_VERBS: Final = (
    "show", "find", "list", "give", "get", "i ", "i'", "search", "can", "could", "are", "is ",
    "what", "which", "who", "how", "looking", "display", "tell", "compare", "count", "screen",
    "any", "all", "do ", "sort", "order", "rank", "whats", "in which", "where", "calculate",
    "compute", "group",
)  # fmt: skip


def courteous(text: str, dice: Dice) -> str:
    """A query with a word or two that mean nothing."""
    if dice.chance(0.5):
        forms = _BEFORE if not text.startswith(_VERBS) else _short()
        return dice.rule("courtesy", forms, 0.5).replace("{q}", text)
    form = dice.rule("courtesy", _AFTER, 0.4)
    if text.endswith("?"):
        return form.replace("{q}", text[:-1]) + "?"
    return form.replace("{q}", text)


def _short() -> tuple[str, ...]:
    return tuple(form for form in _BEFORE if not form.startswith(_PHRASES))
