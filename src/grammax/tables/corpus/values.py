"""Words for enum constraints: "german", "non-german", "in the dax", "rated at least BBB by fitch".

Each constraint can stand in one place or several: before the noun, as the noun, after it, or bare
in telegraphic style. What is said comes with its `shape`, the name of the rule that made it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Final, final

from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.names import Names, is_demonym
from grammax.tables.corpus.plan import Kind
from grammax.tables.english.phrases import place_name

AGENCIES: Final = {
    "MOODY": ("moody's", "moodys"), "SP_RATING": ("s&p", "standard & poor's"),
    "FITCH": ("fitch",), "DBRS": ("dbrs", "dbrs morningstar"), "RECOMMENDATION": ("analysts",),
    "SP_SHORT": ("s&p short-term",), "FLD_MOODY_OUTLOOK": ("moody's",), "FLD_SP_OUTLOOK": ("s&p",),
    "FLD_FITCH_OUTLOOK": ("fitch",),
}  # fmt: skip
GRADES: Final = ("MOODY", "SP_RATING", "FITCH", "DBRS", "RECOMMENDATION", "SP_SHORT")
_RATED: Final = {
    "EQ": ("rated {v} by {a}", "with a {r} of {v}"),
    "GE": ("rated at least {v} by {a}", "rated {v} or better by {a}", "with a {r} of at least {v}",
           "rated {v} or higher by {a}"),
    "GR": ("rated better than {v} by {a}", "rated above {v} by {a}", "with a {r} above {v}"),
    "LE": ("rated {v} or lower by {a}", "rated {v} or worse by {a}", "with a {r} of {v} or lower"),
    "LS": ("rated below {v} by {a}", "rated worse than {v} by {a}", "with a {r} below {v}"),
}  # fmt: skip
_RATED_BARE: Final = {
    "EQ": ("{r} {v}", "{r} = {v}", "rated {v} by {a}"),
    "GE": ("{r} >= {v}", "{r} at least {v}", "{r} {v} or better", "{r} {v} or higher"),
    "GR": ("{r} > {v}", "{r} better than {v}", "{r} above {v}"),
    "LE": ("{r} <= {v}", "{r} {v} or worse", "{r} at most {v}"),
    "LS": ("{r} < {v}", "{r} below {v}", "{r} worse than {v}"),
}  # fmt: skip
_AFTER: Final = {
    "FLD_DOMICILE": ("in {v}", "based in {v}", "from {v}", "domiciled in {v}",
                     "headquartered in {v}"),
    "FLD_COUNTRY_LISTING": ("listed in {v}",),
    "FLD_COUNTRY_INCORP": ("incorporated in {v}", "registered in {v}"),
    "FLD_COUNTRY_RISK": ("exposed to {v}", "with {v} as country of risk"),
    "FLD_EQS_SECTOR": ("in the {v} sector", "in the {v} industry", "from the {v} sector"),
    "FLD_INDEX": ("in the {v}", "from the {v}", "in the {v} index", "that are members of the {v}"),
    "FLD_EXCHANGE": ("traded on {v}", "listed on {v}", "traded in {v}", "trading on {v}"),
    "FLD_EXCHANGE_PRIMARY": ("mainly traded on {v}", "with {v} as primary exchange"),
    "FLD_STATE": ("based in {v}", "headquartered in {v}"),
    "FLD_CITY": ("based in {v}", "headquartered in {v}", "with headquarters in {v}"),
    "FLD_FISCAL_YEAR_END": ("with a {v} year end", "with a fiscal year ending in {v}"),
    "FLD_ACCOUNTING_STANDARD": ("reporting under {v}", "using {v}"),
}  # fmt: skip
_AFTER_NOT: Final = {
    "FLD_DOMICILE": ("outside {v}", "not in {v}", "not based in {v}", "outside of {v}",
                     "excluding {v}", "ex {v}"),
    "FLD_EQS_SECTOR": ("excluding {v}", "except {v}", "not in the {v} sector", "but no {v}",
                       "not in {v}", "ex {v}"),
    "FLD_INDEX": ("not in the {v}", "outside the {v}", "that are not in the {v}"),
    "FLD_EXCHANGE": ("not listed on {v}", "not traded on {v}"),
}  # fmt: skip
_BARE_NOT: Final = {
    "FLD_DOMICILE": ("ex {v}", "ex-{v}", "excluding {v}", "outside {v}", "not {v}"),
    "FLD_EQS_SECTOR": ("ex {v}", "no {v}", "not {v}", "excluding {v}", "ex-{v}"),
    "FLD_INDEX": ("not in {v}", "ex {v}", "not in the {v}"),
    "FLD_EXCHANGE": ("not on {v}", "ex {v}", "not listed on {v}"),
}  # fmt: skip
_SECURITIES: Final = {
    "SCT_COMMON": ("common stocks", "ordinary shares"),
    "SCT_PREFERRED": ("preferred shares", "preference shares", "preferreds"),
    "SCT_DEPOSITARY_RECEIPT": ("adrs", "gdrs", "depositary receipts"),
    "SCT_PARTNERSHIP": ("mlps", "partnership units"), "SCT_REIT": ("reit units",),
    "SCT_CLOSED_END_FUND": ("investment trusts", "closed-end funds"),
    "SCT_TRACKING_STOCK": ("tracking stocks",), "SCT_STAPLED": ("stapled securities",),
}  # fmt: skip
_AGENTS: Final = re.compile(
    r".*(?<!comput)(?<!contain)(?<!pap)(?<!own)(ers|(?<!du)[^ns]tors|lors|banks|airlines|firms|companies"
    r"|houses|utilities|\breits|telcos|telecoms|roads|ways|casinos|pharmacies|breweries|hotels"
    r"|restaurants|conglomerates|cruise lines|stores|agencies|studios|biotechs|hospitals|wineries"
    r"|semis|trusts|financials|industrials|cyclicals|staples)"
)
_WITH_THE: Final = re.compile(r".*\b(exchange|market|group|bourse)", re.I)
_PLACES_WITH_THE: Final = frozenset(
    (
        "us",
        "uk",
        "usa",
        "u.s.",
        "u.s.a.",
        "u.k.",
        "uae",
        "eurozone",
        "nordics",
        "baltics",
        "gulf",
        "gcc",
    )
)


@final
@dataclass(frozen=True, slots=True)
class Said:
    """Some words of a query, and the rule that made them."""

    text: str
    shape: str


def before_noun(kind: Kind, names: Names, random: Random) -> Said | None:
    """What stands before the noun, if the constraint can: "german", "dax", "texas-based"."""
    value = kind.values[0]
    if kind.field == "FLD_DOMICILE":
        if kind.negated:
            if len(kind.values) > 1:
                return None
            word = pick(random, names.adjectives(value), 1)
            return Said(f"non-{word}", "non-adjective") if is_demonym(word) else None
        said = [pick(random, names.adjectives(each), 1) for each in kind.values]
        return Said(joined(said), f"adjective{len(said)}")
    if kind.negated or len(kind.values) > 1 or kind.op != "EQ":
        return None
    if kind.type == "SIZE":
        return Said(pick(random, _plain(names.value(value)), 1), "size")
    if kind.type == "STYLE":
        return Said(names.value(value)[0].lower(), "style")
    if kind.type == "RECOMMENDATION":
        return Said(f"{names.value(value)[0].lower()}-rated", "recommended")
    bare = [word for word in names.value(value, bare=True) if len(word.split()) < 4]
    if not bare or kind.field == "FLD_EXCHANGE_PRIMARY":
        return None
    if kind.type == "INDEX":
        return Said(pick(random, bare, 1), "index-noun")
    endings = {"EXCHANGE": "listed", "STATE": "based", "CITY": "based"}
    short = [word for word in bare if len(word.split()) == 1]
    if kind.type in endings and short:
        return Said(f"{pick(random, short, 1)}-{endings[kind.type]}", endings[kind.type])
    return None


def as_noun(kind: Kind | None, names: Names, random: Random, companies: str) -> Said:
    """The noun of a sentence: "banks", "steel companies", "companies"."""
    if kind is None:
        return Said(companies, "companies")
    if kind.type == "SECURITY":
        return Said(pick(random, _SECURITIES[kind.values[0]], 0.5), "security")
    said = [_sector(value, names, random) for value in kind.values]
    if all(map(is_agent, said)):
        return Said(joined(said), f"agents{len(said)}")
    if len(said) > 1:
        return Said(f"{companies} in {joined(said)}", f"in-sectors{len(said)}")
    return Said(f"{said[0]} {companies}", "sector-noun")


def after_noun(kind: Kind, names: Names, random: Random) -> Said:
    """What stands after the noun: "in the dax", "outside europe", "rated BBB by fitch"."""
    if kind.type in GRADES:
        return _rated(kind, _RATED, names, random)
    if kind.type == "OUTLOOK":
        outlook = names.value(kind.values[0])[0].lower()
        article = "a" if outlook[0] != "a" else "an"
        return Said(f"with {article} {outlook} from {AGENCIES[kind.field][0]}", "outlook-after")
    if kind.type == "SIZE" or kind.type == "STYLE":
        word = pick(random, _plain(names.value(kind.values[0])), 1).lower()
        return Said(f"that are {word} stocks", "class-after")
    if kind.type == "SECURITY":
        return Said(f"that are {_SECURITIES[kind.values[0]][0]}", "security-after")
    templates = _AFTER_NOT[kind.field] if kind.negated else _AFTER[kind.field]
    template = pick(random, templates, 0.7)
    of_sector = "sector" in template or "industry" in template
    said = [_named(value, kind, names, random, agents=not of_sector) for value in kind.values]
    said = [_with_the(word, kind.type) for word in said]
    words = joined(said, " and " if template.startswith("ex") else " or ")
    if kind.field == "FLD_INDEX":
        words = joined([word.removeprefix("The ") for word in said], " or the ")
    text = template.replace("a {v}", f"an {words}" if words[0] in "ao" else "a {v}")
    text = text.replace("{v}", words)
    two = len(said) == 2 and template.startswith(("in", "traded", "listed"))
    if two and random.random() < 0.25:
        text = f"either {text}"
    return Said(text, f"{kind.field}{'-not' * kind.negated}{len(said)}:{template}")


def bare(kind: Kind, names: Names, random: Random) -> Said:
    """The constraint in telegraphic style: "steel", "not german", "fitch >= BBB"."""
    if kind.type in GRADES:
        return _rated(kind, _RATED_BARE, names, random)
    if kind.type == "OUTLOOK":
        outlook = names.value(kind.values[0])[0].lower()
        return Said(f"{AGENCIES[kind.field][0]} {outlook}", "outlook-bare")
    if kind.type in ("SIZE", "STYLE"):
        word = pick(random, _plain(names.value(kind.values[0])), 1).lower()
        return Said(f"{word} stocks" if kind.type == "STYLE" else word, "class-bare")
    if kind.type == "SECURITY":
        return Said(pick(random, _SECURITIES[kind.values[0]], 0.5), "security")
    unclear = kind.field not in _BARE_NOT or not all(names.value(v, True) for v in kind.values)
    if unclear:
        return after_noun(kind, names, random)
    if kind.field == "FLD_DOMICILE" and random.random() < 0.6:
        adjectives = [pick(random, names.adjectives(value), 1) for value in kind.values]
        alike = all(map(is_demonym, adjectives))
        word = joined(adjectives, pick(random, (" or ", "/"), 0.5) if alike else " or ")
        if not kind.negated:
            return Said(word, f"adjective-bare{len(adjectives)}")
        if alike:
            prefixes = ("not ", "non-", "non ") if len(adjectives) == 1 else ("not ",)
            return Said(f"{pick(random, prefixes, 0.6)}{word}", f"not-adjective{len(adjectives)}")
    said = [_named(value, kind, names, random) for value in kind.values]
    if not kind.negated:
        words = joined(said, pick(random, (" or ", "/"), 0.6))
        return Said(words, f"{kind.type}-bare{len(said)}")
    template = pick(random, _BARE_NOT[kind.field], 0.5)
    words = joined(said, " and " if template.startswith("ex") else " or ")
    return Said(template.replace("{v}", words), f"{kind.type}-bare-not:{template}")


def joined(said: list[str], word: str = " or ") -> str:
    """Alternatives: "german, french or italian"."""
    if len(said) == 1 or word == "/":
        return word.join(said)
    return word.join([", ".join(said[:-1]), said[-1]])


def is_agent(word: str) -> bool:
    """Whether a word for a sector is one for its companies.

    >>> is_agent("banks"), is_agent("steel"), is_agent("semiconductors"), is_agent("carmakers")
    (True, False, False, True)
    """
    return bool(_AGENTS.fullmatch(word.lower()))


def _rated(kind: Kind, templates: dict[str, tuple[str, ...]], names: Names, random: Random) -> Said:
    """Analysts' recommendations and agencies' ratings."""
    agency = pick(random, AGENCIES[kind.type], 1)
    rating = "analyst rating" if kind.type == "RECOMMENDATION" else f"{agency} rating"
    grade = names.value(kind.values[0])[0]
    grade = grade.lower() if kind.type == "RECOMMENDATION" else grade
    short = kind.type == "SP_SHORT"  # its grades could be long-term ones, but for the noun
    template = pick(random, [t for t in templates[kind.op] if not short or "{r}" in t], 0.4)
    article = "an" if rating[0] in "as" and rating[:2] != "st" else "a"
    text = template.replace("a {r}", f"{article} {{r}}").replace("{a}", agency)
    if kind.type in ("MOODY", "FITCH", "DBRS") and template.startswith("{r}"):
        rating = pick(random, (agency, rating), 0.6)
    return Said(text.replace("{r}", rating).replace("{v}", grade), f"rating:{template}")


def _named(value: str, kind: Kind, names: Names, random: Random, agents: bool = True) -> str:
    if kind.type == "COUNTRY":
        return pick(random, names.places(value), 1.2)
    if kind.type == "SECTOR":
        return _sector(value, names, random, agents)
    if kind.type == "FISCAL_END":
        return value.removeprefix("FYE_").lower()
    wordings = names.value(value, bare=True) or names.value(value)
    if kind.type in ("STATE", "CITY"):
        return wordings[0]
    usable = [w for w in wordings if not w.endswith((" listed", " members"))]
    if kind.type in ("INDEX", "EXCHANGE"):
        usable = usable[:4]
    return pick(random, usable or wordings, 0.9)


def _sector(value: str, names: Names, random: Random, agents: bool = True) -> str:
    """Mostly the short words, and in lower case; without `agents` none that means companies."""
    words = [word.lower() for word in names.value(value, bare=True)]
    words = [word for word in words if agents or not is_agent(word)] or words
    words = [re.sub(r" (companies|firms|stocks)$", "", word) for word in words]
    return pick(random, [w.upper() if w in ("it", "reit") else w for w in words], 1)


def _plain(wordings: tuple[str, ...]) -> list[str]:
    """Without those that are nouns for companies or end in an s."""
    plain = [w.lower() for w in wordings if not re.search(r"(s|companies|chip|style)$", w)]
    return plain or [wordings[0].lower()]


def _with_the(word: str, type_: str) -> str:
    if word.lower().startswith("the "):
        return word
    if type_ == "COUNTRY":
        if word.lower() in _PLACES_WITH_THE:
            return f"the {word}"
        return place_name(word) if word != word.lower() else place_name(word.title()).lower()
    if type_ == "EXCHANGE" and _WITH_THE.match(word):
        return f"the {word}"
    return word
