"""Logical forms in English."""

from __future__ import annotations

import pytest
from hypothesis import given
from tables import films
from tables.form.samples import CATALOGUE, alternating, logical_forms, nested_nots
from tables.searched import films as searched_films

from grammax.domains.eqs.schema import EQUITIES, exchange_name, sector_name
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.english.phrases import is_plural, lowered, place_name
from grammax.tables.form.text import read
from grammax.tables.form.tree import FieldRef, Number, Relational

SAID = """
(AND (NOT (FLD_DOMICILE EQ COU_GERMANY)) (FLD_DOMICILE EQ COU_WESTERN_EUROPE) (FLD_EQS_SECTOR EQ SEC_GICS_STEEL))
companies domiciled in Western Europe, except Germany, in the steel sector

(AND (FLD_INDEX EQ IDX_SP500) (display FLD_RETURN_ON_CAP))
companies in the S&P 500, showing return on capital

(AND (FLD_EXCHANGE EQ EXC_XNYS) (FLD_MKT_CAP(LAST QUARTER) GR 1 BILLION CUR_USD))
companies listed on the New York Stock Exchange whose market cap last quarter was above $1 billion

(AND (top 10 FLD_MKT_CAP) (FLD_DOMICILE EQ COU_EUROPE) (NOT (FLD_DOMICILE EQ COU_GERMANY)) (display FLD_PB_RATIO DESC))
the 10 largest companies by market cap among those domiciled in Europe, except Germany, showing P/B ratio, sorted by P/B ratio, highest first

(top 10 FLD_MKT_CAP)
the 10 largest companies by market cap

(bottom 1 FLD_EMPLOYEES)
the smallest company by number of employees

(bottom 1500 FLD_PE_RATIO(FY 2023))
the 1,500 companies with the lowest P/E ratio in fiscal year 2023

(AND (top 10 FLD_MKT_CAP) (FLD_EXCHANGE EQ EXC_XETR) (bottom 5 FLD_PE_RATIO))
the 5 companies with the lowest P/E ratio among the 10 largest companies by market cap among those listed on Xetra

(OR (top 10 FLD_MKT_CAP) (FLD_EXCHANGE EQ EXC_XETR))
companies either among the 10 largest by market cap or listed on Xetra

(NOT (top 1 FLD_PE_RATIO))
companies that are not the one with the highest P/E ratio

(NOT (AND (top 10 FLD_MKT_CAP) (FLD_EXCHANGE EQ EXC_XETR)))
companies either not among the 10 largest by market cap or not listed on Xetra

(display FLD_MKT_CAP)
all companies, showing market cap

(AND (FLD_DOMICILE(2018) EQ COU_GERMANY) (display FLD_PRICE(LAST 3 MONTH)) (display FLD_DOMICILE ASC) (display FLD_EPS DESC))
companies domiciled in Germany in 2018, showing price 3 months ago, country of domicile and EPS, sorted by country of domicile, A to Z, then by EPS, highest first

(NOT (display FLD_PRICE))
companies for which price is not shown

(OR (FLD_DOMICILE EQ COU_GERMANY) (OR (FLD_DOMICILE EQ COU_UNITED_STATES) (FLD_DOMICILE EQ COU_FRANCE)))
companies domiciled in Germany, the United States or France

(NOT (OR (FLD_DOMICILE EQ COU_GERMANY) (FLD_DOMICILE EQ COU_FRANCE)))
companies not domiciled in Germany or France

(FLD_DOMICILE NEQ COU_GERMANY)
companies not domiciled in Germany

(OR (FLD_DOMICILE EQ COU_GERMANY) (FLD_INDEX EQ IDX_DAX))
companies either domiciled in Germany or in the DAX

(NOT (AND (FLD_DOMICILE EQ COU_GERMANY) (FLD_INDEX EQ IDX_DAX)))
companies either not domiciled in Germany or not in the DAX

(OR (FLD_DOMICILE EQ COU_GERMANY) (FLD_MKT_CAP GE 1500000000 CUR_EUR))
companies that are domiciled in Germany or whose market cap is at least €1.5 billion

(AND (FLD_INDEX EQ IDX_SP500) (OR (FLD_DOMICILE EQ COU_GERMANY) (FLD_EPS GE 2)))
companies in the S&P 500 (that are domiciled in Germany or whose EPS is at least 2)

(OR (AND (FLD_DOMICILE EQ COU_GERMANY) (FLD_INDEX EQ IDX_DAX)) (FLD_INDEX EQ IDX_SP500))
companies that are both domiciled in Germany and in the DAX or that are in the S&P 500

(OR (AND (FLD_DOMICILE EQ COU_GERMANY) (FLD_PE_RATIO LS 10)) (AND (FLD_DOMICILE EQ COU_FRANCE) (FLD_PE_RATIO LS 12)))
companies (that are domiciled in Germany and whose P/E ratio is below 10) or (that are domiciled in France and whose P/E ratio is below 12)

(AND (FLD_PE_RATIO GE 10) (FLD_TOTAL_ASSETS LE 5 THOUSAND CUR_CHF) (FLD_PE_RATIO LS 15.50))
companies whose P/E ratio is at least 10 and below 15.50 and whose total assets are at most 5,000 CHF

(FLD_PRICE(2018 JUN 23) EQ 100 CUR_USD)
companies whose price on 23 June 2018 was $100

(FLD_TOTAL_ASSETS(2018 JUN) NEQ 1234567)
companies whose total assets in June 2018 were not 1,234,567

(FLD_SALES_REV_TURN(Q2 2024) GR FLD_SALES_REV_TURN(Q2 2023))
companies whose revenue in Q2 2024 was above their revenue in Q2 2023

(NOT (FLD_MOODY LS MDY_BAA3))
companies whose Moody's rating is not below Baa3

(FLD_MOODY GE MDY_BAA3)
companies whose Moody's rating is Baa3 or above

(FLD_COUNTRY_OF_RISK EQ COU_GERMANY)
companies whose country of risk is Germany

(OR (FLD_RETURN_ON_CAP GR 5 PCT) (FLD_RETURN_ON_CAP LS 1 BPS))
companies whose return on capital is above 5% or below 1 basis point

(OR (FLD_EQS_SECTOR EQ SEC_GICS_STEEL) (FLD_EQS_SECTOR EQ SEC_GICS_INFORMATION_TECHNOLOGY))
companies in the steel sector or the information technology sector

(AND (FLD_EQS_SECTOR EQ SEC_GICS_MATERIALS) (FLD_EQS_SECTOR NEQ SEC_GICS_STEEL) (FLD_INDEX NEQ IDX_DAX))
companies in the materials sector, except steel, not in the DAX

(AND (FLD_EMPLOYEES GR 10 THOUSAND) (FLD_SALES_GROWTH_1Y LS 5 PCT))
companies whose number of employees is above 10,000 and whose revenue growth (1 year) is below 5%

(AND (FLD_OUTLOOK EQ OUT_POSITIVE) (NOT (FLD_ISSUER EQ ISS_APPLE)))
companies not named Apple Inc whose Moody's outlook is positive

(FLD_EPS LS -2.50 CUR_USD)
companies whose EPS is below -$2.50

(FLD_NO_SUCH EQ COU_NEVER_LAND)
companies whose no such is Never Land

(top FLD_MKT_CAP)
companies by market cap, largest first

(AND (FLD_DOMICILE EQ COU_GERMANY) (top FLD_MKT_CAP))
companies domiciled in Germany, by market cap, largest first

(AND (FLD_DOMICILE EQ COU_GERMANY) (bottom FLD_PE_RATIO) (display FLD_EPS))
companies domiciled in Germany, by P/E ratio, lowest first, showing EPS

(AND (top 10 FLD_MKT_CAP) (bottom FLD_PE_RATIO))
the 10 largest companies by market cap, by P/E ratio, lowest first

(AND (top FLD_MKT_CAP) (bottom 5 FLD_PE_RATIO))
the 5 companies with the lowest P/E ratio among the companies with a known market cap

(NOT (top FLD_MKT_CAP))
companies without a known market cap

(OR (top FLD_MKT_CAP) (FLD_INDEX EQ IDX_DAX))
companies either with a known market cap or in the DAX

(top FLD_MOODY)
companies by Moody's rating, highest first

((ratio FLD_MKT_CAP FLD_SALES_REV_TURN) GR 2)
companies whose market cap is more than 2 times their revenue

((ratio FLD_MKT_CAP FLD_SALES_REV_TURN(2023)) LS 50 PCT)
companies whose market cap is less than 50% of their revenue in 2023

((ratio FLD_TOTAL_ASSETS(2023) FLD_SALES_REV_TURN(2023)) GR 1)
companies whose total assets in 2023 were more than their revenue in 2023

(AND ((ratio FLD_MKT_CAP FLD_SALES_REV_TURN) GR 2) ((ratio FLD_MKT_CAP FLD_SALES_REV_TURN) LE 3))
companies whose market cap is more than 2 times and at most 3 times their revenue

(NOT ((ratio FLD_MKT_CAP FLD_SALES_REV_TURN) GR 2))
companies whose market cap is not more than 2 times their revenue

((ratio FLD_MKT_CAP FLD_EPS) LS 0)
companies whose market cap divided by EPS is negative

((ratio FLD_MKT_CAP FLD_EPS) GR -2)
companies whose market cap divided by EPS is above -2

(display (ratio FLD_MKT_CAP FLD_EMPLOYEES) DESC)
all companies, showing market cap divided by number of employees, sorted by market cap divided by number of employees, highest first

(top 5 (ratio FLD_MKT_CAP FLD_EMPLOYEES))
the 5 companies with the highest ratio of market cap to number of employees

(top (ratio FLD_MKT_CAP FLD_EMPLOYEES))
companies by market cap divided by number of employees, highest first

((change FLD_EPS(LAST 3 YEAR)) GR 10 PCT)
companies whose EPS rose by more than 10% over the last 3 years

((change FLD_EPS(LAST YEAR)) LS -20 PCT)
companies whose EPS fell by more than 20% last year

((change FLD_EPS(2018 JUN 23)) LS 10)
companies whose change in EPS since 23 June 2018 is below 10%

((change FLD_EPS(2018)) GR 0)
companies whose EPS rose since 2018

(AND ((change FLD_EPS(LAST YEAR)) GE 5 PCT) ((change FLD_EPS(LAST YEAR)) LS 1000 BPS))
companies whose change in EPS last year is at least 5% and below 1,000 basis points

(NOT ((change FLD_EPS(Q2 2024)) LS 0))
companies whose EPS did not fall since Q2 2024

(top 5 (change FLD_TOTAL_ASSETS(LAST 6 MONTH)))
the 5 companies with the highest change in total assets over the last 6 months

(display (change FLD_TOTAL_ASSETS(LAST 6 MONTH)))
all companies, showing change in total assets over the last 6 months

(FLD_EPS GR 0)
companies whose EPS is positive

(FLD_EPS(2023) LS 0)
companies whose EPS in 2023 was negative

(FLD_TOTAL_ASSETS EQ 0)
companies with no total assets

(FLD_EMPLOYEES EQ 0)
companies whose number of employees is zero

(AND (FLD_TOTAL_ASSETS EQ 0) (FLD_DOMICILE EQ COU_GERMANY) (FLD_EPS GR 0))
companies domiciled in Germany with no total assets and whose EPS is positive

(NOT (FLD_EPS GR 0 CUR_USD))
companies whose EPS is not positive

(FLD_EPS GE 0)
companies whose EPS is zero or positive

(FLD_SALES_GROWTH_1Y LS -20 PCT)
companies whose revenue growth (1 year) is below -20%

(OR (FLD_ISSUER EQ ISS_APPLE) (FLD_ISSUER EQ ISS_PEPSI))
companies named Apple Inc or Pepsi

(AND (FLD_INDEX EQ IDX_DAX) (FLD_INDEX EQ IDX_SP500))
companies in the DAX and in the S&P 500

(AND (OR (FLD_ISSUER EQ ISS_APPLE) (FLD_ISSUER EQ ISS_PEPSI)) (display FLD_EPS))
companies named Apple Inc or Pepsi, showing EPS

(count)
the number of companies

(AND (count) (FLD_DOMICILE EQ COU_GERMANY) (FLD_EPS GR 0))
the number of companies domiciled in Germany whose EPS is positive

(AND (FLD_EQS_SECTOR EQ SEC_GICS_STEEL) (by FLD_DOMICILE) (top (count)))
the number of companies in the steel sector, by country of domicile, highest first

(AND (average FLD_PE_RATIO) (top 10 FLD_MKT_CAP))
the average P/E ratio of the 10 largest companies by market cap

(AND (average FLD_PE_RATIO) (top FLD_MKT_CAP))
the average P/E ratio of the companies with a known market cap

(AND (average FLD_PE_RATIO) (FLD_EQS_SECTOR EQ SEC_GICS_STEEL) (by FLD_DOMICILE) (top (average FLD_PE_RATIO)))
the average P/E ratio of companies in the steel sector, by country of domicile, highest first

(AND (by FLD_DOMICILE) ((count) GR 5) (top 3 (count)))
the number of companies by country of domicile, only countries with more than 5 companies, of these the 3 with the most companies

(AND (count) (average FLD_PE_RATIO) (sum FLD_TOTAL_ASSETS) (max FLD_MKT_CAP) (min FLD_EPS(2023)) (by YEAR) (by FLD_EQS_SECTOR))
the number, average P/E ratio, sum of total assets, maximum market cap and minimum EPS in 2023 of companies by year and sector

(AND (by FLD_DOMICILE) ((count) GE 1) ((average FLD_MKT_CAP) GR 5 BILLION CUR_USD) (bottom 1 (median FLD_PE_RATIO)))
the number, average market cap and median P/E ratio of companies by country of domicile, only countries with at least 1 company and whose average market cap is above $5 billion, of these the one with the lowest median P/E ratio

(AND (by FLD_DOMICILE) (by FLD_EQS_SECTOR) ((count) GR 0) (top 1 (count)) (display FLD_DOMICILE ASC))
the number of companies by country of domicile and sector, only groups with any companies, of these the one with the most companies, showing country of domicile, sorted by country of domicile, A to Z

(top (count))
the number of companies

((average FLD_EPS) GR 5)
the average EPS of companies, only if the average EPS is above 5

(OR (count) (by YEAR))
companies for which number of companies is shown or for which groups by year are made

(NOT ((count) GR 5))
companies whose number of companies is not above 5

(NOT (AND (count) (top 3 (average FLD_EPS))))
companies for which number of companies is not shown or that are not among the 3 with the highest average EPS

(AND (sum FLD_EMPLOYEES) (FLD_DOMICILE EQ COU_GERMANY))
the total number of employees of companies domiciled in Germany

(AND (FLD_PE_RATIO GE 0) (FLD_PE_RATIO LE 20))
companies whose P/E ratio is between 0 and 20

(AND (FLD_MKT_CAP LE 20 BILLION CUR_USD) (FLD_MKT_CAP GE 500 MILLION CUR_USD))
companies whose market cap is between $500 million and $20 billion

(AND (FLD_PE_RATIO GE 10) (FLD_PE_RATIO LE 5))
companies whose P/E ratio is at least 10 and at most 5

(OR (FLD_PE_RATIO LE 10) (FLD_PE_RATIO GE 20))
companies whose P/E ratio is at most 10 or at least 20

(AND (OR (FLD_ISSUER EQ ISS_APPLE) (FLD_ISSUER EQ ISS_PEPSI)) (OR (FLD_INDEX EQ IDX_DAX) (FLD_INDEX EQ IDX_SP500)))
companies named Apple Inc or Pepsi, in the DAX or S&P 500

(OR (FLD_ISSUER EQ ISS_APPLE) (OR (FLD_ISSUER EQ ISS_PEPSI) (FLD_INDEX EQ IDX_DAX)))
companies either named Apple Inc or Pepsi or in the DAX

((ratio FLD_SALES_REV_TURN FLD_EMPLOYEES) GR 3)
companies whose revenue divided by number of employees is above 3

(AND (NOT (FLD_EQS_SECTOR EQ SEC_GICS_STEEL)) (FLD_INDEX EQ IDX_DAX))
companies in the DAX, not in the steel sector

(AND (FLD_EMPLOYEES GR 0) (FLD_TOTAL_ASSETS NEQ 0) (FLD_MKT_CAP EQ 0 CUR_USD))
companies whose number of employees is positive, whose total assets are not zero and with no market cap
""".strip()  # noqa: E501


FILMS = """
(AND (FLD_GENRE EQ GEN_DRAMA) (top FLD_LENGTH))
films whose genre is Drama, by length, largest first

(AND (FLD_DIRECTOR EQ DIR_JANE_CAMPION) (count))
the number of films directed by Jane Campion

(AND (OR (FLD_DIRECTOR EQ DIR_JANE_CAMPION) (FLD_DIRECTOR EQ DIR_SOFIA_COPPOLA)) (average FLD_LENGTH))
the average length of films directed by Jane Campion or Sofia Coppola

(AND (by FLD_GENRE) ((count) GR 5) (top 3 (count)))
the number of films by genre, only genres with more than 5 films, of these the 3 with the most films

(AND (median FLD_LENGTH) (by FLD_DIRECTOR) (bottom 5 (median FLD_LENGTH)))
the median length of films by director, only the 5 directors with the lowest median length

(AND (by FLD_GRADE) (top 1 (max FLD_YEAR)))
the maximum year of films by grade, only the grade with the highest maximum year

(AND (by FLD_GENRE) (top (average FLD_LENGTH)))
the average length of films by genre, highest first

(AND (FLD_YEAR GR 1960) (FLD_LENGTH LS 90) (display FLD_YEAR ASC))
films whose year is after 1960 and whose length is below 90 minutes, showing year, sorted by year, earliest first

(AND (FLD_YEAR GE 1960) (FLD_YEAR LE 1969) (FLD_LENGTH EQ 1))
films whose year is between 1960 and 1969 and whose length is 1 minute

(NOT (FLD_YEAR GE 1960))
films whose year is not 1960 or later

(bottom 3 FLD_YEAR)
the 3 films with the earliest year

(AND (OR (FLD_GENRE EQ GEN_DRAMA) (FLD_GENRE EQ GEN_WAR)) (FLD_GRADE LS GRD_R))
films whose genre is Drama or War and whose grade is below R

(AND (by FLD_GRADE) ((average FLD_LENGTH) GE 120))
the average length of films by grade, only grades whose average length is at least 120 minutes
""".strip()  # noqa: E501


@pytest.mark.parametrize("pair", FILMS.split("\n\n"))
def test_summaries_speak_of_the_entity_of_the_schema(pair):
    text, said = pair.split("\n")
    assert paraphrase(read(text), films.catalogue()) == said


@pytest.mark.parametrize("pair", SAID.split("\n\n"))
def test_paraphrases(pair):
    text, said = pair.split("\n")
    assert paraphrase(read(text), CATALOGUE) == said


@given(logical_forms)
def test_every_logical_form_has_a_paraphrase(lf):
    said = paraphrase(lf, CATALOGUE)
    assert said == paraphrase(read(str(lf)), CATALOGUE)
    assert "companies" in said or "company" in said
    assert said == " ".join(said.split())
    assert said.count("(") == said.count(")")


def test_deep_trees_have_a_paraphrase():
    atom = Relational(FieldRef("FLD_PRICE"), "GR", Number("5"))
    said = paraphrase(nested_nots(20_001, atom), CATALOGUE)
    assert said == "companies whose price is not above 5"
    assert paraphrase(alternating(5_000, atom), CATALOGUE).count("(") == 4_998


def in_eqs(name: str) -> str:
    """A name inside a sentence, where the schema knows proper names."""
    return lowered(name, EQUITIES.proper)


@pytest.mark.parametrize(
    ("function", "given_name", "expected"),
    [
        (place_name, "United Kingdom", "the United Kingdom"),
        (place_name, "Middle East", "the Middle East"),
        (place_name, "Western Europe", "Western Europe"),
        (place_name, "Euro area", "the euro area"),
        (place_name, "Emerging markets", "emerging markets"),
        (sector_name, "Steel (sub-industry)", "the steel sub-industry"),
        (exchange_name, "London Stock Exchange", "the London Stock Exchange"),
        (exchange_name, "Nasdaq", "Nasdaq"),
        (in_eqs, "Moody's Rating", "Moody's rating"),
        (lowered, "EBITDA Margin", "EBITDA margin"),
        (is_plural, "shares outstanding", True),
        (is_plural, "dividends paid", True),
        (is_plural, "assets under management", True),
        (is_plural, "years since listing", True),
        (is_plural, "property, plant and equipment", False),
        (is_plural, "gross profit", False),
        (is_plural, "status", False),
    ],
)
def test_names_in_a_sentence(function, given_name, expected):
    assert function(given_name) == expected


@pytest.mark.parametrize(
    ("form", "english"),
    [
        ('(FLD_TITLE CONTAINS "star wars")', "films whose title contains “star wars”"),
        ('(NOT (FLD_TITLE CONTAINS "star"))', "films whose title does not contain “star”"),
        ('(OR (FLD_TITLE CONTAINS "a") (FLD_TITLE CONTAINS "b"))',
         "films whose title contains “a” or “b”"),
        ('(AND (NOT (FLD_TITLE CONTAINS "a")) (NOT (FLD_TITLE CONTAINS "b")))',
         "films whose title does not contain “a” or “b”"),
        ('(AND (FLD_TITLE CONTAINS "a") (NOT (FLD_TITLE CONTAINS "b")))',
         "films whose title contains “a” and does not contain “b”"),
    ],
)  # fmt: skip
def test_texts_are_quoted(form: str, english: str) -> None:
    names = searched_films()
    assert paraphrase(read(form, names), names) == english
