"""The catalogue of equity search: by default 56,209 tokens, as in the paper, with real names.

>>> catalogue = load_catalogue()
>>> len(catalogue)
56209
>>> catalogue.values["COU_GERMANY"].parent
'COU_WESTERN_EUROPE'
>>> catalogue.fields["FLD_MKT_CAP"].aliases[:2]
('market cap', 'mcap')
>>> wider = catalogue.with_values([NewValue("Wakanda", "country", ("wakandan",))])
>>> wider.wordings("COU_WAKANDA")
('Wakanda', 'wakandan')
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

from grammax.domains.eqs.listings import LISTINGS
from grammax.domains.eqs.schema import EQUITIES
from grammax.language.changes import NewValue as NewValue
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.file import read_contents
from grammax.tables.catalogue.lines import CatalogueLines
from grammax.tables.lexicon import LANGUAGE

FILE: Final = Path(__file__).parent / "data" / "catalogue.tsv.gz"
DEFAULT_SIZE: Final = 56_209
"""The number of LF tokens in the paper."""

SMALLEST, LARGEST = 1_000, 1_000_000


@lru_cache(maxsize=4)
def load_catalogue(size: int = DEFAULT_SIZE) -> Catalogue:
    """The shipped catalogue, cut or extended to `size` LF tokens, 1,000 to 1,000,000.

    Smaller catalogues leave out the long tail, mostly companies; those above 57,800 add listings of
    companies by exchange (see `listings`).
    """
    return read_catalogue(FILE, size)


def read_catalogue(path: Path, size: int = DEFAULT_SIZE) -> Catalogue:
    """A catalogue from another file of the same format."""
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(
            f"the size is {size:,}; a catalogue has {SMALLEST:,} to {LARGEST:,} tokens"
        )
    contents = read_contents(path)
    digest = blake2b(contents.digest + size.to_bytes(4, "big"), digest_size=6)
    digest.update(LANGUAGE)
    lines = CatalogueLines.from_contents(contents, EQUITIES, size, LISTINGS)
    return Catalogue(EQUITIES, lines, digest.hexdigest(), LISTINGS)
