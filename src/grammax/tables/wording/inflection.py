"""Comparatives and superlatives of adjectives, and the past of verbs.

>>> [superlative(word) for word in ("cheap", "heavy", "hot", "expensive", "good", "well paid")]
['cheapest', 'heaviest', 'hottest', 'most expensive', 'best', 'best paid']
>>> comparative("large"), comparative("popular"), past("written"), past("directed")
('larger', 'more popular', 'wrote', 'directed')
"""

from __future__ import annotations

import re
from typing import Final

_IRREGULAR: Final = {
    "good": ("better", "best"), "bad": ("worse", "worst"), "far": ("farther", "farthest"),
    "well": ("better", "best"), "badly": ("worse", "worst"), "little": ("less", "least"),
}  # fmt: skip
_SHORT: Final = frozenset(("narrow", "shallow", "clever", "quiet", "simple", "early", "likely"))
_VOWELS: Final = re.compile(r"[aeiouy]+")
_DOUBLED: Final = re.compile(r"[^aeiou]+[aeiou][bdgmnprt]")
_PAST: Final = {
    "written": "wrote", "sung": "sang", "driven": "drove", "flown": "flew", "drawn": "drew",
    "given": "gave", "taken": "took", "known": "knew", "begun": "began", "run": "ran",
    "ridden": "rode", "grown": "grew", "seen": "saw", "spoken": "spoke",
}  # fmt: skip
_BASES: Final = {
    "written": "write", "sung": "sing", "driven": "drive", "flown": "fly", "drawn": "draw",
    "given": "give", "taken": "take", "known": "know", "begun": "begin", "run": "run",
    "taught": "teach", "sold": "sell", "made": "make", "led": "lead", "won": "win",
    "bought": "buy", "built": "build", "born": "be born", "paid": "pay", "sent": "send",
    "treated": "treat", "edited": "edit", "owned": "own", "opened": "open", "signed": "sign",
    "designed": "design", "hosted": "host", "visited": "visit", "admitted": "admit",
    "joined": "join", "aired": "air", "coached": "coach", "released": "release",
    "handled": "handle",
}  # fmt: skip
_SILENT: Final = ("c", "s", "v", "g", "u", "z", "at", "spir", "quir", "ur", "stor", "plor", "bin",
                  "fin", "vid", "uid", "rib", "ibut", "but", "titl")  # fmt: skip
"""Ends of stems that have lost an "e": "produc(e)", "creat(e)", "inspir(e)"."""

_DONE: Final = {
    "writer": "written", "teacher": "taught", "driver": "driven", "builder": "built",
    "singer": "sung", "seller": "sold", "maker": "made", "leader": "led", "winner": "won",
    "planner": "planned", "coach": "coached", "host": "hosted", "buyer": "bought",
}  # fmt: skip
_NO_AGENTS: Final = frozenset(
    ("customer", "member", "officer", "mother", "father", "brother", "sister", "number", "partner",
     "character", "actor", "doctor", "author", "professor", "player", "runner", "engineer",
     "lawyer", "soldier", "mayor", "senator", "governor", "minister", "bachelor", "master",
     "carrier", "career", "chapter", "center", "sector", "vector", "indicator", "prior", "speaker",
     "starter", "center", "monitor", "server", "charter", "user", "visitor", "competitor", "major",
     "worker", "employer", "other", "order", "gender")
)  # fmt: skip


def comparative(adjective: str) -> str:
    """ "cheaper", "more expensive" """
    return _degree(adjective, 0, "er", "more")


def superlative(adjective: str) -> str:
    """ "cheapest", "most expensive" """
    return _degree(adjective, 1, "est", "most")


def past(participle: str) -> str:
    """The past tense of a verb, by its participle."""
    return _PAST.get(participle, participle)


def base(participle: str) -> str:
    """The base form of a verb, by its participle.

    >>> [base(word) for word in ("directed", "produced", "written", "planned", "studied")]
    ['direct', 'produce', 'write', 'plan', 'study']
    """
    if participle in _BASES:
        return _BASES[participle]
    if not participle.endswith("ed"):
        return participle
    stem = participle.removesuffix("ed")
    if stem.endswith("i"):
        return f"{stem[:-1]}y"
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] in "bdgmnprt":
        return stem[:-1]
    return f"{stem}e" if stem.endswith(_SILENT) else stem


def participle_of(agent: str) -> str:
    """What an agent has done: "advised" of "advisor"; empty if a noun names no agent.

    >>> participle_of("advisor"), participle_of("teacher"), participle_of("customer")
    ('advised', 'taught', '')
    """
    if agent in _DONE:
        return _DONE[agent]
    if len(agent) < 6 or not agent.endswith(("er", "or")) or agent in _NO_AGENTS:
        return ""
    return f"{agent[:-2]}ed"


def _degree(adjective: str, index: int, ending: str, word: str) -> str:
    first, space, rest = adjective.partition(" ")
    if first in _IRREGULAR:
        return f"{_IRREGULAR[first][index]}{space}{rest}"
    if not _is_short(first):
        return f"{word} {adjective}"
    if first.endswith("y"):
        first = f"{first[:-1]}i"
    elif first.endswith("e"):
        first = first[:-1]
    elif _DOUBLED.fullmatch(first):
        first += first[-1]
    return f"{first}{ending}{space}{rest}"


def _is_short(word: str) -> bool:
    """Whether an adjective takes an ending: one syllable, or two with a "y" at the end."""
    if word in _SHORT:
        return True
    if word.endswith(("ed", "ing")) or not word.isalpha():
        return False
    syllables = len(_VOWELS.findall(word.removesuffix("e")))
    return syllables <= 1 or (syllables == 2 and word.endswith("y"))
