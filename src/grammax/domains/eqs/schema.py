"""The schema of equity search: its types, its unit, and English phrases for its fields."""

from __future__ import annotations

import re
from typing import Final

from grammax.tables.english.phrases import lowered, place_name, uncapitalised
from grammax.tables.schema import (
    Completions,
    Entity,
    EnumType,
    NumberType,
    Phrase,
    Schema,
    Unit,
)

_LEVEL: Final = re.compile(r"(.*) \((sub-industry|industry|industry group|sector)\)")

ENUMS: Final = (
    EnumType("COUNTRY", "COU_", "country", codes=True),
    EnumType("SECTOR", "SEC_GICS_", "sector"),
    EnumType("INDEX", "IDX_", "index", open=True),
    EnumType("EXCHANGE", "EXC_", "exchange", open=True),
    EnumType("ISSUER", "ISS_", "company", plural=False, open=True),
    EnumType("MOODY", "MDY_", "Moody's rating", ordered=True),
    EnumType("SP_RATING", "SPR_", "S&P rating", ordered=True),
    EnumType("FITCH", "FCH_", "Fitch rating", ordered=True),
    EnumType("DBRS", "DBR_", "DBRS rating", ordered=True),
    EnumType("MOODY_SHORT", "MDS_", "Moody's short-term rating", ordered=True),
    EnumType("SP_SHORT", "SPS_", "S&P short-term rating", ordered=True),
    EnumType("FITCH_SHORT", "FCS_", "Fitch short-term rating", ordered=True),
    EnumType("DBRS_SHORT", "DBS_", "DBRS short-term rating", ordered=True),
    EnumType("OUTLOOK", "OUT_", "rating outlook", ordered=True),
    EnumType("RECOMMENDATION", "REC_", "recommendation", ordered=True),
    EnumType("SIZE", "SIZ_", "size class", ordered=True),
    EnumType("STYLE", "STY_", "investment style"),
    EnumType("SECURITY", "SCT_", "security type"),
    EnumType("STATE", "STA_", "US state", codes=True),
    EnumType("CITY", "CIT_", "city", open=True, place=True),
    EnumType("FISCAL_END", "FYE_", "fiscal year end"),
    EnumType("ACCOUNTING", "ACC_", "accounting standard"),
    EnumType("CURRENCY", "CUR_", "currency"),
)
NUMBERS: Final = (
    NumberType("MONEY", denominations=True, units=True, size=True),
    NumberType("PER_SHARE", denominations=True, units=True),
    NumberType("RATIO", percentages=True, decimals=3),
    NumberType("PERCENT", percentages=True, decimals=2),
    NumberType("COUNT", denominations=True, size=True, decimals=0),
)
CURRENCY: Final = Unit(
    "CURRENCY",
    "currency",
    "CUR_USD",
    {
        "CUR_USD": "$", "CUR_EUR": "€", "CUR_GBP": "£", "CUR_JPY": "¥", "CUR_INR": "₹",
        "CUR_AUD": "A$", "CUR_CAD": "C$", "CUR_HKD": "HK$", "CUR_KRW": "₩",
    },
)  # fmt: skip


_MULTIPLES: Final = (
    *("PE_RATIO", "PB_RATIO", "PS_RATIO", "PEG_RATIO", "CAPE", "P_CF", "P_FCF", "P_TANG_BOOK"),
    *("P_CASH", "P_FFO", "P_NAV", "EV_EBITDA", "EV_EBIT", "EV_SALES", "EV_FCF"),
    *("EV_GROSS_PROFIT", "EV_ASSETS", "EV_INVESTED_CAP", "DEBT_TO_EQUITY", "LT_DEBT_TO_EQUITY"),
    *("DEBT_EBITDA", "DEBT_FCF", "FIN_LEVERAGE", "PAYOUT_RATIO"),
)
"""Quotients that are negative only because earnings or equity are: such a P/E is not cheap."""


def sector_name(name: str) -> str:
    """The name of a sector after "in": "the steel sector"."""
    level = _LEVEL.fullmatch(name)
    return f"the {lowered(level[1])} {level[2]}" if level else f"the {lowered(name)} sector"


def exchange_name(name: str) -> str:
    """The name of an exchange after "on": "the London Stock Exchange"."""
    article = re.search(r"\b(Exchange|Bourse|Market|Board)\b", name, re.IGNORECASE)
    return f"the {name}" if article and not name.startswith("The ") else name


def _index_name(name: str) -> str:
    return name.removeprefix("The ")


EQUITIES: Final = Schema(
    name="eqs",
    entity=Entity("company", "companies", key="ticker", label="name"),
    enums=ENUMS,
    numbers=NUMBERS,
    unit=CURRENCY,
    many=frozenset({"FLD_INDEX"}),
    measure="FLD_MKT_CAP",
    default_columns=("FLD_MKT_CAP", "FLD_PRICE", "FLD_PE_RATIO"),
    price="FLD_PRICE",
    multiples={
        "FLD_NET_INCOME": ("FLD_PE_RATIO",),
        "FLD_EPS": ("FLD_PE_RATIO",),
        "FLD_TOT_EQUITY": ("FLD_PB_RATIO",),
        "FLD_SALES_REV_TURN": ("FLD_PS_RATIO", "FLD_EV_SALES"),
        "FLD_EBITDA": ("FLD_EV_EBITDA",),
        "FLD_EBIT": ("FLD_EV_EBIT",),
        "FLD_FREE_CASH_FLOW": ("FLD_P_FCF",),
        "FLD_CF_OPER": ("FLD_P_CF",),
        "FLD_NET_INCOME_FORWARD": ("FLD_PE_RATIO_FORWARD",),
        "FLD_EPS_FORWARD": ("FLD_PE_RATIO_FORWARD",),
        "FLD_FFO": ("FLD_P_FFO",),
    },
    levels={
        **{f"FLD_MA_{days}D": ("FLD_PRICE",) for days in (20, 100)},
        **{f"FLD_MA_{days}D": ("FLD_PRICE", f"FLD_DIST_MA_{days}D") for days in (50, 200)},
        **{f"FLD_DIST_MA_{days}D": ("FLD_PRICE", f"FLD_MA_{days}D") for days in (50, 200)},
        **dict.fromkeys(
            (
                "FLD_HIGH_52W",
                "FLD_LOW_52W",
                "FLD_HIGH_ALL_TIME",
                "FLD_LOW_ALL_TIME",
                "FLD_TARGET_PRICE_HIGH",
                "FLD_TARGET_PRICE_LOW",
            ),
            ("FLD_PRICE",),
        ),
        **{f"FLD_DIST_{end}_52W": ("FLD_PRICE", f"FLD_{end}_52W") for end in ("HIGH", "LOW")},
        "FLD_TARGET_PRICE": ("FLD_PRICE", "FLD_UPSIDE"),
        "FLD_NET_ASSET_VALUE": ("FLD_NET_ASSET_VALUE_PER_SHARE",),
    },
    positive=frozenset(
        f"FLD_{name}{variant}"
        for name in _MULTIPLES
        for variant in ("", "_FORWARD", "_TTM", "_AVG_3Y", "_AVG_5Y")
    ),
    top_groups=frozenset({"FLD_EQS_SECTOR"}),
    phrases={
        "FLD_DOMICILE": Phrase("domiciled in {}", place_name, place_name),
        "FLD_COUNTRY_LISTING": Phrase("listed in {}", place_name, place_name),
        "FLD_COUNTRY_INCORP": Phrase("incorporated in {}", place_name, place_name),
        "FLD_EQS_SECTOR": Phrase("in {}", sector_name, lowered),
        "FLD_INDEX": Phrase("in the {}", _index_name),
        "FLD_EXCHANGE": Phrase("listed on {}", exchange_name, exchange_name),
        "FLD_EXCHANGE_PRIMARY": Phrase("listed mainly on {}", exchange_name, exchange_name),
        "FLD_ISSUER": Phrase("named {}"),
        "FLD_STATE": Phrase("based in the state of {}"),
        "FLD_CITY": Phrase("based in {}"),
        "FLD_FISCAL_YEAR_END": Phrase("with a {}", uncapitalised),
        "FLD_ACCOUNTING_STANDARD": Phrase("reporting under {}"),
    },
    after_is={
        "COUNTRY": place_name,
        **dict.fromkeys(("OUTLOOK", "RECOMMENDATION", "SECURITY", "SIZE", "STYLE"), uncapitalised),
    },
    proper=frozenset(
        (
            *("Altman", "Beneish", "Bloomberg", "Fitch", "Graham", "Moody", "Piotroski", "Poor"),
            *("Sharpe", "Sortino", "Standard", "Tobin"),
        )
    ),
    completions=Completions(
        at_start=("top 10", "companies in", "companies with", "show", "largest", "cheapest"),
        anywhere=("listed on", "rated", "market cap"),
        place="COUNTRY",
    ),
)
