"""The cache of a model: built once, whole or not at all, and again where it does not fit."""

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
from safetensors.numpy import save

from grammax.files import CACHE_VARIABLE, CacheNotice
from grammax.model.config import ModelConfig, TrainingConfig
from grammax.model.header import Epoch, Header, read_file
from grammax.reading.name_index import NameIndex
from grammax.runtime.cache import (
    DocumentFrequencies,
    ModelCache,
    OutputRows,
    cache_entry,
    cached,
    damaged_rows,
)

NAMES = NameIndex.from_names([[("korea",)], [("south", "korea"), ("東京", "\ud800")], []])

FREQUENCIES = DocumentFrequencies.from_counts(
    {"south": 1, "korea": 2, "東京": 1, "\ud800": 1}, tokens=3
)


class Maker:
    """Makes arrays, and counts how often it did."""

    def __init__(self, seed: int = 0, names: NameIndex | None = NAMES) -> None:
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(4, 6)).astype(np.float32)
        bias = rng.normal(size=4).astype(np.float32)
        self.found = ModelCache(OutputRows.from_whole(rows, bias, 2), names, FREQUENCIES)
        self.calls = 0

    def __call__(self) -> ModelCache:
        self.calls += 1
        return self.found


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all that is kept, empty for each test."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


@pytest.fixture
def model() -> Model:
    return a_model("one")


Model = tuple[Header, dict[str, np.ndarray]]


def a_model(content: str) -> Model:
    """The header and tensors of a model, which differ with the content."""
    header = Header("tiny", TINY.version, ModelConfig(), TrainingConfig(), (), (), ())
    rows = np.frombuffer(f"{content:8}".encode(), np.float32)
    return header, {"rows.kinds": rows, "encoder.weight": np.ones(3, np.float32)}


def arrays(found: ModelCache) -> dict[str, np.ndarray]:
    rows = found.rows
    named = {"whole": rows.whole, "bias": rows.bias, "spelt": rows.spelt}
    named |= dict(found.frequencies.arrays)
    return named | dict(found.names.arrays if found.names else {})


def assert_equal(one: ModelCache, other: ModelCache) -> None:
    mine, theirs = arrays(one), arrays(other)
    assert mine.keys() == theirs.keys()
    for name, array in mine.items():
        assert array.dtype == theirs[name].dtype
        assert np.array_equal(array, theirs[name])


@pytest.mark.parametrize(
    "names", [NAMES, NameIndex.from_names([]), None], ids=["names", "empty", "none"]
)
def test_it_is_made_once_and_then_read(model: Model, names: NameIndex | None) -> None:
    maker = Maker(names=names)
    for _ in range(3):
        found = cached(*model, TINY, maker)
        assert_equal(found, maker.found)
        if names is not None:
            assert found.names is not None
            words = ["south", "korea", "東京", "\ud800"]
            assert found.names.find(words) == names.find(words)
    assert maker.calls == 1


def written(path: Path, model: Model) -> Model:
    """The model, read from a file that it was written to."""
    header, tensors = model
    path.write_bytes(save(tensors, header.metadata()))
    return read_file(path, "np", lambda file: {name: file.get_tensor(name) for name in tensors})


def test_the_place_of_a_checkpoint_does_not_matter_and_its_content_does(tmp_path: Path) -> None:
    cached(*written(tmp_path / "one", a_model("one")), TINY, Maker())
    moved = written(tmp_path / "moved", a_model("one"))
    assert_equal(cached(*moved, TINY, Maker(seed=1)), Maker().found)
    other = written(tmp_path / "moved", a_model("two"))
    assert_equal(cached(*other, TINY, Maker(seed=1)), Maker(seed=1).found)


def test_a_model_has_one_entry_before_and_after_it_is_calibrated(model: Model, cache: Path) -> None:
    header, tensors = model
    epoch = Epoch(1, 0.5, None, 1.0, 10)
    alike = [
        (replace(header, confidence={"is_query": {}}), tensors),
        (replace(header, epochs=(epoch,), words=("steel",)), tensors),
        (header, tensors | {"encoder.weight": np.zeros(3, np.float32)}),
    ]
    maker = Maker()
    for each in (model, *alike):
        assert_equal(cached(*each, TINY, maker), maker.found)
    assert maker.calls == 1
    assert list(cache.iterdir()) == [cache_entry(*model, TINY)]


def test_whatever_it_is_built_from_changes_the_entry(model: Model) -> None:
    header, tensors = model
    others = [
        (replace(header, seen=("COU_GERMANY",)), tensors),
        (replace(header, model=replace(header.model, spelling=64)), tensors),
        (header, {"rows.kinds": -tensors["rows.kinds"]}),
        (header, {"rows.kinds": tensors["rows.kinds"][None]}),
        (header, {"rows.own": tensors["rows.kinds"]}),
    ]
    entries = {cache_entry(*each, TINY) for each in (model, *others)}
    assert len(entries) == 1 + len(others)


@pytest.mark.parametrize("other", [OPEN, replace(TINY, version="two")], ids=["name", "version"])
def test_another_domain_or_version_is_made_anew(model: Model, other: TinyDomain) -> None:
    cached(*model, TINY, Maker())
    assert_equal(cached(*model, other, Maker(seed=1)), Maker(seed=1).found)
    assert_equal(cached(*model, TINY, Maker(seed=2)), Maker().found)


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


@pytest.mark.parametrize("name", ["whole", "spelt", "starts", "buckets"])
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_what_is_damaged_is_made_again(
    model: Model, cache: Path, damage: Callable[[Path], object], name: str
) -> None:
    cached(*model, TINY, Maker())
    (folder,) = cache.iterdir()
    damage(folder / f"{name}.npy")
    maker = Maker(seed=1)
    assert_equal(cached(*model, TINY, maker), maker.found)
    assert_equal(cached(*model, TINY, maker), maker.found)
    assert maker.calls == 1
    assert list(cache.iterdir()) == [folder]


def flip(file: Path) -> None:
    """Change one bit of the last byte that is not zero."""
    content = bytearray(file.read_bytes())
    content[max(at for at, byte in enumerate(content) if byte)] ^= 1
    file.write_bytes(content)


@pytest.mark.parametrize("name", ["bias", "starts", "phrases", "words", "frequencies"])
def test_a_bit_that_is_another_is_noticed(
    model: Model, cache: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    cached(*model, TINY, Maker())
    (folder,) = cache.iterdir()
    flip(folder / f"{name}.npy")
    maker = Maker()
    assert_equal(cached(*model, TINY, maker), maker.found)
    assert maker.calls == 1
    assert "is built again" in caplog.text


@pytest.mark.parametrize("name", ["whole", "spelt"])
def test_rows_are_checked_when_that_is_asked_for(model: Model, cache: Path, name: str) -> None:
    cached(*model, TINY, Maker())
    (folder,) = cache.iterdir()
    assert not damaged_rows(folder)
    flip(folder / f"{name}.npy")
    assert damaged_rows(folder)
    maker = Maker()
    assert_equal(cached(*model, TINY, maker), maker.found)
    assert maker.calls == 1


def test_arrays_that_do_not_fit_together_are_made_again(model: Model, cache: Path) -> None:
    cached(*model, TINY, Maker())
    (folder,) = cache.iterdir()
    np.save(folder / "lengths.npy", np.arange(9))
    maker = Maker()
    cached(*model, TINY, maker)
    assert maker.calls == 1


def test_without_a_writable_folder_it_is_made_each_time_with_a_notice(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file" / "below it"))
    maker = Maker()
    for calls in (1, 2):
        with pytest.warns(
            CacheNotice, match=r"cannot be stored.*\$GRAMMAX_CACHE, cannot be written"
        ):
            assert_equal(cached(*model, TINY, maker), maker.found)
        assert maker.calls == calls


def test_a_file_in_the_place_of_the_folder_is_told_and_kept(model: Model, cache: Path) -> None:
    cache.parent.mkdir()
    cache.write_text("mine")
    with pytest.warns(CacheNotice, match="cannot be stored"):
        assert_equal(cached(*model, TINY, Maker()), Maker().found)
    assert cache.read_text() == "mine"


def test_a_full_disk_is_told_and_nothing_is_left_on_it(
    model: Model, cache: Path, monkeypatch: pytest.MonkeyPatch
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
        with pytest.warns(CacheNotice, match="cannot be stored.*No space left"):
            assert_equal(cached(*model, TINY, Maker()), Maker().found)
    assert len(written) == 2
    assert list(cache.iterdir()) == []
    maker = Maker()
    cached(*model, TINY, maker)
    cached(*model, TINY, maker)
    assert maker.calls == 1


def test_no_scratch_is_left_where_it_was_made_or_where_making_failed(
    model: Model, cache: Path
) -> None:
    def fails() -> ModelCache:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached(*model, TINY, fails)
    assert not cache.exists()
    cached(*model, TINY, Maker())
    assert list(cache.iterdir()) == [cache_entry(*model, TINY)]


def test_another_process_that_was_faster_is_no_mishap(model: Model, cache: Path) -> None:
    def slowly() -> ModelCache:
        cached(*model, TINY, Maker())
        return Maker().found

    assert_equal(cached(*model, TINY, slowly), Maker().found)
    assert list(cache.iterdir()) == [cache_entry(*model, TINY)]


def test_the_three_newest_of_a_domain_are_kept(cache: Path) -> None:
    cached(*a_model("0"), OPEN, Maker())
    made = [cache_entry(*a_model("0"), OPEN)]
    for number in range(5):
        model = a_model(str(number))
        cached(*model, TINY, Maker(number))
        made.append(cache_entry(*model, TINY))
        os.utime(made[-1], (number, number))  # files may be made within one tick of the clock
    assert set(cache.iterdir()) == {made[0], *made[-3:]}


def test_arrays_are_plain_and_cannot_be_written_to(model: Model) -> None:
    for _ in range(2):
        found = arrays(cached(*model, TINY, Maker()))
        assert len(found) == 14
        for array in found.values():
            assert type(array) is np.ndarray  # a slice of a memmap takes microseconds
            assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            found["whole"][0, 0] = 1


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


def test_the_first_parser_of_a_trained_model_finds_its_cache(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="models are trained with PyTorch")
    from model.networks import SHORT, SMALL

    from grammax.runtime import weights
    from grammax.runtime.parser import RuntimeParser
    from grammax.training.run import train

    path = train(TINY, tmp_path / "run", SMALL, replace(SHORT, epochs=1, held_out=0.2))
    assert read_file(path, "np", lambda _: None)[0].confidence is not None
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(weights, "_rows", lambda *_: pytest.fail("built again"))
    assert RuntimeParser.load(path, TINY).parse("german steel").tokens


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04", b"\x93NUMPY\x01\x00v\x00{'descr'" + b" " * 200]
)
def test_whatever_a_damaged_file_holds_it_is_made_again(
    model: Model, cache: Path, content: bytes
) -> None:
    cached(*model, TINY, Maker())
    (folder,) = cache.iterdir()
    (folder / "whole.npy").write_bytes(content)
    maker = Maker(1)
    assert_equal(cached(*model, TINY, maker), maker.found)


def test_arrays_of_another_shape_and_names_that_are_gone_are_made_again(
    model: Model, cache: Path
) -> None:
    cached(*model, TINY, Maker())
    (folder,) = cache.iterdir()
    np.save(folder / "whole.npy", np.zeros((2, 2)))
    assert_equal(cached(*model, TINY, Maker()), Maker().found)
    for name in NAMES.arrays:
        (folder / f"{name}.npy").unlink()
    assert_equal(cached(*model, TINY, Maker()), Maker().found)


def test_a_damaged_folder_that_cannot_be_removed_is_told(
    model: Model, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached(*model, TINY, Maker())
    (folder,) = cache.iterdir()
    (folder / "whole.npy").write_bytes(b"no array")
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)
    with pytest.warns(CacheNotice):
        assert_equal(cached(*model, TINY, Maker()), Maker().found)


def test_domains_whose_names_begin_alike_leave_each_other_alone(
    cache: Path,
) -> None:
    other = replace(TINY, name="tiny-small")
    model = a_model("z")
    cached(*model, other, Maker())
    kept = cache_entry(*model, other)
    os.utime(kept, (1, 1))
    for number in range(4):
        cached(*a_model(str(number)), TINY, Maker())
    assert kept.exists()
    assert len(list(cache.iterdir())) == 4


@pytest.mark.parametrize("kept", [True, False], ids=["mapped", "copied"])
@pytest.mark.parametrize("count", [4, 6, 5_000], ids=["as many", "more", "more than there is room"])
def test_rows_are_changed_for_one_model_and_for_no_other(
    model: Model, cache: Path, kept: bool, count: int
) -> None:
    cache_found = cached(*model, TINY, Maker())
    found = cache_found.rows
    if not kept:
        (folder,) = cache.iterdir()
        rmtree(folder)  # by another process, that has newer models
    before = {name: array.copy() for name, array in arrays(cache_found).items()}
    rng, places = np.random.default_rng(1), np.array([1, count - 1])
    rows, bias = rng.normal(size=(2, 6)).astype(np.float32), np.float32([7, 8])
    once = found.replaced(count, places, rows, bias)
    twice = once.replaced(count + 1, np.array([0]), rows[:1], bias[:1])
    for made, size in ((once, count), (twice, count + 1)):
        assert made.whole.shape == (size, 6)
        assert made.spelt.shape == (size, 2)
        assert made.bias.shape == (size,)
        assert np.array_equal(made.whole[places], rows)
        assert np.array_equal(made.spelt[places], rows[:, 4:])
        assert np.array_equal(made.bias[places], bias)
        assert np.array_equal(made.whole[2], found.whole[2])
        assert not made.whole.flags.writeable
        assert made.whole.flags.c_contiguous
    assert np.array_equal(twice.whole[0], rows[0])
    assert np.array_equal(once.whole[0], found.whole[0])
    after = arrays(cache_found)
    assert {*after} == {*before}
    assert all(np.array_equal(array, before[name]) for name, array in after.items())
    if kept:
        assert_equal(cached(*model, TINY, Maker(seed=2)), Maker().found)


def test_rows_may_become_fewer_and_more_again(model: Model) -> None:
    found = cached(*model, TINY, Maker()).rows
    row, bias = np.ones((1, 6), np.float32), np.ones(1, np.float32)
    for count in (7, 5, 6, 9, 4, 9):
        found = found.replaced(count, np.array([count - 1]), count * row, bias)
        assert found.whole.shape == (count, 6)
        assert found.whole[-1].tolist() == [count] * 6
    assert found.whole[3].tolist() == [4] * 6


@pytest.mark.parametrize("many", [False, True], ids=["few", "many"])
def test_document_frequencies_are_found(many: bool) -> None:
    known = {"south": 1, "korea": 2, "東京": 1, "\ud800": 1, "ore": 5}
    frequencies = DocumentFrequencies.from_counts(known, tokens=3)
    asked = [*known, "sou", "orea", *(f"other{n}" for n in range(100 * many))]
    assert frequencies.counts(asked) == known
    assert frequencies.tokens == 3
    assert DocumentFrequencies.from_counts({}, tokens=0).counts(["x"]) == {}
