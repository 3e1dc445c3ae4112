"""Print the version of the catalogue and the digests of the corpora that `test_corpus` expects.

`python tests/domains/eqs/print_digests.py` takes half a minute; with `small`, it prints the digest
of a small corpus instead.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import sha256

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.domain import load, load_paper
from grammax.domains.eqs.words import EQUITY_STYLE
from grammax.tables.corpus.corpus import Corpus, generate

SMALL = {"train": 200, "test": 20, "hard": 10}


def digest(corpus: Corpus) -> str:
    """Of the pairs of all splits as JSON lines."""
    text = "".join(f"{pair.json()}\n" for pairs in corpus.splits.values() for pair in pairs)
    return sha256(text.encode()).hexdigest()


def lines(small: bool) -> Iterator[str]:
    """A name and a digest, or a version, per line."""
    if small:
        yield f"small {digest(generate(load_catalogue(2_000), EQUITY_STYLE, **SMALL))}\n"
    else:
        yield f"catalogue {load_catalogue().version}\n"
        yield f"eqs {digest(load().corpus)}\n"
        yield f"eqs-paper {digest(load_paper().corpus)}\n"


if __name__ == "__main__":
    sys.stdout.writelines(lines(small=sys.argv[1:] == ["small"]))
