"""`Speech`: what people say of one column, from its class, its name and its type.

>>> from grammax.tables.schema import Entity, NumberType, Schema
>>> years = NumberType("AGE", semantic="AGE")
>>> schema = Schema("students", Entity("student", "students"), numbers=(years,))
>>> speech = speech_of(Field("FLD_AGE", "AGE", "Age"), schema)
>>> speech.idioms.least, speech.asked[0]
(('youngest',), 'how old is {e}')
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.entries import Field
from grammax.tables.idioms import Idioms
from grammax.tables.inspect.concepts import Concept, find, general
from grammax.tables.inspect.words import is_plural, words_of
from grammax.tables.schema import EnumType, NumberType, Schema
from grammax.tables.semantics import ENUMERATED, NUMBERS, SemanticClass
from grammax.tables.wording.inflection import participle_of, past
from grammax.tables.wording.numbers import idioms_of
from grammax.tables.wording.values import asked_of, excluding_of, templates_of

DID: Final = {
    "started": "start", "ended": "end", "died": "die", "joined": "join", "opened": "open",
    "closed": "close", "expires": "expire", "left": "leave", "retired": "retire",
    "landed": "land", "happened": "happen", "graduated": "graduate", "enrolled": "enroll",
    "premiered": "premiere", "married": "marry", "debuted": "debut",
}  # fmt: skip
"""Verbs of which rows are the subject: "students who joined in 2020", "when did X join"."""
_DONE: Final = frozenset(
    ("built", "born", "made", "sold", "sent", "written", "sung", "held", "shot", "set", "found",
     "grown", "taken", "flown", "driven", "won", "led", "run", "fought", "kept", "lost", "bought",
     "taught", "drawn", "given", "spoken", "ridden", "bred", "lent", "heard", "let", "paid", "sown",
     "put", "picked", "read", "seen")
)  # fmt: skip
"""Participles without a regular ending."""
_SUBJECTS: Final = frozenset(("starring", "playing", "working", "diagnosed"))
"""What rows do themselves, or is done to them without an agent."""
_PRICES: Final = frozenset(("price", "cost", "fee", "fare", "rent"))
_BY_UNIT: Final = frozenset(("second", "minute", "hour", "day", "week", "month"))
_ADJECTIVES: Final = ("ed", "able", "ible", "ful", "ive", "ous", "free", "friendly", "included")


@final
@dataclass(frozen=True, slots=True)
class Speech:
    """What is said of a column. In patterns "{e}" is a row or its name, "{f}" the column's noun.

    `participle` says what was done to the rows: "directed", "released". `asked` are questions for
    the value of one row. `templates`, `excluding` and `rows_asked` are those of `wording.values`.
    """

    field: Field
    semantic: str  # a `SemanticClass`, in capitals
    concept: Concept | None
    idioms: Idioms
    participle: str
    asked: tuple[str, ...]
    templates: tuple[str, ...] = ()
    excluding: tuple[str, ...] = ()
    rows_asked: tuple[str, ...] = ()
    is_adjective: bool = False  # of booleans: "married", not "parking"

    @property
    def synonyms(self) -> tuple[str, ...]:
        """Other nouns for what the column is about."""
        return () if self.concept is None else (self.concept.name, *self.concept.nouns)


def semantic_of(field: Field, schema: Schema) -> str:
    """The class of a field: that of its type or, if it has none, one that follows from the type."""
    for enum in schema.enums:
        if enum.name == field.type:
            return enum.semantic.upper() or _usual_enum(enum)
    for text in schema.texts:
        if text.name == field.type:
            return text.semantic.upper() or "TEXT"
    number = schema.number(field.type)
    return number.semantic.upper() or _usual_number(number)


def label_of(catalogue: Catalogue) -> str | None:
    """The field that names a row, if there is one."""
    schema = catalogue.schema
    found = (t for t, f in catalogue.fields.items() if semantic_of(f, schema) == "NAME")
    return next(found, None)


def _usual_enum(enum: EnumType) -> str:
    if enum.place:
        return "PLACE"
    return "NAME" if enum.open else "CATEGORY"


def _usual_number(number: NumberType) -> str:
    unit = (number.unit or number.name).lower().removesuffix("s")
    if number.dates:
        return "DATE"
    if unit == "year":
        return "YEAR"
    if unit in _BY_UNIT:
        return "DURATION"
    if number.units:
        return "MONEY"
    return "PERCENT" if number.percentages else "NUMBER"


def speech_of(field: Field, schema: Schema, alone: bool = True) -> Speech:
    """What is said of a field; `alone` if it is the only one or the first one of its class."""
    semantic = semantic_of(field, schema)
    concept = concept_of(field.name, semantic)
    verb = concept.verb if concept else ""
    phrase = schema.phrases.get(field.token)
    verb = phrase.template if phrase else verb
    words = words_of(field.name)
    if not verb and semantic in ("PERSON", "ORGANISATION") and words:
        done = participle_of(words[-1])
        verb = f"{done} by {{}}" if done else ""
    participle = _participle(verb)
    if semantic in ("PERSON", "ORGANISATION") and not verb.endswith(f"{participle} by {{}}"):
        participle = participle if participle in _SUBJECTS else ""
    return Speech(
        field,
        semantic,
        concept,
        idioms_of(semantic, concept),
        participle,
        (*(concept.asked if concept else ()), *_asked(semantic, concept, participle, words, alone)),
        templates_of(semantic, verb, alone, concept),
        excluding_of(semantic, verb, alone),
        asked_of(verb, concept.name if concept else ""),
        semantic == "BOOLEAN" and bool(words) and _is_adjective(words),
    )


@lru_cache(maxsize=4096)
def concept_of(name: str, semantic: str) -> Concept | None:
    """The concept that the name of a column is about."""
    try:
        permitted = {SemanticClass(semantic.lower())}
    except ValueError:
        permitted = set(NUMBERS | ENUMERATED)
    if SemanticClass.DURATION in permitted:
        permitted.add(SemanticClass.PHYSICAL)  # the length of a film
    found = find(words_of(name), permitted)
    return found.concept if found else None


def _participle(verb: str) -> str:
    """ "directed" of "directed by {}"; empty where there is none, as in "with {} on guitar"."""
    first, _, rest = verb.removeprefix("that ").partition(" ")
    known = first in DID or first in _DONE or first.endswith(("ed", "ing"))
    return first if rest and known else ""


def _is_adjective(words: tuple[str, ...]) -> bool:
    if words[0] == "is":
        return True
    return len(words) == 1 and words[0].endswith(_ADJECTIVES)


def _asked(
    semantic: str,
    concept: Concept | None,
    participle: str,
    words: tuple[str, ...],
    alone: bool,
) -> tuple[str, ...]:
    name = concept.name if concept else ""
    more = concept.more if concept else ""
    if semantic == "AGE":
        return ("how old is {e}", "what age is {e}")
    if semantic in ("DATE", "YEAR"):
        return _when(participle, semantic, alone)
    if semantic == "MONEY":
        wider = general(concept) if concept else None
        name = name if wider is None else wider.name
        if name in _PRICES:
            return ("how much does {e} cost", "how much is {e}", "what does {e} cost")
        if name in ("salary", "income"):
            return ("how much does {e} earn", "what does {e} earn", "how much does {e} make")
        return ("how much {f} does {e} have", "how much {f} did {e} make")
    if semantic == "DURATION" and more in ("", "long"):
        return ("how long is {e}", "how long does {e} take", "how long does {e} last")
    if semantic == "COUNT":
        many = bool(words) and is_plural(words[-1])
        return ("how many {f} does {e} have",) if many else ()
    if semantic == "PHYSICAL" and more:
        heavy = ("how much does {e} weigh",) if name == "weight" else ()
        return (*heavy, f"how {more} is {{e}}")
    if semantic == "RATING":
        return ("how good is {e}", "how is {e} rated") if alone and more == "good" else ()
    if semantic in ("PERSON", "ORGANISATION"):
        return _who(participle, semantic)
    if semantic == "PLACE":
        return _where(participle, name, alone)
    if semantic == "BOOLEAN" and words:
        return ("is {e} {f}",) if _is_adjective(words) else ("does {e} have {f}",)
    return ("what {f} is {e}",) if semantic == "CATEGORY" else ()


def _when(participle: str, semantic: str, alone: bool) -> tuple[str, ...]:
    if participle in DID:
        base = DID[participle]
        return (f"when did {{e}} {base}", f"when does {{e}} {base}")
    if participle:
        asked = (f"when was {{e}} {participle}", f"what year was {{e}} {participle}",
                 f"on what date was {{e}} {participle}")  # fmt: skip
        return asked if semantic == "DATE" else asked[:2]
    return ("when was {e}", "when is {e}", "what year is {e} from") if alone else ()


def _who(participle: str, semantic: str) -> tuple[str, ...]:
    if not participle:
        who = ("who is the {f} of {e}", "who is {e}'s {f}")
        return who if semantic == "PERSON" else ("which {f} is {e} from",)
    if participle in _SUBJECTS:
        return ("who is in {e}", "who stars in {e}") if participle == "starring" else ()
    asked = (f"who {past(participle)} {{e}}", f"who was {{e}} {participle} by")
    which = (f"which {{f}} {past(participle)} {{e}}",)
    return (*asked, *which)


def _where(participle: str, name: str, alone: bool) -> tuple[str, ...]:
    if participle and not participle.endswith("ing"):
        return (f"where was {{e}} {participle}", f"in which {{f}} was {{e}} {participle}")
    if name in ("destination", "origin") or not alone:
        return ()
    return ("where is {e}", "where is {e} located", "where is {e} from", "in which {f} is {e}",
            "what {f} is {e} in", "which {f} is {e} in")  # fmt: skip
