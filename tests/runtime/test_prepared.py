"""What is made of a model: once, whole or not at all, and anew where it does not fit."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path
from shutil import rmtree

import numpy as np
import pytest
from model.tiny import OPEN, TINY, TinyDomain

from grammax.files import CACHE_VARIABLE, CacheNotice
from grammax.reading.name_index import NameIndex
from grammax.runtime.prepared import Holders, Prepared, prepared, prepared_folder

NAMES = NameIndex.of([[("korea",)], [("south", "korea"), ("東京", "\ud800")], []])

HOLDERS = Holders.of({"south": 1, "korea": 2, "東京": 1, "\ud800": 1}, tokens=3)


class Maker:
    """Makes arrays, and counts how often it did."""

    def __init__(self, seed: int = 0, names: NameIndex | None = NAMES) -> None:
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(4, 6)).astype(np.float32)
        bias = rng.normal(size=4).astype(np.float32)
        spelt = np.ascontiguousarray(rows[:, 4:])
        self.found = Prepared(rows, bias, spelt, names, HOLDERS)
        self.calls = 0

    def __call__(self) -> Prepared:
        self.calls += 1
        return self.found


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all that is kept, empty for each test."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "prepared"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A checkpoint; only its bytes matter."""
    return a_checkpoint(tmp_path, "one")


def a_checkpoint(folder: Path, content: str) -> Path:
    file = folder / f"{content}.safetensors"
    file.write_text(content)
    return file


def arrays(found: Prepared) -> dict[str, np.ndarray]:
    named = {"rows": found.rows, "bias": found.bias, "spelt": found.spelt, **found.holders.arrays}
    return named | dict(found.names.arrays if found.names else {})


def assert_equal(one: Prepared, other: Prepared) -> None:
    mine, theirs = arrays(one), arrays(other)
    assert mine.keys() == theirs.keys()
    for name, array in mine.items():
        assert array.dtype == theirs[name].dtype
        assert np.array_equal(array, theirs[name])


@pytest.mark.parametrize("names", [NAMES, NameIndex.of([]), None], ids=["names", "empty", "none"])
def test_it_is_made_once_and_then_read(path: Path, names: NameIndex | None) -> None:
    maker = Maker(names=names)
    for _ in range(3):
        found = prepared(path, TINY, maker)
        assert_equal(found, maker.found)
        if names is not None:
            assert found.names is not None
            words = ["south", "korea", "東京", "\ud800"]
            assert found.names.find(words) == names.find(words)
    assert maker.calls == 1


def test_the_place_of_a_checkpoint_does_not_matter_and_its_content_does(tmp_path: Path) -> None:
    one, moved = a_checkpoint(tmp_path, "one"), tmp_path / "moved"
    prepared(one, TINY, Maker())
    one.rename(moved)
    assert_equal(prepared(moved, TINY, Maker(seed=1)), Maker().found)
    moved.write_text("two")
    assert_equal(prepared(moved, TINY, Maker(seed=1)), Maker(seed=1).found)


@pytest.mark.parametrize("other", [OPEN, replace(TINY, version="two")], ids=["name", "version"])
def test_another_domain_or_version_is_made_anew(path: Path, other: TinyDomain) -> None:
    prepared(path, TINY, Maker())
    assert_equal(prepared(path, other, Maker(seed=1)), Maker(seed=1).found)
    assert_equal(prepared(path, TINY, Maker(seed=2)), Maker().found)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-8])


def cut_in_the_header(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:7])


def write_another(file: Path) -> None:
    file.write_text("no array")


def put_a_folder_there(file: Path) -> None:
    file.unlink()
    file.mkdir()


DAMAGES = [cut, cut_in_the_header, write_another, put_a_folder_there, Path.unlink]


@pytest.mark.parametrize("name", ["rows", "spelt", "starts", "firsts"])
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_what_is_damaged_is_made_again(
    path: Path, cache: Path, damage: Callable[[Path], object], name: str
) -> None:
    prepared(path, TINY, Maker())
    (folder,) = cache.iterdir()
    damage(folder / f"{name}.npy")
    maker = Maker(seed=1)
    assert_equal(prepared(path, TINY, maker), maker.found)
    assert_equal(prepared(path, TINY, maker), maker.found)
    assert maker.calls == 1
    assert list(cache.iterdir()) == [folder]


def test_arrays_that_do_not_fit_together_are_made_again(path: Path, cache: Path) -> None:
    prepared(path, TINY, Maker())
    (folder,) = cache.iterdir()
    np.save(folder / "longest.npy", np.arange(9))
    maker = Maker()
    prepared(path, TINY, maker)
    assert maker.calls == 1


def test_without_a_writable_folder_it_is_made_each_time_with_a_notice(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(path / "below a file"))
    maker = Maker()
    for calls in (1, 2):
        with pytest.warns(CacheNotice, match=r"cannot be kept.*\$GRAMMAX_CACHE, cannot be written"):
            assert_equal(prepared(path, TINY, maker), maker.found)
        assert maker.calls == calls


def test_a_file_in_the_place_of_the_folder_is_told_and_kept(path: Path, cache: Path) -> None:
    cache.parent.mkdir()
    cache.write_text("mine")
    with pytest.warns(CacheNotice, match="cannot be kept"):
        assert_equal(prepared(path, TINY, Maker()), Maker().found)
    assert cache.read_text() == "mine"


def test_a_full_disk_is_told_and_nothing_is_left_on_it(
    path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, written = np.save, []

    def full(file: Path, array: np.ndarray, **options: bool) -> None:
        written.append(file)
        if len(written) == 2:
            file.write_bytes(b"half of it")
            raise OSError(ENOSPC, "No space left on device")
        save(file, array, **options)

    with monkeypatch.context() as patch:
        patch.setattr(np, "save", full)
        with pytest.warns(CacheNotice, match="cannot be kept.*No space left"):
            assert_equal(prepared(path, TINY, Maker()), Maker().found)
    assert len(written) == 2
    assert list(cache.iterdir()) == []
    maker = Maker()
    prepared(path, TINY, maker)
    prepared(path, TINY, maker)
    assert maker.calls == 1


def test_no_scratch_is_left_where_it_was_made_or_where_making_failed(
    path: Path, cache: Path
) -> None:
    def fails() -> Prepared:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepared(path, TINY, fails)
    assert not cache.exists()
    prepared(path, TINY, Maker())
    assert list(cache.iterdir()) == [prepared_folder(path, TINY)]


def test_another_process_that_was_faster_is_no_mishap(path: Path, cache: Path) -> None:
    def slowly() -> Prepared:
        prepared(path, TINY, Maker())
        return Maker().found

    assert_equal(prepared(path, TINY, slowly), Maker().found)
    assert list(cache.iterdir()) == [prepared_folder(path, TINY)]


def test_the_three_newest_of_a_domain_are_kept(tmp_path: Path, cache: Path) -> None:
    prepared(a_checkpoint(tmp_path, "0"), OPEN, Maker())
    made = [prepared_folder(a_checkpoint(tmp_path, "0"), OPEN)]
    for number in range(5):
        path = a_checkpoint(tmp_path, str(number))
        prepared(path, TINY, Maker(number))
        made.append(prepared_folder(path, TINY))
        os.utime(made[-1], (number, number))  # files may be made within one tick of the clock
    assert set(cache.iterdir()) == {made[0], *made[-3:]}


def test_arrays_are_plain_and_cannot_be_written_to(path: Path) -> None:
    for _ in range(2):
        found = arrays(prepared(path, TINY, Maker()))
        assert len(found) == 11
        for array in found.values():
            assert type(array) is np.ndarray  # a slice of a memmap takes microseconds
            assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            found["rows"][0, 0] = 1


def test_a_parser_that_is_loaded_again_composes_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="models are trained with PyTorch")
    from model.networks import a_trainer

    from grammax.runtime import weights
    from grammax.runtime.parser import RuntimeParser
    from grammax.training.checkpoint import save_checkpoint

    path = tmp_path / "model.safetensors"
    save_checkpoint(path, a_trainer(), [], final=True)
    queries = ["german steel", "top 10 banks in south korea"]
    before = RuntimeParser.load(path, TINY).parse_batch(queries)
    monkeypatch.setattr(weights, "_rows", lambda *_: pytest.fail("made twice"))
    after = RuntimeParser.load(path, TINY).parse_batch(queries)
    assert after == before


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04", b"\x93NUMPY\x01\x00v\x00{'descr'" + b" " * 200]
)
def test_whatever_a_damaged_file_holds_it_is_made_again(
    path: Path, cache: Path, content: bytes
) -> None:
    prepared(path, TINY, Maker())
    (folder,) = cache.iterdir()
    (folder / "rows.npy").write_bytes(content)
    maker = Maker(1)
    assert_equal(prepared(path, TINY, maker), maker.found)


def test_arrays_of_another_shape_and_names_that_are_gone_are_made_again(
    path: Path, cache: Path
) -> None:
    prepared(path, TINY, Maker())
    (folder,) = cache.iterdir()
    np.save(folder / "rows.npy", np.zeros((2, 2)))
    assert_equal(prepared(path, TINY, Maker()), Maker().found)
    for name in NAMES.arrays:
        (folder / f"{name}.npy").unlink()
    assert_equal(prepared(path, TINY, Maker()), Maker().found)


def test_a_damaged_folder_that_cannot_be_removed_is_told(
    path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(path, TINY, Maker())
    (folder,) = cache.iterdir()
    (folder / "rows.npy").write_bytes(b"no array")
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)
    with pytest.warns(CacheNotice):
        assert_equal(prepared(path, TINY, Maker()), Maker().found)


def test_domains_whose_names_begin_alike_leave_each_other_alone(
    tmp_path: Path, cache: Path
) -> None:
    other = replace(TINY, name="tiny-small")
    path = a_checkpoint(tmp_path, "z")
    prepared(path, other, Maker())
    kept = prepared_folder(path, other)
    os.utime(kept, (1, 1))
    for number in range(4):
        prepared(a_checkpoint(tmp_path, str(number)), TINY, Maker())
    assert kept.exists()
    assert len(list(cache.iterdir())) == 4


@pytest.mark.parametrize("kept", [True, False], ids=["mapped", "copied"])
@pytest.mark.parametrize("count", [4, 6, 5_000], ids=["as many", "more", "more than there is room"])
def test_rows_are_changed_for_one_model_and_for_no_other(
    path: Path, cache: Path, kept: bool, count: int
) -> None:
    found = prepared(path, TINY, Maker())
    if not kept:
        (folder,) = cache.iterdir()
        rmtree(folder)  # by another process, that has newer models
    before = {name: array.copy() for name, array in arrays(found).items()}
    rng, places = np.random.default_rng(1), np.array([1, count - 1])
    rows, bias = rng.normal(size=(2, 6)).astype(np.float32), np.float32([7, 8])
    once = found.with_rows(count, places, rows, bias)
    twice = once.with_rows(count + 1, np.array([0]), rows[:1], bias[:1])
    for made, size in ((once, count), (twice, count + 1)):
        assert made.rows.shape == (size, 6)
        assert made.spelt.shape == (size, 2)
        assert made.bias.shape == (size,)
        assert np.array_equal(made.rows[places], rows)
        assert np.array_equal(made.spelt[places], rows[:, 4:])
        assert np.array_equal(made.bias[places], bias)
        assert np.array_equal(made.rows[2], found.rows[2])
        assert not made.rows.flags.writeable
        assert made.rows.flags.c_contiguous
    assert np.array_equal(twice.rows[0], rows[0])
    assert np.array_equal(once.rows[0], found.rows[0])
    assert {*arrays(found)} == {*before}
    assert all(np.array_equal(array, before[name]) for name, array in arrays(found).items())
    if kept:
        assert_equal(prepared(path, TINY, Maker(seed=2)), Maker().found)


@pytest.mark.parametrize("many", [False, True], ids=["few", "many"])
def test_holders_of_words_are_found(many: bool) -> None:
    known = {"south": 1, "korea": 2, "東京": 1, "\ud800": 1, "ore": 5}
    holders = Holders.of(known, tokens=3)
    asked = [*known, "sou", "orea", *(f"other{n}" for n in range(100 * many))]
    assert holders.counts(asked) == known
    assert holders.tokens == 3
    assert Holders.of({}, tokens=0).counts(["x"]) == {}
