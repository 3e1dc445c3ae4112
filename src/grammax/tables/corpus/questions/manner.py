"""How people type: courtesy, capitals, missing articles and question marks, slips of the finger."""

from __future__ import annotations

import re
from typing import Final

from grammax.tables.corpus.draw import Dice, pick

_COURTESY: Final = (
    "please {q}", "{q} please", "can you {q}", "could you {q}", "hi, {q}", "pls {q}", "hey {q}",
    "{q}, please", "could you please {q}", "can you please {q}", "i want you to {q}", "{q} thanks",
    "ok {q}", "now {q}", "help me {q}",
)  # fmt: skip
_ANY: Final = (
    "please {q}",
    "{q} please",
    "hi, {q}",
    "hey {q}",
    "{q} thanks",
    "{q}, please",
    "ok {q}",
)
_COMMANDS: Final = ("show", "list", "find", "give", "tell", "display", "get", "return", "count",
                    "calculate", "compute", "print", "compare", "group", "plot")  # fmt: skip
_ARTICLES: Final = re.compile(r"\b(the|a|an) (?=[a-z])")  # not those in names
_FRAME_WORDS: Final = frozenset(
    ("show", "which", "what", "where", "average", "number", "highest", "lowest", "between", "than",
     "list", "there", "have", "with", "many", "find", "give", "total", "most", "whose", "more",
     "display", "different", "greater", "maximum", "minimum", "sorted", "order", "descending")
)  # fmt: skip
_WORD: Final = re.compile(r"[A-Za-z]+")


def typed(text: str, dice: Dice) -> str:
    """A question as it might be typed."""
    text = " ".join(text.split())
    chance = dice.random()
    if chance < 0.07:
        is_command = text.lower().startswith(_COMMANDS)
        text = dice.rule("courtesy", _COURTESY if is_command else _ANY, 0.6).replace("{q}", text)
    if dice.chance(0.08):
        text = _ARTICLES.sub("", text)
    if dice.chance(0.03):
        text = _with_slip(text, dice)
    if text.endswith("?") and dice.chance(0.35):
        text = text[:-1]
    elif not text.endswith("?") and dice.chance(0.12):
        text += "?" if text.lower().startswith(("wh", "how", "can", "could", "do ")) else "."
    chance = dice.random()
    if chance < 0.01:
        return text.upper()
    if chance < 0.55:
        return text.lower()
    return text[:1].upper() + text[1:] if chance < 0.9 else text


def _with_slip(text: str, dice: Dice) -> str:
    """Two letters swapped, or one left out, in a word that is no name."""
    words = [match for match in _WORD.finditer(text) if match[0].lower() in _FRAME_WORDS]
    if not words:
        return text
    match = pick(dice, words)
    at = match.start() + 1 + int((len(match[0]) - 2) * dice.random())
    if dice.chance(0.5):
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text[:at] + text[at + 1 :]
