"""Law 5 for the model of the package: NumPy, compiled loops and PyTorch choose alike."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from typing import Any

import pytest
from domains.eqs.shared import eqs, some_queries

from grammax.domains import shipped_model
from grammax.model.header import decoding_grammar
from grammax.model.precision import in_eight_bits
from grammax.reading.parse import QueryNotice
from grammax.runtime.parser import RuntimeParser
from grammax.runtime.weights import Weights, load_weights

EQS = eqs()
WAYS = [False, True] if find_spec("numba") else [False]  # without compiled loops, and with them
CHUNKS = 3  # so that workers share the pairs of a split
MOST = 300  # pairs of a chunk


@pytest.fixture(scope="module")
def weights() -> Weights:
    return load_weights(shipped_model("eqs"), EQS)


def the_parser(weights: Weights, compiled: bool) -> RuntimeParser:
    grammar = decoding_grammar(weights.config, EQS)
    return RuntimeParser(weights, EQS.automaton(grammar), compiled=compiled)


@pytest.fixture(scope="module")
def reference() -> Any:
    pytest.importorskip("torch", reason="the runtime is compared with PyTorch")
    from grammax.model.checkpoint import load_network
    from grammax.model.parser import TorchParser

    return TorchParser.for_domain(load_network(shipped_model("eqs"), EQS), EQS)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("split", EQS.splits)
def test_every_query_is_parsed_as_by_pytorch(
    weights: Weights, reference: Any, split: str, chunk: int
) -> None:
    parsers = [the_parser(weights, compiled) for compiled in WAYS]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        for pair in EQS.pairs(split)[chunk::CHUNKS][:MOST]:
            wanted = reference.parse(pair.query)
            for parser in parsers:
                found = parser.parse(pair.query)
                assert found.tokens == wanted.tokens, pair.query
                log = wanted.log_probability
                assert found.log_probability == pytest.approx(log, abs=1e-3)


def test_the_model_is_exact_in_eight_bits_where_decoding_multiplies(weights: Weights) -> None:
    gates = 4 * weights.config.decoder
    matrices = (weights.state[:, :gates], weights.state[:, gates:], weights.attention)
    for matrix in (*weights.encoder_states, *matrices, weights.context):
        assert in_eight_bits(matrix.T) is not None


@pytest.mark.skipif(not find_spec("numba"), reason="Numba")
def test_compiled_loops_choose_as_numpy(weights: Weights) -> None:
    plain, compiled = the_parser(weights, compiled=False), the_parser(weights, compiled=True)
    for query in some_queries():
        assert compiled.parse(query).tokens == plain.parse(query).tokens, query
