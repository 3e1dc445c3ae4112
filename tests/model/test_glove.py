"""GloVe's files: read if they are right, and where they are wrong said where."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from grammax.errors import FileFormatError
from grammax.model.glove import fitted, read_glove

TEXT = "steel 0.5 -1 2e-1\ngerman 1 2 3\n, 0 0 1\nsteel 9 9 9\n"
DATA = Path(os.environ.get("GRAMMAX_DATA", Path(__file__).parents[3] / "shared" / "data"))
REAL = DATA / "glove100" / "glove.6B.100d.subset.txt.gz"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "vectors.txt"


def written(file: Path, text: str | bytes, zipped: bool = False) -> Path:
    data = text.encode() if isinstance(text, str) else text
    file.write_bytes(gzip.compress(data) if zipped else data)
    return file


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("header", ["", "4 3\n"], ids=["glove", "word2vec"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", " \n"])
def test_wanted_words_are_read(file: Path, zipped: bool, header: str, ends: str) -> None:
    written(file, (header + TEXT).replace("\n", ends), zipped)
    found = read_glove(file, {"steel", ",", "absent"})
    assert {word: vector.tolist() for word, vector in found.items()} == {
        "steel": pytest.approx([0.5, -1, 0.2]),
        ",": [0, 0, 1],
    }
    assert found["steel"].dtype == np.float32


def test_a_file_without_a_last_line_end_is_whole(file: Path) -> None:
    assert read_glove(written(file, TEXT.rstrip()), {"german"})["german"].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1 2\nb 1 2\nc 1\n", "line 3: 'c' has 1 numbers, and the words before it 2"),
        ("a 1 2\nb 1 2 3\n", "line 2: 'b' has 3 numbers, and the words before it 2"),
        ("2 2\na 1 2\nb 1\n", "line 3: 'b' has 1 numbers"),
        ("a 1 2\n\n\n", "line 2: '' has 0 numbers"),
        ("lonely\n", "line 1: 'lonely' has 0 numbers. A GloVe file has"),
        ("a\t1\t2\n", "line 1: .* has 0 numbers"),
        ("a 1 2\nb 1 two\n", "line 2: .*two"),
        ("a 1 2\nb 1  \n", "line 2: 'b' has 1 numbers"),
        ("a 1 2\nb  2\n", "line 2: could not convert"),
        ("a 1 2\nb 1 nan\n", "line 2: 'b' has a value that is not finite"),
        ("a 1 2\nb -inf 1\n", "line 2: 'b' has a value that is not finite"),
        ("a 1 2\nb 1e39 1\n", "line 2: 'b' has a value that is not finite"),
        ("", "the file is empty"),
        ("100 50\n", "the file is empty"),
        ("\0" * 500, "line 1: "),
        ("x" * 2_000_000, "line 1: 'x{40}' has 0 numbers"),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_a_bad_line_is_told(file: Path, text: str, message: str, zipped: bool) -> None:
    written(file, text, zipped)
    with pytest.raises(FileFormatError, match=f"{file.name}[,:] {message}") as bad:
        read_glove(file, {"a", "b", "c"})
    assert len(str(bad.value)) < 400


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00",
        bytes(range(255, -1, -1)),
        b"a 1 2\nb\xff 1 2\n",
        b"\x80\x04\x95",
    ],
)
def test_what_is_no_text_is_refused(file: Path, data: bytes) -> None:
    with pytest.raises(FileFormatError, match="not text in UTF-8"):
        read_glove(written(file, data), {"a"})


@pytest.mark.parametrize("kept", [3, 10, 15, 60, -9, -1])
def test_a_gzip_file_that_is_cut_off_is_refused(file: Path, kept: int) -> None:
    whole = gzip.compress((TEXT * 500).encode())
    with pytest.raises(FileFormatError, match=r"damaged or cut off|is empty"):
        read_glove(written(file, whole[:kept]), {"steel"})


def test_a_damaged_gzip_file_is_refused(file: Path) -> None:
    data = bytearray(gzip.compress((TEXT * 500).encode()))
    data[-6] ^= 0xFF
    with pytest.raises(FileFormatError, match="damaged"):
        read_glove(written(file, bytes(data)), {"steel"})


def test_a_missing_file_is_told(file: Path) -> None:
    with pytest.raises(FileNotFoundError, match=file.name):
        read_glove(file, {"steel"})


def vectors(count: int, dimensions: int) -> dict[str, np.ndarray]:
    drawn = np.random.default_rng(3).standard_normal((count, dimensions)).astype(np.float32)
    return {f"w{number}": vector for number, vector in enumerate(drawn)}


def gram(given: dict[str, np.ndarray]) -> np.ndarray:
    matrix = np.stack(list(given.values()))
    return matrix @ matrix.T


def test_more_dimensions_keep_all_angles_and_lengths() -> None:
    given = vectors(20, 6)
    wide = fitted(given, 15)
    assert list(wide) == list(given)
    assert all(vector.shape == (15,) for vector in wide.values())
    assert gram(wide) == pytest.approx(gram(given), abs=1e-4)
    assert gram(fitted(given, 15, seed=1)) == pytest.approx(gram(given), abs=1e-4)


def test_as_many_dimensions_change_nothing() -> None:
    given = vectors(4, 6)
    same = fitted(given, 6)
    assert all(np.array_equal(same[word], given[word]) for word in given)


def test_fewer_dimensions_keep_what_varies_most() -> None:
    flat = np.zeros((30, 8), np.float32)
    flat[:, [2, 5]] = np.random.default_rng(0).standard_normal((30, 2)) * 10
    narrow = fitted({f"w{number}": vector for number, vector in enumerate(flat)}, 2)
    centred = flat - flat.mean(0)
    assert gram(narrow) == pytest.approx(centred @ centred.T, abs=1e-2)


@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_fewer_vectors_than_dimensions_are_fitted_too(count: int) -> None:
    narrow = fitted(vectors(count, 12), 5)
    assert len(narrow) == count
    assert all(vector.shape == (5,) and vector.dtype == np.float32 for vector in narrow.values())
    assert np.isfinite(gram(narrow)).all()


def test_no_vectors_are_fitted_into_none() -> None:
    assert fitted({}, 5) == {}


@pytest.mark.skipif(not REAL.exists(), reason=f"{REAL} is not there; $GRAMMAX_DATA says where")
def test_the_real_file_is_read() -> None:
    found = read_glove(REAL, {"steel", "iron", "german", "france", "zzqx"})
    assert set(found) == {"steel", "iron", "german", "france"}
    assert all(vector.shape == (100,) for vector in found.values())

    def cosine(one: str, other: str) -> float:
        a, b = found[one], found[other]
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    assert cosine("steel", "iron") > cosine("steel", "france") + 0.2
