"""Numbers and times as people type them, with their readings."""

from __future__ import annotations

from grammax.tables.catalogue.entries import Value
from grammax.tables.mentions.reader import MentionReader

UNITS = (
    Value("CUR_USD", "CURRENCY", "US Dollar", ("usd", "$", "us$", "dollar", "us dollars", "bucks")),
    Value("CUR_EUR", "CURRENCY", "Euro", ("eur", "€", "euros")),
    Value("CUR_GBP", "CURRENCY", "Pound Sterling", ("gbp", "£", "pound", "pounds")),
    Value("CUR_HKD", "CURRENCY", "Hong Kong Dollar", ("hkd", "hk$", "hong kong dollars")),
    Value("CUR_CHF", "CURRENCY", "Swiss Franc", ("chf", "swiss francs")),
    Value("CUR_KRW", "CURRENCY", "Won", ("krw", "₩", "korean won")),
    Value("CUR_TRY", "CURRENCY", "Turkish Lira", ("try", "lira")),
    Value("CUR_TOP", "CURRENCY", "Pa’anga", ("top",)),
    Value("CUR_AMD", "CURRENCY", "Armenian Dram", ("amd",)),
)
READER = MentionReader(UNITS)

NUMBERS = {
    "15": "NUMBER 15", "1,000": "NUMBER 1000", "1 000": "NUMBER 1000", "1'000": "NUMBER 1000",
    "1.000": "NUMBER 1.000", "1.000.000": "NUMBER 1000000", "1.000,50": "NUMBER 1000.50",
    "1,00,000": "NUMBER 100000", "2,5": "NUMBER 2.5", "1e9": "NUMBER 1000000000",
    ".5": "NUMBER 0.5", "1/2": "NUMBER 0.5", "½": "NUMBER 0.5", "2½": "NUMBER 2.5",
    "1 1/2": "NUMBER 1.5", "٣": "NUMBER 3", "10+": "NUMBER 10", "007": "NUMBER 7",
    "twenty": "NUMBER 20", "Twenty-Five": "NUMBER 25", "one hundred and fifty": "NUMBER 150",
    "a hundred": "NUMBER 100", "a dozen": "NUMBER 12", "two thirds": "NUMBER 0.6667",
    "two thousand five hundred": "NUMBER 2500", "half of": "NUMBER 0.5", "zero": "NUMBER 0",
    "twice": "NUMBER 2", "three times": "NUMBER 3", "2.5x": "NUMBER 2.5", "tenfold": "NUMBER 10",
    "1½x": "NUMBER 1.5", "minus one": "NUMBER -1",
    "point five": "NUMBER 0.5", "1_000": "NUMBER 1000",
    "5-fold": "NUMBER 5", "thrice": "NUMBER 3",
    "2 million": "LARGE_NUMBER 2 MILLION", "10k": "LARGE_NUMBER 10 THOUSAND",
    "three million": "LARGE_NUMBER 3 MILLION", "half a billion": "LARGE_NUMBER 0.5 BILLION",
    "a billion": "LARGE_NUMBER 1 BILLION", "1 and a half billion": "LARGE_NUMBER 1.5 BILLION",
    "two point five trillion": "LARGE_NUMBER 2.5 TRILLION", "5 mln": "LARGE_NUMBER 5 MILLION",
    "500 crore": "LARGE_NUMBER 5 BILLION", "10+ bn": "LARGE_NUMBER 10 BILLION",
    "$1bn": "AMOUNT 1 BILLION  CUR_USD", "5 euros": "AMOUNT 5 CUR_EUR", "5 $": "AMOUNT 5 CUR_USD",
    "-$5": "AMOUNT -5 CUR_USD", "$-5": "AMOUNT -5 CUR_USD", "$$5": "AMOUNT 5 CUR_USD",
    "HK$5m": "AMOUNT 5 MILLION  CUR_HKD", "usd 5 mn": "AMOUNT 5 MILLION  CUR_USD",
    "2 million Swiss francs": "AMOUNT 2 MILLION  CUR_CHF", "eur10": "AMOUNT 10 CUR_EUR",
    "trillion dollar": "AMOUNT 1 TRILLION  CUR_USD", "$5 usd": "AMOUNT 5 CUR_USD",
    "5musd": "AMOUNT 5 MILLION  CUR_USD", "2.50 try": "AMOUNT 2.50 CUR_TRY",
    "500 billion won": "AMOUNT 500 BILLION  CUR_KRW", "5bn TRY": "AMOUNT 5 BILLION  CUR_TRY",
    "5 %": "PERCENT_NUMBER 5 PCT", "-5%": "PERCENT_NUMBER -5 PCT", "10%%": "PERCENT_NUMBER 10 PCT",
    "minus 5 percent": "PERCENT_NUMBER -5 PCT", "25bps": "PERCENT_NUMBER 25 BPS",
    "5 per cent": "PERCENT_NUMBER 5 PCT", "25 basis points": "PERCENT_NUMBER 25 BPS",
    "2 percentage points": "PERCENT_NUMBER 2 PCT", "half a percent": "PERCENT_NUMBER 0.5 PCT",
}  # fmt: skip
"""The best reading: kind and tokens, with a space beside those that are words."""

TIMES = {
    "2023": "2023", "'23": "2023", "fy23": "FY 2023", "FY 2023": "FY 2023",
    "fiscal year 2023": "FY 2023", "cy2023": "2023", "q2 2024": "Q2 2024", "2Q24": "Q2 2024",
    "q2/2024": "Q2 2024", "2024 q2": "Q2 2024", "q2'24": "Q2 2024",
    "second quarter of 2024": "Q2 2024", "last quarter of 2024": "Q4 2024",
    "june 2018": "2018 JUN", "Jun 2018": "2018 JUN", "06/2018": "2018 JUN", "2018-06": "2018 JUN",
    "june 23, 2018": "2018 JUN 23", "23 june 2018": "2018 JUN 23",
    "23rd of June 2018": "2018 JUN 23", "2018-06-23": "2018 JUN 23", "06/23/2018": "2018 JUN 23",
    "23/06/2018": "2018 JUN 23", "3/4/2020": "2020 MAR 4", "23.06.2018": "2018 JUN 23",
    "2018-02-28": "2018 FEB 28", "2018-06-23T10:30": "2018 JUN 23",
    "last quarter": "LAST  QUARTER", "past year": "LAST  YEAR",
    "last 3 months": "LAST 3 MONTH", "past three years": "LAST 3 YEAR",
    "trailing twelve months": "LAST 12 MONTH", "last decade": "LAST 10 YEAR",
    "last 5y": "LAST 5 YEAR", "a year ago": "LAST  YEAR", "yesterday": "LAST  DAY",
    "last fiscal year": "LAST  YEAR", "past half year": "LAST 6 MONTH", "q4 23": "Q4 2023",
    "last 3 consecutive years": "LAST 3 YEAR", "3rd quarter 2021": "Q3 2021",
    "twenty twenty three": "2023",
}  # fmt: skip
