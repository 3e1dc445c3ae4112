"""The real equities of the market: packages on PyPI and tables by hand into one file.

    /tmp/equities-venv/bin/python scripts/build_equities.py [--check] [FILE]

In an environment with what scripts/equities/requirements.txt names, after build_catalogue.py.
Writes src/grammax/domains/eqs/data/equities.tsv.gz, or FILE; with --check it writes nothing and
exits with 1 if the file there has other content. What came from where, and under which licence,
stands in data/NOTICE-equities.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from equities.companies import companies
from equities.sources import check_versions
from equities.tokens import equities as with_tokens

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.equities import FILE, Equity, pack_equities

LIMIT_BYTES = 500_000


def main() -> int:
    """Build, then write or compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    options = parser.parse_args()
    check_versions()
    equities = with_tokens(load_catalogue(), companies())
    packed = pack_equities(equities)
    if options.check:
        same = gzip.decompress(options.file.read_bytes()) == gzip.decompress(packed)
        sys.stdout.write(f"{options.file} is {'as built' if same else 'NOT as built'}\n")
        return 0 if same else 1
    if len(packed) > LIMIT_BYTES:
        raise SystemExit(f"{len(packed):,} bytes are more than the {LIMIT_BYTES:,} allowed")
    options.file.write_bytes(packed)
    sys.stdout.write(report(equities) + f"\n{options.file}: {len(packed):,} bytes\n")
    return 0


def report(equities: list[Equity]) -> str:
    """Counts, for the eye."""
    without = [equity.ticker for equity in equities if equity.issuer is None]
    counts = {
        "indices": Counter(index for equity in equities for index in equity.indices),
        "domiciles": Counter(equity.domicile for equity in equities),
        "exchanges": Counter(equity.exchange for equity in equities),
        "sizes": Counter(equity.size for equity in equities),
    }
    lines = [f"{len(equities):,} equities, {len(without)} without issuer: {' '.join(without)}"]
    for name, counter in counts.items():
        lines.append(f"{name}: {', '.join(f'{key} {n}' for key, n in counter.most_common())}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
