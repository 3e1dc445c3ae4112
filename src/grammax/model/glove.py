"""GloVe's text files: a word and its vector on each line, plain or gzipped."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from grammax.errors import FileFormatError

_GZIP: Final = b"\x1f\x8b"
_LONGEST_LINE: Final = 1_000_000


def read_glove(path: Path, wanted: Collection[str]) -> dict[str, NDArray[np.float32]]:
    """The vectors of those wanted words that the file has; `FileFormatError` names a bad line."""
    found: dict[str, NDArray[np.float32]] = {}
    dimensions = 0
    for number, line in enumerate(_lines(path), 1):
        word, _, numbers = line.rstrip().partition(" ")
        size = numbers.count(" ") + 1 if numbers else 0
        if number == 1 and size == 1 and word.isdecimal():
            continue  # word2vec's first line: the numbers of words and dimensions
        if not dimensions:
            dimensions = size
        if size != dimensions or not dimensions:
            raise FileFormatError(
                f"{path}, line {number}: {word[:40]!r} has {size} numbers"
                + (f", and the words before it {dimensions}. " if number > 1 else ". ")
                + "A GloVe file has a word and as many numbers on each line, separated by spaces."
            )
        if word in wanted and word not in found:
            try:
                with np.errstate(over="ignore"):  # infinite values are reported below
                    vector = np.array(numbers.split(" "), np.float32)
            except ValueError as error:
                raise FileFormatError(f"{path}, line {number}: {error}") from error
            if not np.isfinite(vector).all():
                raise FileFormatError(
                    f"{path}, line {number}: {word!r} has a value that is not finite"
                )
            found[word] = vector
    if not dimensions:
        raise FileFormatError(f"{path}: the file is empty; a GloVe file has a word on each line.")
    return found


def fitted(
    vectors: dict[str, NDArray[np.float32]], dimensions: int, seed: int = 0
) -> dict[str, NDArray[np.float32]]:
    """The vectors in another number of dimensions, with similar angles.

    Dimensions are added by an orthonormal basis, which preserves every angle, and reduced to the
    principal components.
    """
    if not vectors:
        return {}
    matrix = np.stack(list(vectors.values()))
    given = matrix.shape[1]
    if given < dimensions:
        drawn = np.random.default_rng(seed).standard_normal((dimensions, given))
        matrix = matrix @ np.linalg.qr(drawn)[0].T.astype(np.float32)
    elif given > dimensions:
        centred = matrix - matrix.mean(0)
        axes = np.linalg.svd(centred, full_matrices=False)[2][:dimensions]
        short = np.zeros((len(matrix), dimensions), np.float32)
        short[:, : len(axes)] = centred @ axes.T
        matrix = short
    return dict(zip(vectors, matrix, strict=True))


def _lines(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        zipped = file.read(2) == _GZIP
    try:
        with gzip.open(path) if zipped else path.open("rb") as lines:
            while line := lines.readline(_LONGEST_LINE):
                yield line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{path}: this is not text in UTF-8 ({error.reason})") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FileFormatError(f"{path}: the gzip file is damaged or cut off ({error})") from error
