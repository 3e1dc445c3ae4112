"""Idioms of the accounts: sales, profit, cash, debt, spending, margins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grammax.tables.idioms import Idioms

ACCOUNTS: Final[Mapping[str, Idioms]] = {
    "FLD_SALES_REV_TURN": Idioms(
        most=("{e} that sell the most", "highest grossing", "top-selling"),
        least=("{e} that sell the least",),
        greater=("selling more than {n}", "with sales over {n}",
                 "generating more than {n} in sales",
                 "with over {n} in sales", "that sell more than {n}", "grossing more than {n}"),
        smaller=("selling less than {n}", "with sales under {n}", "that sell less than {n}",
                 "with less than {n} in sales"),
        absent=("pre-revenue", "without sales", "without revenue", "with no sales"),
        verbs=("sell",),
        agents=("sellers",),
    ),
    "FLD_NET_INCOME": Idioms(
        most=("most profitable", "{e} that make the most money", "{e} making the most money",
              "{e} that earn the most"),
        least=("least profitable", "biggest loss-making", "{e} losing the most money",
               "{e} that lose the most money"),
        greater=("making more than {n}", "earning more than {n}", "earning over {n}",
                 "that earn more than {n}", "making over {n} in profit",
                 "that make more than {n} in profit", "that made over {n}"),
        smaller=("making less than {n}", "earning less than {n}", "that earn less than {n}",
                 "earning under {n}"),
        down=("losing more than {n}", "that lost over {n}", "with losses over {n}",
              "with a loss of more than {n}"),
        positive=("profitable", "profit-making", "that make money", "that make a profit",
                  "with a profit", "in profit", "in the black", "money-making",
                  "that are profitable", "that turn a profit", "making money", "with profits"),
        negative=("loss-making", "unprofitable", "money-losing", "lossmaking", "loss making",
                  "money losing", "that lose money", "with losses", "with a loss", "in the red",
                  "losing money", "that are not profitable", "that make a loss",
                  "making losses", "reporting a loss", "non-profitable"),
        verbs=("earn", "make"),
        agents=("earners", "money makers"),
    ),
    "FLD_EPS": Idioms(
        greater=("earning more than {n} a share", "earning over {n} per share"),
        smaller=("earning less than {n} a share",),
    ),
    "FLD_FREE_CASH_FLOW": Idioms(
        most=("most cash generative", "{e} that generate the most cash"),
        greater=("generating more than {n} of cash", "generating over {n} in free cash flow"),
        positive=("cash generative", "cash-generative", "cash flow positive",
                  "cash-flow positive", "generating cash", "that generate cash"),
        negative=("cash burning", "cash-burning", "cash flow negative", "that burn cash",
                  "burning cash", "cash-flow negative"),
        verbs=("generate",),
        agents=("cash generators", "cash cows"),
    ),
    "FLD_CASH": Idioms(
        more=("cash-rich", "cash rich"),
        less=("cash-poor", "cash-strapped"),
        most=("most cash-rich", "cash-richest", "{e} sitting on the most cash"),
        greater=("sitting on more than {n} of cash",
                 "holding more than {n} in cash", "with more than {n} of cash on hand",
                 "hoarding more than {n}"),
        smaller=("holding less than {n} in cash",),
        verbs=("hold",),
    ),
    "FLD_TOT_DEBT": Idioms(
        more=("heavily indebted", "highly indebted", "indebted", "debt-laden", "debt-heavy"),
        less=("low-debt", "lightly indebted"),
        most=("most indebted", "most heavily indebted", "{e} that owe the most"),
        least=("least indebted", "{e} that owe the least"),
        greater=("owing more than {n}", "that owe more than {n}", "owing over {n}"),
        smaller=("owing less than {n}", "that owe less than {n}"),
        absent=("debt-free", "debt free", "without debt", "with no debt", "without any debt",
                "with zero debt", "that have no debt", "unindebted", "that carry no debt",
                "no debt", "without borrowings", "zero debt"),
        verbs=("owe", "borrow"),
        agents=("borrowers",),
    ),
    "FLD_NET_DEBT": Idioms(
        negative=("with net cash", "in a net cash position", "with a net cash position",
                  "net cash", "net-cash"),
    ),
    "FLD_DEBT_TO_EQUITY": Idioms(
        more=("highly leveraged", "leveraged", "highly geared", "overleveraged"),
        less=("low-leverage", "conservatively financed", "unlevered"),
        most=("most leveraged", "most highly leveraged", "highest leveraged"),
        least=("least leveraged", "lowest leveraged"),
        greater=("leveraged more than {n}", "leveraged over {n}"),
        smaller=("leveraged less than {n}",),
    ),
    "FLD_CAPEX": Idioms(
        more=("capital-intensive", "capital intensive"),
        less=("asset-light", "capital-light"),
        most=("{e} investing the most", "{e} that invest the most"),
        greater=("investing more than {n}", "that invest more than {n}",
                 "spending more than {n} on capex", "spending over {n} on investment"),
        smaller=("investing less than {n}", "spending less than {n} on capex"),
        verbs=("invest",),
    ),
    "FLD_RND_EXPENSE": Idioms(
        more=("research-intensive", "r&d-intensive", "research intensive"),
        most=("{e} spending the most on r&d", "most research-intensive",
              "{e} that spend the most on research"),
        greater=("spending more than {n} on r&d", "spending over {n} on research",
                 "that spend more than {n} on research and development"),
        smaller=("spending less than {n} on r&d", "spending under {n} on research"),
        absent=("without r&d", "that spend nothing on r&d"),
        verbs=("spend on research", "spend on r&d"),
        agents=("r&d spenders", "research spenders"),
    ),
    "FLD_ADVERTISING_EXPENSE": Idioms(
        most=("{e} spending the most on advertising",),
        greater=("spending more than {n} on advertising", "spending over {n} on marketing",
                 "spending more than {n} on ads"),
        agents=("advertisers", "ad spenders"),
    ),
    "FLD_INCOME_TAX": Idioms(
        most=("{e} that pay the most tax", "{e} paying the most tax"),
        least=("{e} that pay the least tax",),
        greater=("paying more than {n} in tax", "paying over {n} in taxes"),
        absent=("that pay no tax", "paying no tax"),
        agents=("taxpayers",),
    ),
    "FLD_TOT_LOANS": Idioms(
        greater=("lending more than {n}", "that lend more than {n}"),
        verbs=("lend",),
    ),
    "FLD_AUM": Idioms(
        greater=("managing more than {n}", "managing over {n} of assets", "that manage over {n}"),
        smaller=("managing less than {n}",),
        verbs=("manage",),
    ),
    "FLD_FOREIGN_SALES": Idioms(
        most=("most international",),
        greater=("selling more than {n} abroad", "exporting more than {n}"),
        verbs=("export",),
        agents=("exporters",),
    ),
    "FLD_CEO_PAY": Idioms(
        most=("{e} with the highest paid ceo", "{e} with the best paid ceos"),
        least=("{e} with the lowest paid ceo",),
        greater=("paying their ceo more than {n}", "whose ceo earns more than {n}",
                 "whose ceo makes over {n}"),
        smaller=("paying their ceo less than {n}", "whose ceo earns less than {n}"),
    ),
    "FLD_REV_PER_EMPLOYEE": Idioms(
        most=("most productive",), least=("least productive",),
    ),
}  # fmt: skip
PROFITABILITY: Final[Mapping[str, Idioms]] = {
    "FLD_OPER_MARGIN": Idioms(
        positive=("profitable at the operating level", "operationally profitable"),
        negative=("operationally loss-making",),
    ),
    "FLD_OPER_INCOME": Idioms(negative=("with operating losses", "with an operating loss")),
    "FLD_NET_MARGIN": Idioms(
        more=("high-margin", "high margin"), less=("low-margin", "low margin", "thin-margin"),
        most=("highest margin", "highest-margin"), least=("lowest margin", "lowest-margin"),
    ),
    "FLD_RETURN_ON_EQUITY": Idioms(
        more=("high-roe",), less=("low-roe",),
        most=("highest roe",),
        greater=("earning more than {n} on equity", "earning over {n} on their equity",
                 "returning more than {n} on equity"),
        smaller=("earning less than {n} on equity",),
    ),
    "FLD_RETURN_ON_ASSETS": Idioms(
        greater=("earning more than {n} on assets",), smaller=("earning less than {n} on assets",)
    ),
    "FLD_ROIC": Idioms(
        greater=("earning more than {n} on invested capital",),
        smaller=("earning less than {n} on invested capital",),
    ),
}  # fmt: skip
