"""Idioms of size, price, valuation and dividends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grammax.tables.idioms import Idioms

VALUATION: Final[Mapping[str, Idioms]] = {
    "FLD_MKT_CAP": Idioms(
        more=("giant", "huge", "big", "very large", "massive"),
        less=("tiny", "very small"),
        most=("largest", "biggest", "most valuable", "highest valued", "greatest"),
        least=("smallest", "tiniest", "least valuable", "littlest"),
        greater=("worth more than {n}", "larger than {n}", "valued at more than {n}",
                 "bigger than {n}", "worth over {n}", "valued above {n}", "valued at over {n}",
                 "capitalised at more than {n}"),
        smaller=("worth less than {n}", "smaller than {n}", "valued at less than {n}",
                 "worth under {n}", "valued below {n}", "valued at under {n}"),
    ),
    "FLD_PE_RATIO": Idioms(
        more=("expensive", "pricey", "highly valued", "richly valued"),
        less=("cheap", "inexpensive", "cheaply valued", "low-pe"),
        most=("most expensive", "priciest", "most richly valued"),
        least=("cheapest", "least expensive", "most cheaply valued"),
        greater=("trading at more than {n} times earnings", "trading above {n} times earnings",
                 "trading at over {n}x earnings", "at more than {n} times earnings",
                 "valued at over {n} times earnings"),
        smaller=("trading at less than {n} times earnings", "trading below {n} times earnings",
                 "trading under {n}x earnings", "at less than {n} times earnings",
                 "selling for less than {n} times earnings", "cheaper than {n} times earnings"),
    ),
    "FLD_PE_RATIO_FORWARD": Idioms(
        greater=("trading at more than {n} times forward earnings",),
        smaller=("trading at less than {n} times forward earnings",
                 "trading below {n} times expected earnings"),
    ),
    "FLD_PB_RATIO": Idioms(
        greater=("trading at more than {n} times book", "trading above {n} times book value"),
        smaller=("trading at less than {n} times book", "trading below {n} times book value",
                 "trading under {n}x book"),
    ),
    "FLD_PS_RATIO": Idioms(
        greater=("trading at more than {n} times sales", "trading above {n} times revenue"),
        smaller=("trading at less than {n} times sales", "trading below {n} times revenue",
                 "trading under {n}x sales"),
    ),
    "FLD_EV_EBITDA": Idioms(
        greater=("trading at more than {n} times ebitda", "trading above {n}x ebitda"),
        smaller=("trading at less than {n} times ebitda", "trading below {n}x ebitda"),
    ),
    "FLD_PRICE": Idioms(
        most=("highest priced", "highest-priced"),
        least=("lowest priced", "lowest-priced"),
        greater=("trading above {n}", "trading over {n}", "priced above {n}",
                 "above {n} a share", "over {n} per share", "costing more than {n}",
                 "trading at more than {n} a share", "priced over {n}"),
        smaller=("trading below {n}", "under {n} a share", "trading under {n}", "priced below {n}",
                 "below {n} per share", "costing less than {n}", "less than {n} a share",
                 "priced under {n}", "that cost less than {n} a share"),
        verbs=("cost",),
    ),
    "FLD_UPSIDE": Idioms(
        most=("{e} with the most upside", "{e} with the biggest upside"),
        greater=("with more than {n} upside", "with over {n} upside to the price target"),
    ),
    "FLD_DIST_HIGH_52W": Idioms(
        most=("{e} closest to their 52-week high", "{e} nearest to their 52 week high"),
        least=("{e} furthest from their 52-week high", "{e} farthest below their 52 week high"),
    ),
    "FLD_DIST_LOW_52W": Idioms(
        least=("{e} closest to their 52-week low", "{e} nearest to their 52 week low"),
    ),
}  # fmt: skip
DIVIDENDS: Final[Mapping[str, Idioms]] = {
    "FLD_DIVIDEND_YIELD": Idioms(
        more=("high-yielding", "high yielding", "high-yield", "high yield", "high-dividend",
              "high dividend"),
        less=("low-yielding", "low yielding", "low-yield", "low-dividend"),
        most=("highest yielding", "highest-yielding", "best yielding", "top yielding",
              "highest paying"),
        least=("lowest yielding", "lowest-yielding"),
        greater=("yielding more than {n}", "yielding over {n}", "that yield more than {n}",
                 "paying more than {n}", "with a yield over {n}", "paying dividends over {n}",
                 "paying a dividend of more than {n}", "yielding above {n}"),
        smaller=("yielding less than {n}", "yielding under {n}", "that yield less than {n}",
                 "paying less than {n}", "yielding below {n}", "paying dividends under {n}"),
        positive=("dividend-paying", "dividend paying", "that pay a dividend", "with a dividend",
                  "that pay dividends", "paying dividends", "paying a dividend",
                  "dividend"),
        absent=("without a dividend", "that pay no dividend", "paying no dividend",
                "with no dividend", "that do not pay a dividend", "without dividends",
                "that don't pay dividends", "non-dividend-paying", "not paying a dividend"),
        verbs=("yield", "pay"),
        agents=("dividend payers", "yielders"),
    ),
    "FLD_DPS": Idioms(
        greater=("paying more than {n} a share", "paying dividends of over {n} per share"),
        smaller=("paying less than {n} a share",),
    ),
    "FLD_DIVIDENDS_PAID": Idioms(
        greater=("paying out more than {n} in dividends", "that paid more than {n} in dividends",
                 "distributing over {n} to shareholders"),
        smaller=("paying out less than {n} in dividends",),
        verbs=("pay out",),
    ),
    "FLD_BUYBACKS": Idioms(
        most=("{e} buying back the most shares", "{e} buying back the most stock"),
        greater=("buying back more than {n} of stock", "that bought back over {n} of shares",
                 "repurchasing more than {n} of shares"),
        positive=("buying back shares", "buying back stock", "that buy back shares",
                  "repurchasing shares"),
        absent=("without buybacks", "that do not buy back shares"),
        verbs=("buy back", "repurchase"),
    ),
    "FLD_YEARS_DIV_GROWTH": Idioms(
        most=("{e} with the longest dividend streak",),
        greater=("that raised dividends for more than {n} years",
                 "with more than {n} years of rising dividends",
                 "that have raised their dividend for over {n} years"),
        agents=("dividend growers", "dividend raisers"),
    ),
    "FLD_PAYOUT_RATIO": Idioms(
        greater=("paying out more than {n} of earnings", "paying out over {n} of profits"),
        smaller=("paying out less than {n} of earnings", "paying out under {n} of profits"),
    ),
}  # fmt: skip
