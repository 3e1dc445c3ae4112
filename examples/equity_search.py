"""The paper's queries, parsed and answered: logical form, what it means, and the table.

python examples/equity_search.py ["another query" ...]
"""

from __future__ import annotations

import sys

import grammax
from grammax.cli.ask.report import print_abstention, print_answer
from grammax.cli.loading import explainable
from grammax.domains.eqs.market.build import NOTE
from grammax.tables.form.text import from_tokens, pretty

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
    with grammax.load("eqs") as parser:
        domain = explainable(parser)
        for query in queries or QUERIES:
            found = parser.ask(query, ROWS)
            show(found.parsed, len(domain.vocabulary))
            if found.answer is None:
                print_abstention(found.parsed, domain)
            else:
                print(domain.paraphrase(found.parsed.tokens))
                print_answer(found.answer, nouns=("equity", "equities"), note=f"* {NOTE}")
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
