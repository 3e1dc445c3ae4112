"""Law 5: the runtime chooses what the PyTorch model chooses."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the runtime is compared with PyTorch")

import warnings  # noqa: E402
from dataclasses import replace  # noqa: E402
from importlib.util import find_spec  # noqa: E402
from pathlib import Path  # noqa: E402

from model.networks import SHORT, SMALL, a_trainer  # noqa: E402
from model.tiny import OPEN, TINY, UNSEEN_PAIRS, TinyDomain  # noqa: E402

from grammax.errors import FileFormatError  # noqa: E402
from grammax.model.checkpoint import load_network  # noqa: E402
from grammax.model.config import ModelConfig  # noqa: E402
from grammax.model.header import OtherVersion  # noqa: E402
from grammax.model.parser import TorchParser  # noqa: E402
from grammax.reading.parse import QueryNotice  # noqa: E402
from grammax.reading.reader import EmptyQuery  # noqa: E402
from grammax.runtime.parser import RuntimeParser  # noqa: E402
from grammax.search import Decoded  # noqa: E402
from grammax.training.checkpoint import save_checkpoint  # noqa: E402

QUERIES = (
    *(pair.query for pair in (*TINY.train[:6], *UNSEEN_PAIRS[:3])),
    "quite another query",
    "german " * 300,
    "東京 steel ½ ß",
    "?",
)


NAMING = replace(TINY, must_be_named=frozenset({"COUNTRY"}))

needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="Numba is not installed")


def a_model(domain: TinyDomain, model: ModelConfig, folder: Path) -> Path:
    """The file of a network that has learnt a little."""
    trainer = a_trainer(domain, model, replace(SHORT, epochs=2, batch=8))
    for _ in range(2):
        trainer.run()
    path = folder / "model.safetensors"
    save_checkpoint(path, trainer, [], final=True)
    return path


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((domain, rows, only), id=f"{name}-{rows}-{only}")
        for domain, name in ((TINY, "bracketed"), (OPEN, "open"), (NAMING, "naming"))
        for rows in ("composed", "learnt")
        for only in (False, True)
    ],
)
def trained(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[TinyDomain, Path]:
    """A domain and a file of its model."""
    domain, rows, only = request.param
    model = replace(SMALL, rows=rows, decisions_only=only)
    return domain, a_model(domain, model, tmp_path_factory.mktemp("model"))


def assert_alike(one: Decoded, other: Decoded) -> None:
    assert one.tokens == other.tokens
    assert one.scored == other.scored
    assert one.log_probability == pytest.approx(other.log_probability, abs=1e-3)


@pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=needs_numba)], ids=["plain", "compiled"]
)
def test_the_runtime_chooses_as_pytorch_does(
    trained: tuple[TinyDomain, Path], compiled: bool
) -> None:
    domain, path = trained
    reference = TorchParser.for_domain(load_network(path, domain), domain)
    runtime = RuntimeParser.load(path, domain, compiled=compiled)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        for query in QUERIES:
            assert_alike(reference.parse(query), runtime.parse(query))
            best = zip(reference.best(query, 3), runtime.best(runtime.read(query), 3), strict=True)
            for one, other in best:
                assert_alike(one, other)
        assert [p.tokens for p in runtime.parse_batch(QUERIES)] == [
            p.tokens for p in reference.parse_batch(QUERIES)
        ]


def test_bad_queries_and_files_are_told_as_they_are_with_pytorch(tmp_path: Path) -> None:
    path = a_model(TINY, SMALL, tmp_path)
    runtime = RuntimeParser.load(path, TINY)
    with pytest.raises(EmptyQuery):
        runtime.parse(" ")
    with pytest.warns(QueryNotice, match="no word of this query"):
        runtime.parse("lorem ipsum")
    with pytest.raises(OtherVersion, match="version one of tiny's"):
        RuntimeParser.load(path, replace(TINY, version="two"))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FileFormatError, match="cut off"):
        RuntimeParser.load(path, TINY)
