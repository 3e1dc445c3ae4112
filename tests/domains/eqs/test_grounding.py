"""What people type makes the right fields and values available, by names, aliases and cues."""

from __future__ import annotations

from functools import cache

import pytest

from grammax.domains.eqs.domain import equity_search
from grammax.reading.grounds import Grounds
from grammax.reading.names import NameMatcher
from grammax.reading.spelling import Spelling
from grammax.reading.words import split


@cache
def matcher() -> NameMatcher:
    domain = equity_search()
    grounds = Grounds.from_domain(domain)
    return NameMatcher(domain.vocabulary, domain.wordings, Spelling(8), grounds=grounds)


def available(query: str) -> set[str]:
    """The fields and values that a query makes available."""
    names, words = matcher(), split(query)
    found = names.available(words, names.find(words, query))
    assert found is not None
    return {names.vocabulary.tokens[token] for token in found.ids}


@pytest.mark.parametrize(
    ("query", "tokens"),
    [
        (
            "cheapest tech stocks in europe by p/e",
            "FLD_PE_RATIO SEC_GICS_INFORMATION_TECHNOLOGY COU_EUROPE",
        ),
        ("most profitable banks in the us", "FLD_NET_INCOME SEC_GICS_BANKS"),
        ("loss making biotech companies", "FLD_NET_INCOME SEC_GICS_BIOTECHNOLOGY"),
        ("companies losing money in germany", "FLD_NET_INCOME"),
        ("which companies make more than 10bn a year", "FLD_NET_INCOME"),
        ("who employs the most people in france", "FLD_EMPLOYEES"),
        ("stocks paying over 5%", "FLD_DIVIDEND_YIELD"),
        ("dividend stocks in the uk", "FLD_DIVIDEND_YIELD"),
        ("companies that don't pay dividends", "FLD_DIVIDEND_YIELD"),
        ("stocks down more than 20% this year", "FLD_RETURN_YTD"),
        ("stocks up 10% today", "FLD_RETURN_1D"),
        ("biggest losers today", "FLD_RETURN_1D"),
        ("top gainers this week", "FLD_RETURN_1W"),
        ("best performing stocks in the dax over the last 5 years", "FLD_RETURN_5Y"),
        ("worst performers in the s&p 500 ytd", "FLD_RETURN_YTD"),
        ("fastest growing software companies", "FLD_SALES_REV_TURN_GROWTH_1Y"),
        ("companies growing faster than 20%", "FLD_SALES_REV_TURN_GROWTH_1Y"),
        ("companies with shrinking revenue", "FLD_SALES_REV_TURN_GROWTH_1Y"),
        ("profit growth over 15%", "FLD_NET_INCOME_GROWTH_1Y"),
        ("earnings growth above 20 percent", "FLD_NET_INCOME_GROWTH_1Y"),
        ("debt free companies in india", "FLD_TOT_DEBT"),
        ("companies with no debt", "FLD_TOT_DEBT"),
        ("highly leveraged utilities", "FLD_DEBT_TO_EQUITY"),
        ("most indebted companies in italy", "FLD_TOT_DEBT"),
        ("cash rich tech", "FLD_CASH"),
        ("most volatile stocks on the nasdaq", "FLD_VOLATILITY_1Y"),
        ("low beta stocks", "FLD_BETA"),
        ("most shorted stocks", "FLD_SHORT_INTEREST_PCT"),
        ("biggest polluters in asia", "FLD_CO2_EMISSIONS"),
        ("lossmakers in the tecdax", "FLD_NET_INCOME"),
        ("apparel, money losers excluded", "FLD_NET_INCOME"),
        ("best paid ceo in french luxury", "FLD_CEO_PAY"),
        ("longest serving ceos", "FLD_CEO_TENURE"),
        ("norway, div > 6%", "FLD_DIVIDEND_YIELD"),
        ("biggest dividend cutters in europe", "FLD_DPS_GROWTH_1Y"),
        ("eurozone banks below 0.6 book", "FLD_PB_RATIO"),
        ("at less than 15 times forward earnings", "FLD_PE_RATIO_FORWARD"),
        ("reits under 15x ffo", "FLD_P_FFO"),
        ("who had the worst week", "FLD_RETURN_1W"),
        ("dax members under their 200-day average", "FLD_PRICE FLD_MA_200D"),
        ("at an all time high in taiwan", "FLD_PRICE FLD_HIGH_ALL_TIME"),
        ("golden cross, nifty 50", "FLD_MA_50D FLD_MA_200D"),
        ("price 15% or more above the 200dma", "FLD_DIST_MA_200D"),
        ("gapped up 3 percent", "FLD_GAP"),
        ("float under 40m shares", "FLD_SHARES_FLOAT"),
        ("npls over 6%", "FLD_NPL_RATIO"),
        ("quarterly capex of amazon", "FLD_CAPEX FLD_CAPEX_QUARTERLY"),
        ("micro or small caps in finland", "SIZ_MICRO_CAP SIZ_SMALL_CAP"),
        ("texan companies", "STA_TEXAS"),
        ("saudi petrochemicals", "SEC_GICS_CHEMICALS"),
        ("thai banks listed on the set", "EXC_XBKK"),
        ("did vestas lose money", "ISS_VESTAS_WIND_SYSTEMS_A_S FLD_NET_INCOME"),
        ("companies with more than 50% women on the board", "FLD_WOMEN_BOARD_PCT"),
        ("companies older than 100 years", "FLD_COMPANY_AGE"),
        ("oldest companies in japan", "FLD_COMPANY_AGE"),
        ("companies spending more than 5bn on r&d", "FLD_RND_EXPENSE"),
        ("biggest r&d spenders", "FLD_RND_EXPENSE"),
        ("companies buying back stock", "FLD_BUYBACKS"),
        ("investment grade us companies", "SPR_BBB_MINUS FLD_SP_RATING"),
        ("junk rated airlines", "SPR_BB_PLUS"),
        ("investment grade by moodys", "MDY_BAA3 FLD_MOODY"),
        ("trading below book value", "FLD_PB_RATIO"),
        ("trading at less than 10x earnings", "FLD_PE_RATIO"),
        ("stocks under $5", "FLD_PRICE"),
        ("stocks under $5 a share", "FLD_PRICE"),
        ("companies worth over a trillion dollars", "FLD_MKT_CAP"),
        ("google vs facebook market cap", "ISS_ALPHABET_INC ISS_META_PLATFORMS FLD_MKT_CAP"),
        ("how many people does walmart employ", "FLD_EMPLOYEES ISS_WALMART"),
        ("how much does apple earn", "FLD_NET_INCOME ISS_APPLE_INC"),
        ("how much debt does ford have", "FLD_TOT_DEBT ISS_FORD_MOTOR_CO"),
        ("high yielding reits", "FLD_DIVIDEND_YIELD"),
        ("high yield stocks", "FLD_DIVIDEND_YIELD"),
        ("profitable companies with positive free cash flow", "FLD_NET_INCOME FLD_FREE_CASH_FLOW"),
        ("unprofitable tech", "FLD_NET_INCOME"),
        ("companies with net cash", "FLD_NET_DEBT"),
        ("most traded stocks in hong kong", "FLD_VOLUME"),
        ("companies with high margins", "FLD_NET_MARGIN"),
        ("companies with rising profits", "FLD_NET_INCOME_GROWTH_1Y"),
        ("companies that beat earnings estimates", "FLD_EPS_SURPRISE"),
        ("stocks near their 52 week low", "FLD_DIST_LOW_52W"),
        ("stocks with more than 20 analysts", "FLD_ANALYSTS"),
        ("state owned companies in china", "FLD_GOVERNMENT_OWN"),
        ("most sustainable companies", "FLD_ESG_SCORE"),
        ("companies generating more than 1bn in free cash flow", "FLD_FREE_CASH_FLOW"),
        ("pepsi revenue", "ISS_PEPSICO_INC FLD_SALES_REV_TURN"),
        ("msft pe ratio", "ISS_MICROSOFT_CORP FLD_PE_RATIO"),
        ("nestle market cap", "ISS_NESTLE_SA"),
        ("stocks that fell this month", "FLD_RETURN_1M"),
        ("stocks that rose over 50% in the past year", "FLD_RETURN_1Y"),
        ("up over 100% in the past 3 years", "FLD_RETURN_3Y"),
        ("gained more than 10% over the last 6 months", "FLD_RETURN_6M"),
        ("companies selling more than 100bn", "FLD_SALES_REV_TURN"),
        ("highest earning companies", "FLD_NET_INCOME"),
        ("biggest earners in switzerland", "FLD_NET_INCOME"),
        ("largest borrowers", "FLD_TOT_DEBT"),
        ("expensive stocks", "FLD_PE_RATIO"),
        ("young companies", "FLD_COMPANY_AGE"),
        ("highest dividend payers", "FLD_DIVIDEND_YIELD"),
        ("companies that raised dividends 10 years in a row", "FLD_YEARS_DIV_GROWTH"),
        ("companies that pay out more than half of profits", "FLD_PAYOUT_RATIO"),
        ("tiny companies", "FLD_MKT_CAP"),
        ("companies with 10000+ employees", "FLD_EMPLOYEES"),
        ("companies without employees", "FLD_EMPLOYEES"),
        ("best esg score", "FLD_ESG_SCORE"),
        ("buy rated stocks", "REC_BUY FLD_ANALYST_RATING"),
        ("capital intensive companies", "FLD_CAPEX"),
        ("insider owned companies", "FLD_INSIDER_OWN"),
        ("cos with growing dividends", "FLD_DPS_GROWTH_1Y"),
        ("best returns over 10 years", "FLD_RETURN_10Y"),
        ("total return last year", "FLD_TOTAL_RETURN_1Y"),
        ("year to date performance of tesla", "FLD_RETURN_YTD ISS_TESLA_INC"),
        ("how has nvidia performed this year", "FLD_RETURN_YTD ISS_NVIDIA_CORP"),
        ("how did apple do today", "FLD_RETURN_1D ISS_APPLE_INC"),
    ],
)
def test_the_words_of_a_query_make_its_fields_and_values_available(query: str, tokens: str) -> None:
    assert set(tokens.split()) <= available(query)


@pytest.mark.parametrize(
    ("query", "token"),
    [
        ("german banks", "FLD_PE_RATIO"),
        ("list all companies in the dax", "FLD_NET_INCOME"),
        ("show me stocks listed in london", "FLD_YEARS_LISTED"),
        ("software companies with a market cap above 5bn", "FLD_PRICE"),
        ("shares of american retailers", "FLD_BUYBACKS"),
    ],
)
def test_a_query_makes_no_field_available_that_it_does_not_speak_of(query: str, token: str) -> None:
    assert token not in available(query)
