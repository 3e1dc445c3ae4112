"""The wording of the equity corpus, as a `CorpusStyle`.

The values of each type have a realiser; wordings that people do not type (codes, official names)
are excluded; weights are the frequencies of types and fields.
"""

# ruff: noqa: ARG002  (all realisers have one signature)

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Final, final

from grammax.domains.eqs.idioms import CLASSES, IDIOMS, THRESHOLDS
from grammax.tables.catalogue.entries import Field
from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.lexicaliser import FieldWords, Lexicaliser, ValueWords, WordRules
from grammax.tables.corpus.numbers import (
    Counts,
    NumberStyle,
    Percentages,
    Prices,
    Ratios,
    Sums,
    UnitWords,
)
from grammax.tables.corpus.plan import EnumConstraint
from grammax.tables.corpus.realise import Category, Name, Place, Realiser, Scale, Templates
from grammax.tables.corpus.style import CorpusStyle, Drawing, Frames
from grammax.tables.english.phrases import place_name

_AGENTS: Final = re.compile(
    r".*(?<!comput)(?<!contain)(?<!pap)(?<!own)(ers|(?<!du)[^ns]tors|lors|banks|airlines|firms|companies"
    r"|houses|utilities|\breits|telcos|telecoms|roads|ways|casinos|pharmacies|breweries|hotels"
    r"|restaurants|conglomerates|cruise lines|stores|agencies|studios|biotechs|hospitals|wineries"
    r"|semis|trusts|financials|industrials|cyclicals|staples)"
)
"""Words for a sector that are words for its companies: "banks", "carmakers", not "steel"."""

_SECURITIES: Final = {
    "SCT_COMMON": ("common stocks", "ordinary shares"),
    "SCT_PREFERRED": ("preferred shares", "preference shares", "preferreds"),
    "SCT_DEPOSITARY_RECEIPT": ("adrs", "gdrs", "depositary receipts"),
    "SCT_PARTNERSHIP": ("mlps", "partnership units"), "SCT_REIT": ("reit units",),
    "SCT_CLOSED_END_FUND": ("investment trusts", "closed-end funds"),
    "SCT_TRACKING_STOCK": ("tracking stocks",), "SCT_STAPLED": ("stapled securities",),
}  # fmt: skip
_OUTLOOKS: Final = {
    "FLD_MOODY_OUTLOOK": "moody's", "FLD_SP_OUTLOOK": "s&p", "FLD_FITCH_OUTLOOK": "fitch",
}  # fmt: skip
_NOUN_OR_PLURAL: Final = re.compile(r"(s|companies|chip|style)$")
_EXCHANGE_WITH_THE: Final = re.compile(r".*\b(exchange|market|group|bourse)", re.I)
_PLACES_WITH_THE: Final = frozenset(
    ("us", "uk", "usa", "u.s.", "u.s.a.", "u.k.", "uae", "eurozone", "nordics", "baltics", "gulf",
     "gcc")
)  # fmt: skip


@final
@dataclass(frozen=True, slots=True, eq=False)
class ClassOfStocks(Realiser):
    """Sizes and styles: "large-cap", "value stocks"."""

    bare_template: str = "{v}"
    names_first: bool = False  # whether only the name, not an alias, stands before the noun

    def before(self, enum: EnumConstraint, words: Lexicaliser, random: Random) -> str | None:
        """The class as an adjective."""
        if not enum.is_simple:
            return None
        if self.names_first:
            return words.value(enum.values[0])[0].lower()
        return self._adjective(enum, words, random)

    def after(self, enum: EnumConstraint, words: Lexicaliser, random: Random) -> str:
        """ "that are large-cap stocks" """
        return f"that are {self._adjective(enum, words, random)} stocks"

    def bare(self, enum: EnumConstraint, words: Lexicaliser, random: Random) -> str:
        """The class alone, or with its noun."""
        return self.bare_template.replace("{v}", self._adjective(enum, words, random))

    def _adjective(self, enum: EnumConstraint, words: Lexicaliser, random: Random) -> str:
        """A wording that is not a noun, if there is one."""
        names = words.value(enum.values[0])
        adjectives = [name.lower() for name in names if not _NOUN_OR_PLURAL.search(name)]
        return pick(random, adjectives or [names[0].lower()], 1)


@final
@dataclass(frozen=True, slots=True, eq=False)
class TypeOfSecurity(Realiser):
    """Types of security, which are the noun: "preferred shares"."""

    def noun(self, enum: EnumConstraint, words: Lexicaliser, random: Random, entities: str) -> str:
        """The securities."""
        return self.bare(enum, words, random)

    def after(self, enum: EnumConstraint, words: Lexicaliser, random: Random) -> str:
        """ "that are preferred shares" """
        return f"that are {_SECURITIES[enum.values[0]][0]}"

    def bare(self, enum: EnumConstraint, words: Lexicaliser, random: Random) -> str:
        """The securities."""
        return pick(random, _SECURITIES[enum.values[0]], 0.5)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Outlook(Realiser):
    """Outlooks of agencies: "with a stable outlook from fitch"."""

    def after(self, enum: EnumConstraint, words: Lexicaliser, random: Random) -> str:
        """The outlook and the agency."""
        outlook = self._name(enum, words)
        article = words.rules.fields.article(outlook)
        return f"with {article} {outlook} from {_OUTLOOKS[enum.field]}"

    def bare(self, enum: EnumConstraint, words: Lexicaliser, random: Random) -> str:
        """The agency and the outlook."""
        return f"{_OUTLOOKS[enum.field]} {self._name(enum, words)}"

    def _name(self, enum: EnumConstraint, words: Lexicaliser) -> str:
        return words.value(enum.values[0])[0].lower()


def _place(word: str) -> str:
    """A place after "in": "the us"."""
    if word.lower().startswith("the "):
        return word
    if word.lower() in _PLACES_WITH_THE:
        return f"the {word}"
    return place_name(word) if word != word.lower() else place_name(word.title()).lower()


def _exchange(word: str) -> str:
    """An exchange after "on": "the tokyo stock exchange"."""
    has_article = word.lower().startswith("the ")
    return f"the {word}" if not has_article and _EXCHANGE_WITH_THE.match(word) else word


_COUNTRY: Final = Templates(
    after={
        "FLD_DOMICILE": ("in {v}", "based in {v}", "from {v}", "domiciled in {v}",
                         "headquartered in {v}"),
        "FLD_COUNTRY_LISTING": ("listed in {v}",),
        "FLD_COUNTRY_INCORP": ("incorporated in {v}", "registered in {v}"),
        "FLD_COUNTRY_RISK": ("exposed to {v}", "with {v} as country of risk"),
    },
    excluded={
        "FLD_DOMICILE": ("outside {v}", "not in {v}", "not based in {v}", "outside of {v}",
                         "excluding {v}", "ex {v}"),
    },
    bare_excluded={
        "FLD_DOMICILE": ("ex {v}", "ex-{v}", "excluding {v}", "outside {v}", "not {v}"),
    },
    either=("in", "listed"),
    naming=_place,
)  # fmt: skip
_SECTOR: Final = Templates(
    after={"FLD_EQS_SECTOR": ("in the {v} sector", "in the {v} industry", "from the {v} sector")},
    excluded={
        "FLD_EQS_SECTOR": ("excluding {v}", "except {v}", "not in the {v} sector", "but no {v}",
                           "not in {v}", "ex {v}"),
    },
    bare_excluded={"FLD_EQS_SECTOR": ("ex {v}", "no {v}", "not {v}", "excluding {v}", "ex-{v}")},
)  # fmt: skip
_INDEX: Final = Templates(
    after={
        "FLD_INDEX": ("in the {v}", "from the {v}", "in the {v} index",
                      "that are members of the {v}"),
    },
    excluded={"FLD_INDEX": ("not in the {v}", "outside the {v}", "that are not in the {v}")},
    bare_excluded={"FLD_INDEX": ("not in {v}", "ex {v}", "not in the {v}")},
    naming=lambda word: word.removeprefix("The "),
    or_=" or the ",
)  # fmt: skip
_EXCHANGE: Final = Templates(
    after={
        "FLD_EXCHANGE": ("traded on {v}", "listed on {v}", "traded in {v}", "trading on {v}"),
        "FLD_EXCHANGE_PRIMARY": ("mainly traded on {v}", "with {v} as primary exchange"),
    },
    excluded={"FLD_EXCHANGE": ("not listed on {v}", "not traded on {v}")},
    bare_excluded={"FLD_EXCHANGE": ("not on {v}", "ex {v}", "not listed on {v}")},
    either=("traded", "listed"),
    naming=_exchange,
)
_BASED: Final = ("based in {v}", "headquartered in {v}")
_REALISERS: Final[dict[str, Realiser]] = {
    "COUNTRY": Place(_COUNTRY, frozenset({"FLD_DOMICILE"})),
    "SECTOR": Category(
        _SECTOR, _AGENTS, re.compile(r" (companies|firms|stocks)$"), frozenset({"it", "reit"})
    ),
    "INDEX": Name(_INDEX, "{v}", 3, wordings=4, dropped_endings=(" listed", " members")),
    "EXCHANGE": Name(
        _EXCHANGE,
        "{v}-listed",
        never_before=frozenset({"FLD_EXCHANGE_PRIMARY"}),
        wordings=4,
        dropped_endings=(" listed", " members"),
    ),
    "ISSUER": Name(Templates({"FLD_ISSUER": ("named {v}",)})),
    "MOODY": Scale(("moody's", "moodys"), rater_is_rating=True),
    "SP_RATING": Scale(("s&p", "standard & poor's")),
    "FITCH": Scale(("fitch",), rater_is_rating=True),
    "DBRS": Scale(("dbrs", "dbrs morningstar"), rater_is_rating=True),
    "SP_SHORT": Scale(("s&p short-term",), needs_rating=True),  # its grades are long-term ones too
    "RECOMMENDATION": Scale(("analysts",), "analyst rating", "{v}-rated", in_lower=True),
    "OUTLOOK": Outlook(),
    "SIZE": ClassOfStocks(),
    "STYLE": ClassOfStocks("{v} stocks", names_first=True),
    "SECURITY": TypeOfSecurity(),
    "STATE": Name(Templates({"FLD_STATE": _BASED}), "{v}-based", wordings=1),
    "CITY": Name(
        Templates({"FLD_CITY": (*_BASED, "with headquarters in {v}")}), "{v}-based", wordings=1
    ),
    "FISCAL_END": Name(
        Templates(
            {"FLD_FISCAL_YEAR_END": ("with a {v} year end", "with a fiscal year ending in {v}")}
        ),
        as_token=True,
    ),
    "ACCOUNTING": Name(
        Templates({"FLD_ACCOUNTING_STANDARD": ("reporting under {v}", "using {v}")}),
        dropped_endings=(" listed", " members"),
    ),
}

_NOT_WORDS: Final = (
    r"(?i:gics \d+|[a-z]{4}\d+[a-z]*|x[a-z]{3}|\w{12,}\d+\w*"
    r"|.*(\((group|industry|sub-industry|sector)\)|(sector|industry)))"
)  # codes, and levels of the classification
_FORMAL: Final = (
    r".*(republic|kingdom|sultanate|principality|federa|confederation|state of|states of america"
    r"|sar\b|[a-z] state$"
    r"|association|, inc|\bltd|s\.p\.a|\ba/s|\bab$|\bllc|\bhf\.|\bag$| inc\.$|great britain and).*"
)
_VALUES: Final = {
    "COUNTRY": ValueWords(
        re.compile(rf"{_NOT_WORDS}|.*,.*|.*(lander|bourger|steiner)|kiwi|n?i-.*"
                   r"|(grand|common|union).* of .*"),
        re.compile(rf"{_FORMAL}|.*\b(ex|excluding|without)\b.*|.*-ex-.*|.*region"),
        min_length=4,
        short=frozenset(
            ("us", "uk", "usa", "uae", "hk", "em", "dm", "gcc", "cis", "cee", "emu", "g7", "g10",
             "g20")
        ),
        has_singular=False,
    ),
    "SECTOR": ValueWords(
        re.compile(_NOT_WORDS), re.compile(_FORMAL), name_last=re.compile("[,&]")
    ),
    "ISSUER": ValueWords(
        re.compile(rf"{_NOT_WORDS}|.* (na|vna|chf)"), re.compile(_FORMAL), min_length=3
    ),
}  # fmt: skip
_WORDS: Final = WordRules(
    FieldWords(
        dropped=re.compile(
            r"(rated|held|owned|covered|listed|traded|based|domiciled|headquartered|incorporated"
            r"|registered|exposed|in|people|shorted)\b.*|.*\b(in|on|of|to|by|from)|.* (and|or) .*"
            r"|.*(today|this year|past (year|month|quarter)).*|.*, .*, .*"
        ),
        without_name=frozenset({"FLD_MKT_CAP"}),
        vowel=re.compile(
            r"(?!one)[aeio8]|(ro[aceis]|fcf|ffo|nim|r&d|roic|roce|rsi|sma|s&p)\b", re.I
        ),
        plural=re.compile(
            r".*(?<!s)(?<!u)(?<!i)(?<!ros)(?<!ep)(?<!dp)(?<!cp)(?<!a)s|(wo)?men|people"
        ),
        never_plural=re.compile(".*share"),
        uncountable=re.compile(r"growth|ownership|coverage|earned|volatility$"),
        singular=re.compile(r".*(cap|capitali[sz]ation|value|ev|balance|position|base)"),
    ),
    _VALUES,
    ValueWords(re.compile(_NOT_WORDS), re.compile(_FORMAL)),
    ambiguous=frozenset(
        ("per", "cap", "close", "quote", "market", "name", "stock", "firm", "business", "add",
         "avoid", "core", "common", "it", "ads", "ps", "income", "size", "target", "institutions",
         "staff")
    ),
)  # fmt: skip

_CURRENCIES: Final = UnitWords(
    signs={
        "CUR_USD": "$", "CUR_EUR": "€", "CUR_GBP": "£", "CUR_JPY": "¥", "CUR_INR": "₹",
        "CUR_AUD": "a$", "CUR_CAD": "c$", "CUR_HKD": "hk$", "CUR_KRW": "₩",
    },
    plurals={
        "CUR_USD": "dollars", "CUR_EUR": "euros", "CUR_GBP": "pounds", "CUR_JPY": "yen",
        "CUR_CHF": "swiss francs", "CUR_CNY": "yuan", "CUR_INR": "rupees",
        "CUR_SEK": "swedish kronor", "CUR_CAD": "canadian dollars",
        "CUR_AUD": "australian dollars", "CUR_HKD": "hong kong dollars",
    },
)  # fmt: skip
_MULTIPLE: Final = re.compile(r"P/E|EV/EBIT|Price to (cash|free)|Earnings multiple")
_MULTIPLES: Final = ("15", "10", "20", "12", "25", "8", "30", "18", "40", "14")
_NUMBERS: Final[dict[str, NumberStyle]] = {
    "MONEY": Sums(_CURRENCIES),
    "PER_SHARE": Prices(_CURRENCIES),
    "RATIO": Ratios(((_MULTIPLE, _MULTIPLES),)),
    "PERCENT": Percentages(re.compile(r"growth|price return|change$", re.I)),
    "COUNT": Counts(frozenset(("analysts", "years", "directors", "days", "companies"))),
}

_TIMED: Final = re.compile(r".*\d|.*(growth|change|today|year|forward|since|target|date).*", re.I)
_RATINGS: Final = frozenset(("SP_RATING", "FITCH", "MOODY", "DBRS", "RECOMMENDATION", "SP_SHORT"))


def _has_history(field: Field) -> bool:
    """Whether queries may ask for a field at a time; not if its name implies one."""
    plain = field.variant in (None, "PER_SHARE", "TO_SALES")
    return plain and not _TIMED.match(field.name)


_DRAWING: Final = Drawing(
    types={
        "COUNTRY": 30, "SECTOR": 30, "INDEX": 16, "EXCHANGE": 8, "SIZE": 3, "SP_RATING": 2,
        "FITCH": 2, "MOODY": 2, "DBRS": 1, "OUTLOOK": 1, "RECOMMENDATION": 2, "STYLE": 1,
        "STATE": 2, "CITY": 2, "FISCAL_END": 1, "ACCOUNTING": 1, "SECURITY": 1, "SP_SHORT": 1,
    },
    fields={
        "COUNTRY": {"FLD_DOMICILE": 22, "FLD_COUNTRY_LISTING": 1, "FLD_COUNTRY_INCORP": 1,
                    "FLD_COUNTRY_RISK": 1},
        "SECTOR": {"FLD_EQS_SECTOR": 1}, "INDEX": {"FLD_INDEX": 1}, "ISSUER": {"FLD_ISSUER": 1},
        "EXCHANGE": {"FLD_EXCHANGE": 14, "FLD_EXCHANGE_PRIMARY": 1},
        "SIZE": {"FLD_SIZE_CLASS": 1}, "SP_RATING": {"FLD_SP_RATING": 1},
        "FITCH": {"FLD_FITCH": 1}, "MOODY": {"FLD_MOODY": 1}, "DBRS": {"FLD_DBRS": 1},
        "SP_SHORT": {"FLD_SP_SHORT": 1},
        "OUTLOOK": {"FLD_MOODY_OUTLOOK": 1, "FLD_SP_OUTLOOK": 1, "FLD_FITCH_OUTLOOK": 1},
        "RECOMMENDATION": {"FLD_ANALYST_RATING": 1}, "STYLE": {"FLD_STYLE": 1},
        "STATE": {"FLD_STATE": 1}, "CITY": {"FLD_CITY": 1},
        "FISCAL_END": {"FLD_FISCAL_YEAR_END": 1}, "ACCOUNTING": {"FLD_ACCOUNTING_STANDARD": 1},
        "SECURITY": {"FLD_SECURITY_TYPE": 1},
    },
    compared=_RATINGS,
    alternatives=frozenset(("COUNTRY", "SECTOR", "INDEX", "EXCHANGE", "ISSUER")),
    excluded={"COUNTRY": 2, "SECTOR": 2, "INDEX": 1, "EXCHANGE": 1},
    nested=frozenset(("COUNTRY", "SECTOR")),
    clashes=(frozenset(("COUNTRY", "STATE", "CITY")), _RATINGS),
    grouped=("COUNTRY", "SECTOR"),
    identifying="ISSUER",
    leaves={"COUNTRY": 0.7},
    has_history=_has_history,
    has_peers=lambda field: field.variant in (None, "PER_SHARE"),
    daily=frozenset(
        ("FLD_PRICE", "FLD_MKT_CAP", "FLD_VOLUME", "FLD_PE_RATIO", "FLD_PB_RATIO", "FLD_PS_RATIO",
         "FLD_DIVIDEND_YIELD", "FLD_ENTERPRISE_VALUE", "FLD_EV_EBITDA", "FLD_BETA")
    ),
    hidden=frozenset(("FLD_ISSUER", "FLD_COUNTRY_RISK", "FLD_COUNTRY_LISTING")),
)  # fmt: skip
_FRAMES: Final = Frames(
    openings=(
        "show me", "", "find", "list", "show me all", "give me", "find all", "list all", "get me",
        "i'm looking for", "show", "find me", "screen for", "i want to see", "search for",
        "please show me", "can you find", "give me a list of", "looking for", "i need",
        "could you list", "i would like to see", "are there any",
    ),
    before={
        "INDEX": 0.3, "RECOMMENDATION": 0.3, "EXCHANGE": 0.2, "CITY": 0.25, "STATE": 0.25,
        "SIZE": 0.9, "COUNTRY": 0.7, "STYLE": 0.95,
    },
    nouns={"SECURITY": 1, "SECTOR": 0.88},
    noun_after={"STYLE": "stocks"},
    after_are=("in ", "based", "listed", "traded", "domiciled", "rated", "headq", "not "),
)  # fmt: skip

EQUITY_STYLE: Final = CorpusStyle(
    ("companies", "firms", "stocks", "equities", "shares"),
    _REALISERS,
    _NUMBERS,
    _DRAWING,
    _WORDS,
    _FRAMES,
    idioms=IDIOMS,
    classes=CLASSES,
    thresholds=THRESHOLDS,
)
"""The style of the corpus of equity search."""
