"""`Templates`: phrases for the values of a type, by field, and lists of values.

Alternatives are "a or b", "a and b", "a/b" or "a, b"; excluded values are "excluding a, b and c",
"no a, no b", "anything but a". A template holds "{v}" where the values stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.lexicaliser import Lexicaliser
from grammax.tables.corpus.plan import EnumConstraint

ByField = Mapping[str, tuple[str, ...]]
Naming = Callable[[str], str]

EXCLUDING: Final = (
    "excluding {v}", "except {v}", "but not {v}", "without {v}", "not {v}", "other than {v}",
    "no {v}", "ex {v}", "but no {v}", "apart from {v}", "exclude {v}", "excl. {v}", "minus {v}",
    "anything but {v}", "leaving out {v}", "except for {v}", "besides {v}", "excl {v}",
)  # fmt: skip
"""What excludes values that identify their field."""

_REPEATED: Final = ("no {v}", "not {v}", "ex {v}")
_PARTICIPLE: Final = re.compile(r"(\w+ed) in \{v\}")
_BEFORE_NOUN: Final = ("{v}-{p}", "{v} {p}")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Templates by field, for constraints after the noun and bare ones.

    A field without `bare_excluded` never occurs bare, because its values do not identify it.
    """

    after: ByField
    excluded: ByField = field(default_factory=dict)
    bare_excluded: ByField = field(default_factory=dict)
    either: tuple[str, ...] = ("in",)  # beginnings of templates that may follow "either"
    naming: Naming = str  # the form of a value's name in templates: "the {name}"
    or_: str = " or "

    def after_noun(
        self,
        enum: EnumConstraint,
        words: Lexicaliser,
        dice: Dice,
        name: Callable[[str, str], str],
    ) -> str:
        """The constraint after the noun; `name` gives the name of a value in a template."""
        if enum.negated and enum.field in self.bare_excluded and dice.chance(0.4):
            names = [name(value, "excluding {v}") for value in enum.values]
            return excluding(names, EXCLUDING, dice)
        templates = (self.excluded if enum.negated else self.after)[enum.field]
        template = dice.rule("value", templates, 0.7)
        names = [self.naming(name(value, template)) for value in enum.values]
        text = self._listed(names, template, enum, words, dice)
        article = words.rules.fields.article(text)
        phrase = template.replace("a {v}", f"{article} {{v}}").replace("{v}", text)
        if len(names) == 2 and " or " in text and template.startswith(self.either):
            return f"either {phrase}" if dice.chance(0.15) else phrase
        return phrase

    def bare(
        self, enum: EnumConstraint, words: Lexicaliser, dice: Dice, names: Sequence[str]
    ) -> str:
        """The constraint in telegraphic style."""
        if not enum.negated:
            return either(enum, names, words, dice, bare=True)
        own = dict.fromkeys((*self.bare_excluded[enum.field], *EXCLUDING))
        return excluding(names, tuple(own), dice)

    def participle(self, enum: EnumConstraint, dice: Dice) -> str | None:
        """A template before the noun that one after it implies: "{v}-based" of "based in {v}"."""
        found = [match[1] for t in self.after[enum.field] if (match := _PARTICIPLE.fullmatch(t))]
        if not found:
            return None
        form = dice.rule("participle", _BEFORE_NOUN, 0.3)
        return form.replace("{p}", pick(dice, found, 0.6))

    def can_be_bare(self, enum: EnumConstraint, words: Lexicaliser) -> bool:
        """Whether the values alone identify the field."""
        return enum.field in self.bare_excluded and all(words.value(v, True) for v in enum.values)

    def _listed(
        self,
        names: Sequence[str],
        template: str,
        enum: EnumConstraint,
        words: Lexicaliser,
        dice: Dice,
    ) -> str:
        if enum.negated:
            return joined(names, " and " if template.startswith("ex") else self.or_)
        if self.or_ != " or ":
            return joined(names, self.or_)
        return either(enum, names, words, dice)


def either(
    enum: EnumConstraint, names: Sequence[str], words: Lexicaliser, dice: Dice, bare: bool = False
) -> str:
    """Alternatives; "and" only where no row has several values of the field."""
    if len(names) == 1:
        return names[0]
    forms = [" or ", " or ", "/"] if bare else [" or ", " or "]
    if enum.field not in words.catalogue.schema.many:
        forms += [" and ", ", ", " & "] if bare else [" and "]
    return joined(names, dice.rule("either", forms))


def excluding(names: Sequence[str], templates: Sequence[str], dice: Dice) -> str:
    """Excluded values: one phrase for all, or "no" before each."""
    if len(names) > 1 and dice.chance(0.3):
        form = dice.rule("no, no", _REPEATED, 0.8)
        if len(names) == 2 and dice.chance(0.15, "no, no/neither"):
            return f"neither {names[0]} nor {names[1]}"
        comma = pick(dice, (", ", " ", ", and "), 0.7)
        return comma.join(form.replace("{v}", name) for name in names)
    template = dice.rule("excluding", templates, 0.7)
    forms = (" and ", ", ", " or ", " & ") if template.startswith(("ex", "apart")) else (" or ",)
    return template.replace("{v}", joined(names, pick(dice, forms, 0.5)))


def joined(words: Sequence[str], word: str = " or ") -> str:
    """Alternatives: "german, french or italian"."""
    if len(words) == 1 or word in ("/", ", "):
        return word.join(words)
    return word.join([", ".join(words[:-1]), words[-1]])
