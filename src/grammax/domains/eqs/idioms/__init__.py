"""How people speak of the numeric fields of equities: idioms, classes and named thresholds.

The words are chosen so that one field is the clear meaning of each: "cheap" is a low P/E ratio,
"largest" a large market capitalisation, "fast-growing" the growth of revenue over a year.

| module | what it has |
|---|---|
| `valuation.py` | size, price, valuation, dividends |
| `accounts.py` | sales, profit, cash, debt, spending, margins |
| `trading.py` | trading, owners, people, environment |
| `moves.py` | returns by period, growth |
| `classes.py` | the class of each field |
| `heard.py` | words that are understood, but not said in generated queries |

Importing this package reads no catalogue.

>>> IDIOMS["FLD_PE_RATIO"].least[0], IDIOMS["FLD_NET_INCOME"].negative[0]
('cheapest', 'loss-making')
>>> cues_of("FLD_EMPLOYEES")[:4]
('employing', 'people', 'staff', 'workers')
>>> CLASSES["FLD_RETURN_YTD"].name
'CHANGE'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grammax.domains.eqs.idioms.accounts import ACCOUNTS, PROFITABILITY
from grammax.domains.eqs.idioms.classes import CLASSES as CLASSES
from grammax.domains.eqs.idioms.heard import HEARD
from grammax.domains.eqs.idioms.moves import GROWTH, RETURNS
from grammax.domains.eqs.idioms.trading import PEOPLE, TRADING
from grammax.domains.eqs.idioms.valuation import DIVIDENDS, VALUATION
from grammax.tables.idioms import Idioms, Threshold, cues

IDIOMS: Final[Mapping[str, Idioms]] = {
    **VALUATION, **DIVIDENDS, **ACCOUNTS, **PROFITABILITY, **TRADING, **PEOPLE, **RETURNS, **GROWTH,
}  # fmt: skip
"""The idioms by field."""


def _grades(words: tuple[str, ...], raters: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{rater} {word}" for rater in raters for word in words)


_INVESTMENT: Final = ("investment grade", "investment-grade")
_JUNK: Final = ("junk", "junk rated", "junk-rated", "speculative grade", "sub-investment grade")
_AGENCIES: Final = (
    ("FLD_MOODY", ("moody's", "moodys"), "MDY_BAA3", "MDY_BA1"),
    ("FLD_FITCH", ("fitch",), "FCH_BBB_MINUS", "FCH_BB_PLUS"),
    ("FLD_DBRS", ("dbrs",), "DBR_BBB_LOW", "DBR_BB_HIGH"),
)

THRESHOLDS: Final = (
    Threshold(
        (*_INVESTMENT, "ig rated", "ig-rated", "investment grade rated",
         *_grades(_INVESTMENT[:1], ("s&p",))),
        "FLD_SP_RATING", "GE", "SPR_BBB_MINUS",
    ),
    Threshold(
        (*_JUNK, "junk grade", "below investment grade", "speculative-grade",
         "non-investment grade", *_grades(("junk", "speculative grade"), ("s&p",))),
        "FLD_SP_RATING", "LE", "SPR_BB_PLUS",
    ),
    *(Threshold(_grades(_INVESTMENT, raters), field, "GE", best)
      for field, raters, best, _ in _AGENCIES),
    *(Threshold(_grades(("junk", "speculative grade"), raters), field, "LE", worst)
      for field, raters, _, worst in _AGENCIES),
    Threshold(("buy rated or better", "buy or better", "buy or stronger"),
              "FLD_ANALYST_RATING", "GE", "REC_BUY"),
    Threshold(("sell rated or worse", "sell or worse"), "FLD_ANALYST_RATING", "LE", "REC_SELL"),
    Threshold(("hold or better", "not rated sell"), "FLD_ANALYST_RATING", "GE", "REC_HOLD"),
    Threshold(("large caps and up", "large cap and above", "large cap or larger",
               "at least large cap", "large caps or bigger"),
              "FLD_SIZE_CLASS", "GE", "SIZ_LARGE_CAP"),
    Threshold(("mid caps and up", "mid cap and above", "mid cap or larger", "at least mid cap"),
              "FLD_SIZE_CLASS", "GE", "SIZ_MID_CAP"),
    Threshold(("small caps and below", "small cap and under", "small cap or smaller"),
              "FLD_SIZE_CLASS", "LE", "SIZ_SMALL_CAP"),
)  # fmt: skip
"""Named thresholds. Credit ratings are those of S&P unless an agency is named; "high yield" is a
dividend yield, not a rating."""

_GROWING: Final = (
    "growing", "rising", "increasing", "declining", "falling", "shrinking", "up", "down", "grew",
    "fell", "growth",
)  # fmt: skip
"""The cues of any growth; what grows is the name of another field."""

_FORMS: Final = {
    "borrow": ("borrows", "borrowed"), "buy back": ("buys back", "bought back"),
    "cost": ("costs",), "earn": ("earns", "earned"), "emit": ("emits", "emitted"),
    "employ": ("employs", "employed"), "export": ("exports", "exported"),
    "generate": ("generates", "generated"), "grow": ("grows", "grew", "grown"),
    "hold": ("holds", "held"), "invest": ("invests", "invested"), "lend": ("lends", "lent"),
    "make": ("makes", "made"), "manage": ("manages", "managed"), "operate": ("operates",),
    "owe": ("owes", "owed"), "pay": ("pays", "paid"), "pay out": ("pays out", "paid out"),
    "pollute": ("pollutes",), "repurchase": ("repurchases", "repurchased"),
    "sell": ("sells", "sold"), "serve": ("serves",),
    "spend on r&d": ("spends", "spent", "spend"), "trade": ("trades",),
    "yield": ("yields", "yielded"),
}  # fmt: skip
"""Forms of verbs that idioms do not contain."""

_TOO_GENERAL: Final = frozenset(
    ("stock", "shares", "year", "day", "did", "hand", "business", "listed", "earnings", "assets",
     "state", "turn", "shareholders", "most shares", "most stock", "public",
     "board", "boards", "ceo", "reporting", "operating", "running", "development", "business",
     "sitting", "most money", "holding", "closest", "nearest", "investment")
)  # fmt: skip
"""Words of idioms that alone point to no field."""

SHARED: Final = frozenset(
    (*_GROWING, "valued", "trading", "selling", "share", "per share", "paying", "paying dividends",
     "dividend", "pay", "dividends", "paying out", "years", "years ago", "profits", "generating",
     "revenue", "losing", "lost", "earning", "profitable", "most cash", "cash", "spending", "owned",
     "people", "sales", "paid")
)  # fmt: skip
"""Cues of several fields, apart from those of returns, which share their verbs."""


_BESIDE_NOUNS: Final = {
    "FLD_PRICE": tuple(
        f"{noun} {word}"
        for noun in ("stocks", "shares")
        for word in ("under", "below", "over", "above")
    ),
}
"""Cues that consist of a noun of the rows and a comparison: "stocks under $5"."""


def _cues(token: str) -> tuple[str, ...]:
    idioms = IDIOMS[token]
    forms = (form for verb in idioms.verbs for form in _FORMS.get(verb, ()))
    growing = _GROWING if token in GROWTH else ()
    named = cues(idioms) if growing == () or token == "FLD_SALES_REV_TURN_GROWTH_1Y" else ()
    return tuple(
        cue
        for cue in dict.fromkeys((*named, *forms, *growing, *_BESIDE_NOUNS.get(token, ())))
        if cue not in _TOO_GENERAL
    )


def _threshold_cues() -> dict[str, tuple[str, ...]]:
    """Words of thresholds by value; the agency may stand elsewhere: "junk rated by moody's"."""
    agencies: dict[str, tuple[str, ...]] = {best: _INVESTMENT for _, _, best, _ in _AGENCIES}
    agencies |= {worst: _JUNK for _, _, _, worst in _AGENCIES}
    found: dict[str, tuple[str, ...]] = {}
    for each in THRESHOLDS:
        found[each.value] = (*found.get(each.value, agencies.get(each.value, ())), *each.words)
    return found


_PLACE_CUES: Final[Mapping[str, tuple[str, ...]]] = {
    "FLD_DOMICILE": ("where", "based", "domiciled", "headquartered", "located"),
    "FLD_CITY": ("where", "headquartered"),
    "FLD_COUNTRY_INCORP": ("incorporated", "registered"),
    "FLD_COUNTRY_LISTING": ("listed",),
    "FLD_EXCHANGE": ("listed", "traded", "trades", "exchanges"),
    "FLD_INDEX": ("indices", "indexes"),
}
"""Words that ask for a field that has values instead of numbers."""

_CUES: Final[Mapping[str, tuple[str, ...]]] = {
    **_PLACE_CUES,
    **{token: _cues(token) for token in IDIOMS},
    **_threshold_cues(),
}


def cues_of(token: str) -> tuple[str, ...]:
    """The words by which a query names a field, or a value at a threshold, without its name."""
    if token not in _CUES and token not in HEARD:  # as most values
        return ()
    return tuple(dict.fromkeys((*_CUES.get(token, ()), *HEARD.get(token, ()))))
