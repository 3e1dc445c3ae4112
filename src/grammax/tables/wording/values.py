"""Words around the named values of a column: "from {v}", "directed by {v}", "called {v}".

In a template "{v}" is the value and "{f}" the noun of the column.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grammax.tables.inspect.concepts import Concept
from grammax.tables.wording.inflection import base, past

Templates = tuple[str, ...]

NAMING: Final = (
    "whose {f} is {v}", "with {f} {v}", "with {v} as {f}", "where the {f} is {v}",
    "that have {v} as their {f}", "where {f} = {v}", "having {f} {v}", "with the {f} {v}",
    "whose {f} equals {v}", "for {f} {v}",
)  # fmt: skip
"""After the noun of the rows, for every class."""
KEYWORDS: Final = ("{f} {v}", "{f} = {v}", "{f}: {v}", "{f} is {v}", "{v} {f}")
"""Keywords alone."""
EXCLUDED: Final = (
    "whose {f} is not {v}", "with {f} not {v}", "where the {f} is not {v}",
    "with {a}{f} other than {v}", "that do not have {v} as {f}", "without {f} {v}",
    "whose {f} is anything but {v}", "where {f} is not {v}", "whose {f} is anything other than {v}",
    "whose {f} isn't {v}", "where the {f} is different from {v}", "where {f} != {v}",
)  # fmt: skip
"""After the noun of the rows, of rows that do not have a value."""

_CLASSES: Final[Mapping[str, Templates]] = {
    "PLACE": ("in {v}", "from {v}", "located in {v}", "based in {v}", "of {v}", "at {v}"),
    "PERSON": ("by {v}", "of {v}"),
    "ORGANISATION": ("by {v}", "of {v}", "from {v}"),
    "CATEGORY": ("that are {v}", "of {f} {v}", "which are {v}"),
    "NAME": ("called {v}", "named {v}", "with the name {v}"),
    "CODE": ("with {f} {v}", "with the {f} {v}", "{f} {v}"),
}
_EXCLUDING: Final[Mapping[str, Templates]] = {
    "PLACE": ("not in {v}", "not from {v}", "outside {v}", "outside of {v}"),
    "PERSON": ("not by {v}",),
    "ORGANISATION": ("not by {v}",),
    "CATEGORY": ("that are not {v}", "other than {v}", "except {v}", "excluding {v}"),
    "NAME": ("not called {v}", "except {v}", "other than {v}"),
}
"""Of rows that do not have a value, by class."""


_CONCEPTS: Final[Mapping[str, Templates]] = {
    "major": ("majoring in {v}", "studying {v}", "who study {v}", "with a major in {v}"),
    "degree": ("with a degree in {v}", "with a {v} degree"),
    "cuisine": ("serving {v} food", "that serve {v}", "with {v} food", "serving {v}"),
    "language": ("in {v}", "speaking {v}", "that speak {v}"),
    "department": ("in the {v} department", "working in {v}", "in {v}"),
    "industry": ("in the {v} industry", "in {v}"), "sector": ("in the {v} sector", "in {v}"),
    "genre": ("in the {v} genre", "of the genre {v}"), "color": ("in {v}", "coloured {v}"),
    "fuel": ("running on {v}", "using {v}", "that run on {v}"), "status": ("with status {v}",),
    "team": ("on the {v}", "who play for {v}", "of {v}"),
    "weekday": ("on {v}",), "month": ("in {v}",), "season": ("in {v}",),
    "category": ("in the category {v}", "in the {v} category"), "type": ("of type {v}",),
    "payment method": ("paid with {v}", "paid by {v}", "that paid with {v}"),
    "ingredients": ("made with {v}", "containing {v}", "that contain {v}"),
    "diagnosis": ("with {v}", "suffering from {v}"), "disease": ("with {v}",),
    "condition": ("in {v} condition",), "religion": ("who are {v}",),
}  # fmt: skip


def templates_of(
    semantic: str, verb: str, alone: bool, concept: Concept | None = None
) -> Templates:
    """How a value follows the noun of the rows.

    `verb` is that of the column, "directed by {}", which may have another than its concept. What a
    class says is ambiguous unless the column is `alone`, the only one or the first of its class.
    """
    verbs = [verb] if verb else []
    verbs += () if concept is None else concept.verbs[1:]
    known = () if concept is None else _CONCEPTS.get(concept.name, ())
    own = (*(said.replace("{}", "{v}") for said in verbs), *known, *_active(verb))
    usual = _CLASSES.get(semantic, ()) if alone else ()
    if own and semantic != "PLACE":
        usual = ()  # "by {v}" of a director, not "of {v}"
    return tuple(dict.fromkeys((*own, *usual)))


def _active(verb: str) -> Templates:
    """What the value did: "that {v} directed" of "directed by {}"."""
    participle, _, rest = verb.partition(" ")
    if rest != "by {}" or not participle:
        return ()
    did = past(participle)
    return (f"that were {participle} by {{v}}", f"that {{v}} {did}", f"{{v}} {did}",
            f"{{v}} has {participle}", f"which {{v}} {did}")  # fmt: skip


def asked_of(verb: str, concept: str) -> Templates:
    """Questions for the rows of a value, "{n}": "which {n} did {v} direct"."""
    if concept == "actor":
        return ("which {n} is {v} in", "what {n} has {v} been in", "what {n} are {v} in",
                "what {n} did {v} star in", "what {n} stars {v}", "which {n} star {v}",
                "what {n} has {v} starred in", "what {n} was {v} in", "{v} starred in what {n}",
                "in which {n} did {v} act", "did {v} star in any {n}",
                "list all {v} {n}")  # fmt: skip
    participle, _, rest = verb.partition(" ")
    if rest != "by {}" or not participle:
        return ()
    do, did = base(participle), past(participle)
    return (
        f"which {{n}} did {{v}} {do}", f"what {{n}} did {{v}} {do}", f"did {{v}} {do} any {{n}}",
        f"what {{n}} has {{v}} {participle}", f"list all {{v}} {participle} {{n}}",
        f"what {{n}} were {participle} by {{v}}", f"{{v}} {did} which {{n}}",
        f"which {{n}} have been {participle} by {{v}}", f"all {{n}} {{v}} has {participle}",
    )  # fmt: skip


def excluding_of(semantic: str, verb: str, alone: bool) -> Templates:
    """The same for rows that do not have the value."""
    own = (f"not {verb.replace('{}', '{v}')}",) if verb else ()
    return tuple(dict.fromkeys((*own, *(_EXCLUDING.get(semantic, ()) if alone else ()))))


YES: Final = frozenset(("yes", "true", "y", "t", "1", "on", "1.0", "wahr", "oui", "si"))
NO: Final = frozenset(("no", "false", "n", "f", "0", "off", "0.0", "falsch", "non"))
"""Names of the two values of a boolean column, in lower case."""

ALLOWING: Final = ("that allow {f}", "where {f} are allowed", "with {f} allowed", "allowing {f}",
                   "{f} friendly", "{f}-friendly")  # fmt: skip
FORBIDDING: Final = ("that do not allow {f}", "where {f} are not allowed", "without {f} allowed",
                     "that don't allow {f}")  # fmt: skip
HAVING: Final = ("with {f}", "that have {f}", "having {f}", "{f}", "which have {f}", "offering {f}")
LACKING: Final = ("without {f}", "with no {f}", "that have no {f}", "not {f}", "no {f}",
                  "that do not have {f}")  # fmt: skip
BEING: Final = ("that are {f}", "which are {f}", "{f}", "currently {f}")
NOT_BEING: Final = ("that are not {f}", "which are not {f}", "not {f}", "that aren't {f}")
