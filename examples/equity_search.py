"""The paper's queries, parsed and answered: logical form, what it means, and the table.

python examples/equity_search.py ["another query" ...]
"""

from __future__ import annotations

import sys

import grammax
from grammax.cli.eqs.reports import print_market_answer
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.form.text import from_tokens, pretty
from grammax.tables.query.store import Market

QUERIES = (
    "steel western europe not german",
    "return on capital sp500",
    "Show me all auto firms traded in Nysex whose market cap last quarter was over $1 billion",
    "auto nysex last quarter mcap > $1bn",
    "Top 10 European non-German tech firms sorted by p/b ratio",
)
ROWS = 5


def main(queries: list[str]) -> None:
    """Answer each query."""
    parser = grammax.load("eqs")
    with Market.open() as market:
        for query in queries or QUERIES:
            found = parser.parse(query)
            show(found, len(parser.domain.vocabulary))
            lf = from_tokens(found.tokens)
            print(paraphrase(lf, market.catalogue))
            print_market_answer(market.answer(lf, ROWS), market)
            print()
    print("The page that answers while you type: run `.venv/bin/grammax serve`, and open")
    print("http://127.0.0.1:8000")


def show(found: grammax.Parsed, rows: int) -> None:
    """The logical form, and what it cost."""
    scored = found.scored
    print(f"“{found.text}”\n{pretty(from_tokens(found.tokens))}")
    print(
        f"{1000 * sum(found.seconds):.1f} ms; {len(scored)} tokens, {sum(map(bool, scored))} of "
        f"them chosen among {sum(scored) / max(1, len(scored)):,.0f} rows of {rows:,} on average\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
