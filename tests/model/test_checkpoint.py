"""Networks in files: what was saved comes back, and what is damaged or foreign is refused."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="checkpoints need PyTorch")

import errno  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import pickle  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import replace  # noqa: E402
from math import inf, nan  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

from model.networks import SHORT, SMALL, a_trainer, few, same_weights, trained  # noqa: E402
from model.tiny import TINY  # noqa: E402
from safetensors import safe_open  # noqa: E402
from safetensors.torch import load_file, save_file  # noqa: E402

from grammax.errors import FileFormatError  # noqa: E402
from grammax.language.domain import Pair  # noqa: E402
from grammax.model.checkpoint import load_network  # noqa: E402
from grammax.model.header import FORMAT, Epoch, OtherVersion, read_header  # noqa: E402
from grammax.model.parser import TorchParser  # noqa: E402
from grammax.training.checkpoint import resume_training, save_checkpoint  # noqa: E402

FEW = few(16)
QUERIES = [pair.query for pair in (*TINY.train, *TINY.test)]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a training after one epoch; not to be written to."""
    file = tmp_path_factory.mktemp("checkpoints") / "checkpoint.safetensors"
    trainer = a_trainer(FEW)
    save_checkpoint(file, trainer, [trainer.run()])
    return file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "model.safetensors"


def changed(
    saved: Path,
    file: Path,
    header: Callable[[dict[str, Any]], Any] = lambda header: header,
    tensors: Callable[[dict[str, torch.Tensor]], Any] = lambda tensors: tensors,
) -> Path:
    """The checkpoint with another header or other tensors."""
    with safe_open(saved, "pt") as whole:
        given = {name: whole.get_tensor(name) for name in whole.keys()}  # noqa: SIM118
        text = header(json.loads(whole.metadata()["grammax"]))
    save_file(
        tensors(given), file, {"grammax": text if isinstance(text, str) else json.dumps(text)}
    )
    return file


def refused(file: Path, message: str) -> None:
    """Reading the network and going on with the training are both refused."""
    for way in (load_network, resume_training):
        with pytest.raises(FileFormatError, match=message) as error:
            way(file, FEW)
        assert file.name in str(error.value)


def test_what_was_saved_comes_back(file: Path) -> None:
    model = replace(SMALL, rows="learnt", budget=33)
    trainer = a_trainer(FEW, model, replace(SHORT, seed=4))
    epochs = [trainer.run(), trainer.run()]
    save_checkpoint(file, trainer, epochs)
    found = read_header(file)
    assert (found.domain, found.version) == ("tiny", "one")
    assert (found.model, found.training) == (model, trainer.config)
    assert found.words == trainer.network.reader.words.known
    assert found.epochs == tuple(epochs)
    assert set(found.seen) == {t for p in FEW.train if p not in trainer.held_out for t in p.tokens}
    assert same_weights(load_network(file, FEW), trainer.network)
    resumed, before = resume_training(file, FEW)
    assert before == epochs
    assert same_weights(resumed.network, trainer.network)


def test_a_loaded_network_parses_as_the_one_that_was_saved(file: Path) -> None:
    save_checkpoint(file, trained(), [])
    one = TorchParser.for_domain(trained().network, TINY).parse_batch(QUERIES)
    other = TorchParser.for_domain(load_network(file, TINY), TINY).parse_batch(QUERIES)
    assert one == other


def test_half_precision_gives_the_same_tokens_in_half_the_bytes(file: Path) -> None:
    whole = file.with_name("whole")
    save_checkpoint(whole, trained(), [])
    save_checkpoint(file, trained(), [], final=True)
    assert file.stat().st_size < 0.5 * whole.stat().st_size
    assert {tensor.dtype for tensor in load_file(file).values()} == {torch.float16}
    one = TorchParser.for_domain(load_network(whole, TINY), TINY).parse_batch(QUERIES)
    other = TorchParser.for_domain(load_network(file, TINY), TINY).parse_batch(QUERIES)
    assert [parse.tokens for parse in one] == [parse.tokens for parse in other]


def test_a_finished_model_cannot_be_trained_on(file: Path) -> None:
    trainer = a_trainer(FEW)
    save_checkpoint(file, trainer, [trainer.run()], final=True)
    assert load_network(file, FEW) is not None
    with pytest.raises(FileFormatError, match="finished model: its training cannot be continued"):
        resume_training(file, FEW)


def test_words_of_any_language_are_kept(file: Path) -> None:
    odd = Pair('日本 "steel" ÅΩ 🚀 \\', FEW.train[0].tokens)
    domain = replace(FEW, train=(odd, *FEW.train))
    trainer = a_trainer(domain, config=replace(SHORT, held_out=0.0))
    save_checkpoint(file, trainer, [])
    assert load_network(file, domain).reader.words.known == trainer.network.reader.words.known
    assert {"日本", "🚀", "\\", '"'} <= set(read_header(file).words)


@pytest.mark.parametrize("kept", [0, 1, 7, 8, 9, 100, 0.01, 0.3, 0.6, 0.999, -1])
def test_a_file_that_is_cut_off_is_refused(kept: float, saved: Path, file: Path) -> None:
    data = saved.read_bytes()
    file.write_bytes(data[: int(kept * len(data)) if isinstance(kept, float) else kept])
    refused(file, "not a checkpoint of grammax.*cut off")


@pytest.mark.parametrize(
    "data",
    [
        b"junk",
        b"\x00" * 5_000,
        b"\xff" * 5_000,
        b'{"a": 1}' * 100,
        os.urandom(3_000),
        b"PK\x03\x04",
    ],
    ids=["letters", "zeros", "ones", "json", "random", "zip"],
)
def test_junk_is_refused(data: bytes, file: Path) -> None:
    file.write_bytes(data)
    refused(file, "not a checkpoint of grammax")


class Trap:
    """Says so if it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("a checkpoint was unpickled",)


@pytest.mark.parametrize("write", [pickle.dump, torch.save], ids=["pickle", "torch"])
def test_nothing_is_unpickled(write: Callable[..., None], file: Path) -> None:
    with file.open("wb") as opened:
        write({"weights": Trap()}, opened)
    refused(file, "not a checkpoint of grammax")


@pytest.mark.parametrize("metadata", [None, {}, {"format": "pt"}])
def test_a_file_of_another_program_is_refused(metadata: dict[str, str] | None, file: Path) -> None:
    save_file({"weight": torch.zeros(3)}, file, metadata)
    refused(file, "safetensors file, but not of grammax")


@pytest.mark.parametrize("number", [FORMAT + 1, 0, None, "1", [1]])
def test_another_format_is_refused(number: object, saved: Path, file: Path) -> None:
    changed(saved, file, lambda header: {**header, "format": number})
    refused(file, rf"has the format .*this release of grammax reads {FORMAT}\b.*train again")


@pytest.mark.parametrize(
    "damage",
    [
        lambda header: {k: v for k, v in header.items() if k != "model"},
        lambda header: {k: v for k, v in header.items() if k != "words"},
        lambda header: {k: v for k, v in header.items() if k != "epochs"},
        lambda header: {**header, "model": {**header["model"], "heads": 8}},
        lambda header: {**header, "model": {**header["model"], "words": "12"}},
        lambda header: {**header, "model": []},
        lambda header: {**header, "training": {**header["training"], "learning_rate": -1}},
        lambda header: {**header, "training": None},
        lambda header: {**header, "words": 7},
        lambda header: {**header, "words": "abc"},
        lambda header: {**header, "epochs": [{"loss": 1}]},
        lambda header: {**header, "epochs": [7]},
        lambda header: {**header, "seen": [*header["seen"][1:], "COU_ATLANTIS"]},
        lambda header: {**header, "seen": header["seen"][1:]},
        lambda header: {**header, "words": header["words"][1:]},
        lambda header: [header],
        lambda header: json.dumps(header)[:-20],
        lambda header: "[" * 100_000,
        lambda header: "",
    ],
)
def test_a_damaged_header_is_refused(
    damage: Callable[[dict[str, Any]], Any], saved: Path, file: Path
) -> None:
    changed(saved, file, damage)
    with pytest.raises(FileFormatError) as error:
        load_network(file, FEW)
    assert file.name in str(error.value)
    with pytest.raises(FileFormatError):
        resume_training(file, FEW)


WEIGHT = "encoder.forwards.weight_ih_l0"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda weights: {**weights, WEIGHT: torch.zeros(3, 3)}, f"does not fit.*{WEIGHT}"),
        (lambda weights: {**weights, "extra": torch.zeros(1)}, "does not fit.*extra"),
        (lambda w: {k: v for k, v in w.items() if k != WEIGHT}, f"does not fit.*{WEIGHT}"),
        (lambda w: {**w, WEIGHT: torch.full_like(w[WEIGHT], nan)}, f"{WEIGHT} are not all finite"),
        (lambda w: {**w, WEIGHT: torch.full_like(w[WEIGHT], inf)}, f"{WEIGHT} are not all finite"),
    ],
    ids=["shape", "extra", "missing", "nan", "infinite"],
)
def test_weights_that_do_not_fit_are_refused(
    damage: Callable[..., Any], message: str, saved: Path, file: Path
) -> None:
    refused(changed(saved, file, tensors=damage), message)


@pytest.mark.parametrize(
    "damage",
    [
        lambda tensors: {**tensors, "optimizer.square_avg.elsewhere": torch.zeros(1)},
        lambda tensors: {**tensors, f"optimizer.square_avg.{WEIGHT}": torch.zeros(3, 3)},
    ],
    ids=["foreign", "shape"],
)
def test_what_the_optimizer_remembers_has_to_fit(
    damage: Callable[..., Any], saved: Path, file: Path
) -> None:
    changed(saved, file, tensors=damage)
    with pytest.raises(FileFormatError, match="optimizer"):
        resume_training(file, FEW)


def test_a_network_of_another_domain_is_refused(saved: Path) -> None:
    other = replace(FEW, name="huge")
    for way in (load_network, resume_training):
        with pytest.raises(OtherVersion, match="for the domain 'tiny', not 'huge'"):
            way(saved, other)


def test_a_network_of_another_vocabulary_is_refused_with_both_versions(saved: Path) -> None:
    other = replace(FEW, version="two")
    for way in (load_network, resume_training):
        with pytest.raises(
            OtherVersion, match=r"version one of tiny's.*this is version two.*Train"
        ):
            way(saved, other)


def test_a_training_does_not_go_on_with_other_pairs(saved: Path) -> None:
    pairs = list(FEW.train)
    for place, pair in enumerate(pairs):
        pairs[place] = Pair(pair.query.replace("steel", "iron"), pair.tokens)
    with pytest.raises(FileFormatError, match="other pairs"):
        resume_training(saved, replace(FEW, train=tuple(pairs)))


@pytest.mark.parametrize("way", [load_network, resume_training])
def test_a_missing_file_is_told(way: Callable[..., object], tmp_path: Path) -> None:
    for file in (tmp_path / "absent", tmp_path):
        with pytest.raises(FileNotFoundError, match="no such checkpoint"):
            way(file, FEW)


def broken_write(error: BaseException) -> Callable[[int], None]:
    def fsync(file: int) -> None:
        raise error

    return fsync


@pytest.mark.parametrize("before", [None, b"the old one"])
def test_a_full_disk_leaves_the_old_file(
    before: bytes | None, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if before:
        file.write_bytes(before)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    monkeypatch.setattr("os.fsync", broken_write(full))
    kept = "The previous file is unchanged" if before else r"could not be written\.'?:? "
    with pytest.raises(OSError, match=f"No space left on device.*{kept}") as error:
        save_checkpoint(file, a_trainer(FEW), [])
    assert error.value.errno == errno.ENOSPC
    assert error.value.filename == str(file)
    assert [path.name for path in file.parent.iterdir()] == ([file.name] if before else [])
    if before:
        assert file.read_bytes() == before


def test_a_checkpoint_says_what_each_epoch_did(saved: Path) -> None:
    (epoch,) = read_header(saved).epochs
    assert isinstance(epoch, Epoch)
    assert epoch.number == 1
    assert epoch.loss > 0
