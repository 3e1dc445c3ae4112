"""The real equities that the market is built on, without figures.

Names, listings and index memberships come from packages on PyPI, the rest from tables compiled by
hand. `scripts/build_equities.py` writes the file, and `data/NOTICE-equities` lists the sources.

>>> sap = next(equity for equity in load_equities() if equity.ticker == "SAP.DE")
>>> sap.domicile, sap.exchange, sap.currency, sap.sub_industry
('COU_GERMANY', 'EXC_XETR', 'CUR_EUR', 'SEC_GICS_APPLICATION_SOFTWARE')
>>> sap.indices
('IDX_DAX', 'IDX_EURO_STOXX_50', 'IDX_TECDAX')
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Final, final

from grammax.errors import FileFormatError

FILE: Final = Path(__file__).parents[1] / "data" / "equities.tsv.gz"
FORMAT: Final = "grammax-equities 1"
REAL: Final = frozenset(
    {
        "FLD_DOMICILE", "FLD_COUNTRY_LISTING", "FLD_EQS_SECTOR", "FLD_EXCHANGE", "FLD_INDEX",
        "FLD_ISSUER",
    }
)  # fmt: skip
"""The fields whose values are not generated."""


@final
@dataclass(frozen=True, slots=True)
class Equity:
    """A share of a company at its main exchange; tokens are those of the default catalogue."""

    ticker: str
    """The unique ticker: `F`, `SAP.DE`, `7203.T`."""
    name: str
    issuer: str | None
    """The company's ISS_ token, if the catalogue has the company."""
    domicile: str
    """The country of the head office."""
    country: str
    """The country of the exchange."""
    sub_industry: str
    """The finest level of GICS, by hand: not the official assignment."""
    exchange: str
    currency: str
    indices: tuple[str, ...]
    """Memberships of the indices with known members."""
    size: str
    """Class of market value, SIZ_MEGA_CAP to SIZ_MICRO_CAP: approximate."""
    size_rank: int | None
    """Rank by market value among companies that file with the SEC, 0 the largest, if known."""
    fiscal_year_end: int
    """The month in which the fiscal year ends, 1 to 12."""

    def __post_init__(self) -> None:
        if not self.ticker or not self.name:
            raise ValueError(f"an equity needs a ticker and a name: {self!r}")
        if not 1 <= self.fiscal_year_end <= 12:
            raise ValueError(f"{self.ticker}: {self.fiscal_year_end} is not a month, 1 to 12")


@cache
def load_equities() -> tuple[Equity, ...]:
    """The shipped equities, by ticker."""
    return read_equities(FILE)


def read_equities(path: Path) -> tuple[Equity, ...]:
    """Equities from a file that `pack_equities` wrote."""
    try:
        head, *lines = gzip.decompress(path.read_bytes()).decode().splitlines()
        if head != FORMAT:
            raise FileFormatError(f"{path} begins with {head[:40]!r}, not with {FORMAT!r}")
        return tuple(_decode(line) for line in lines)
    except (EOFError, OSError, UnicodeDecodeError, ValueError, zlib.error) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise FileFormatError(
            f"{path} is not a file of equities ({error}); install grammax again, or make it with "
            f"scripts/build_equities.py"
        ) from error


def pack_equities(equities: Iterable[Equity]) -> bytes:
    """The file's bytes, the same for the same equities in any order.

    >>> pack_equities(load_equities()) == pack_equities(reversed(load_equities()))
    True
    """
    lines = [_encode(equity) for equity in sorted(equities, key=lambda equity: equity.ticker)]
    text = "\n".join([FORMAT, *lines]) + "\n"
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def _encode(equity: Equity) -> str:
    rank = "" if equity.size_rank is None else str(equity.size_rank)
    cells = {field.name: getattr(equity, field.name) for field in fields(equity)}
    cells |= {"issuer": equity.issuer or "", "size_rank": rank, "indices": "|".join(equity.indices)}
    line = "\t".join(str(cell) for cell in cells.values())
    assert line.count("\t") == len(cells) - 1, line
    assert "\n" not in line, line
    return line


def _decode(line: str) -> Equity:
    ticker, name, issuer, *tokens, indices, size, rank, month = line.split("\t")
    domicile, country, sub_industry, exchange, currency = tokens
    return Equity(
        ticker=ticker,
        name=name,
        issuer=issuer or None,
        domicile=domicile,
        country=country,
        sub_industry=sub_industry,
        exchange=exchange,
        currency=currency,
        indices=tuple(indices.split("|")) if indices else (),
        size=size,
        size_rank=int(rank) if rank else None,
        fiscal_year_end=int(month),
    )
