"""Idioms of trading, owners, people and the environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grammax.tables.idioms import Idioms

TRADING: Final[Mapping[str, Idioms]] = {
    "FLD_VOLATILITY_1Y": Idioms(
        more=("volatile", "highly volatile", "high-volatility", "high volatility"),
        less=("low-volatility", "low volatility", "low vol", "less volatile"),
        most=("most volatile",),
        least=("least volatile", "calmest"),
        greater=("swinging more than {n}", "more volatile than {n}"),
        smaller=("less volatile than {n}",),
    ),
    "FLD_BETA": Idioms(
        more=("high-beta", "high beta"), less=("low-beta", "low beta"),
        most=("highest beta",), least=("lowest beta",),
    ),
    "FLD_VOLUME": Idioms(
        more=("heavily traded", "actively traded", "liquid", "active"),
        less=("thinly traded", "illiquid", "lightly traded"),
        most=("most traded", "most actively traded", "most liquid", "most active",
              "most heavily traded"),
        least=("least traded", "least liquid", "most illiquid", "most thinly traded"),
        greater=("trading more than {n} shares", "that trade over {n} shares a day",
                 "with more than {n} shares traded"),
        smaller=("trading fewer than {n} shares", "that trade under {n} shares a day"),
        absent=("untraded", "that did not trade"),
        verbs=("trade",),
    ),
    "FLD_SHORT_INTEREST_PCT": Idioms(
        more=("heavily shorted", "highly shorted"),
        less=("lightly shorted",),
        most=("most shorted", "most heavily shorted"),
        least=("least shorted",),
        greater=("more than {n} shorted", "with over {n} of float shorted",
                 "with more than {n} of shares sold short", "shorted more than {n}"),
        smaller=("less than {n} shorted", "with under {n} of float shorted"),
    ),
    "FLD_ANALYSTS": Idioms(
        more=("widely covered", "well covered"), less=("underfollowed", "little covered"),
        most=("most covered", "most widely followed", "most followed"),
        least=("least covered", "least followed"),
        greater=("covered by more than {n} analysts", "followed by over {n} analysts",
                 "with more than {n} analysts covering them"),
        smaller=("covered by fewer than {n} analysts", "followed by fewer than {n} analysts"),
        absent=("without analyst coverage", "without analysts", "uncovered",
                "with no analyst coverage"),
    ),
    "FLD_INSIDER_OWN": Idioms(
        greater=("more than {n} owned by insiders", "over {n} insider owned",
                 "with insiders owning more than {n}"),
        smaller=("less than {n} owned by insiders",),
    ),
    "FLD_INSTITUTION_OWN": Idioms(
        greater=("more than {n} owned by institutions", "with institutions owning over {n}"),
        smaller=("less than {n} owned by institutions",),
    ),
    "FLD_GOVERNMENT_OWN": Idioms(
        greater=("more than {n} owned by the state", "more than {n} state owned",
                 "over {n} owned by the government"),
        positive=("state-owned", "state owned", "government-owned", "government owned"),
    ),
    "FLD_EPS_SURPRISE": Idioms(
        positive=("that beat estimates", "that beat expectations", "that beat earnings estimates"),
        negative=("that missed estimates", "that missed expectations"),
        greater=("that beat estimates by more than {n}", "that beat expectations by over {n}"),
        down=("that missed estimates by more than {n}",),
    ),
    "FLD_RSI_14D": Idioms(most=("most overbought",), least=("most oversold",)),
}  # fmt: skip
PEOPLE: Final[Mapping[str, Idioms]] = {
    "FLD_EMPLOYEES": Idioms(
        greater=("employing more than {n} people", "with over {n} staff", "employing over {n}",
                 "with more than {n} workers", "with more than {n} people",
                 "that employ more than {n} people"),
        smaller=("employing fewer than {n} people", "with under {n} staff",
                 "employing less than {n} people", "that employ fewer than {n} people",
                 "with fewer than {n} workers"),
        verbs=("employ",),
        agents=("employers", "employer"),
    ),
    "FLD_COMPANY_AGE": Idioms(
        more=("old", "long-established"), less=("young", "recently founded"),
        most=("oldest",), least=("youngest", "newest"),
        greater=("older than {n} years", "more than {n} years old", "over {n} years old",
                 "founded more than {n} years ago", "in business for over {n} years"),
        smaller=("younger than {n} years", "less than {n} years old", "under {n} years old",
                 "founded less than {n} years ago"),
    ),
    "FLD_YEARS_LISTED": Idioms(
        less=("recently listed", "newly listed"),
        least=("most recently listed", "{e} with the most recent ipo", "latest ipo"),
        most=("longest listed",),
        greater=("listed for more than {n} years", "listed more than {n} years ago",
                 "public for over {n} years"),
        smaller=("listed for less than {n} years", "listed less than {n} years ago",
                 "public for less than {n} years", "that went public less than {n} years ago"),
    ),
    "FLD_WOMEN_BOARD_PCT": Idioms(
        most=("{e} with the most women on the board", "{e} with the most female boards"),
        least=("{e} with the fewest women on the board",),
        greater=("with more than {n} women on the board", "with over {n} female directors",
                 "with boards more than {n} female"),
        smaller=("with fewer than {n} women on the board", "with under {n} female directors"),
        absent=("without women on the board", "with no women on the board",
                "with an all-male board"),
    ),
    "FLD_CEO_TENURE": Idioms(most=("{e} with the longest serving ceo",)),
    "FLD_ESG_SCORE": Idioms(
        more=("sustainable",), less=("unsustainable",),
        most=("most sustainable", "greenest"),
        least=("least sustainable",),
    ),
    "FLD_CO2_EMISSIONS": Idioms(
        more=("polluting", "dirty", "carbon-intensive"),
        less=("low-carbon", "low carbon", "low-emission"),
        most=("most polluting", "dirtiest", "{e} that emit the most"),
        least=("least polluting", "cleanest", "{e} that emit the least"),
        greater=("emitting more than {n}", "emitting over {n} tonnes", "that emit more than {n}"),
        smaller=("emitting less than {n}", "emitting under {n} tonnes", "that emit less than {n}"),
        absent=("carbon-free", "emission-free"),
        verbs=("emit", "pollute"),
        agents=("polluters", "emitters"),
    ),
    "FLD_STORES": Idioms(
        greater=("operating more than {n} stores", "running over {n} shops"),
        smaller=("operating fewer than {n} stores",),
        verbs=("operate",),
    ),
    "FLD_CUSTOMERS": Idioms(
        greater=("serving more than {n} customers", "serving over {n} people"),
        smaller=("serving fewer than {n} customers",),
        verbs=("serve",),
    ),
    "FLD_PATENTS": Idioms(
        most=("most innovative",),
        greater=("holding more than {n} patents", "owning over {n} patents"),
    ),
}  # fmt: skip
