"""The network under a search: alone, in batches and in training it gives the same vectors."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="decoding needs PyTorch")

from collections.abc import Callable, Sequence  # noqa: E402
from dataclasses import replace  # noqa: E402
from typing import Any  # noqa: E402

from model.networks import QUIET, SMALL, a_trainer, an_untrained  # noqa: E402
from model.tiny import OPEN, TINY, TinyDomain  # noqa: E402

from grammax.head import Options  # noqa: E402
from grammax.head.every_row import EveryRow  # noqa: E402
from grammax.head.spans import Spans  # noqa: E402
from grammax.model.config import ModelConfig  # noqa: E402
from grammax.model.decoding import TorchBatchDecoder, TorchDecoder  # noqa: E402
from grammax.model.network import Network  # noqa: E402
from grammax.model.parser import output_layer  # noqa: E402
from grammax.model.rows import ComposedRows, LearntRows, TrainableRows  # noqa: E402
from grammax.search import Unconstrained  # noqa: E402
from grammax.search.protocol import Run  # noqa: E402
from grammax.training.examples import examples  # noqa: E402

PAIRS = TINY.train[:2] + TINY.train[30:33]
MODELS = {"composed": SMALL, "learnt": replace(SMALL, rows="learnt")}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())


def alone(network: Network, query: str, tokens: list[int]) -> torch.Tensor:
    """The hidden vectors before each token and after the last, (tokens + 1, d)."""
    return after_runs(network, query, [(token,) for token in tokens])


def after_runs(network: Network, query: str, runs: Sequence[Run]) -> torch.Tensor:
    decoder = TorchDecoder(network)
    state = decoder.start(network.reader.read(query))
    found = [decoder.hidden(state)]
    for run in runs:
        state = decoder.step(state, run)
        found.append(decoder.hidden(state))
    return torch.stack(found)


@every_model
def test_many_queries_are_decoded_as_each_alone(model: ModelConfig) -> None:
    network = an_untrained(model=model)
    ids = [TINY.vocabulary.ids(pair.tokens) for pair in PAIRS]
    want = [alone(network, pair.query, tokens) for pair, tokens in zip(PAIRS, ids, strict=True)]
    decoder = TorchBatchDecoder(network)
    states = decoder.start([network.reader.read(pair.query) for pair in PAIRS])
    going = list(range(len(PAIRS)))
    for step in range(max(map(len, ids)) + 1):
        hidden = decoder.hidden(states, range(len(going)))
        for row, member in enumerate(going):
            assert torch.allclose(hidden[row], want[member][step], atol=1e-5)
        kept = [row for row, member in enumerate(going) if step < len(ids[member])]
        if kept:
            going = [going[row] for row in kept]
            states = decoder.step(states, kept, [(ids[member][step],) for member in going])
    assert step == max(map(len, ids))


@every_model
def test_a_run_is_read_at_once_alone_and_in_a_batch(model: ModelConfig) -> None:
    network = an_untrained(model=model)
    german, steel, bracket = TINY.vocabulary.ids(["COU_GERMANY", "SEC_STEEL", ")"])
    runs = [(german, bracket, bracket), (steel,), (german, bracket)]
    queries = ["german steel", "german steel", "german steel"]
    decoder = TorchBatchDecoder(network)
    states = decoder.start([network.reader.read(query) for query in queries])
    hidden = decoder.hidden(decoder.step(states, range(3), runs), range(3))
    for row, (query, run) in enumerate(zip(queries, runs, strict=True)):
        assert torch.allclose(hidden[row], after_runs(network, query, [run])[-1], atol=1e-5)
        one_by_one = alone(network, query, list(run))[-1]
        assert torch.allclose(hidden[row], one_by_one, atol=1e-6) == (len(run) == 1)
    assert not torch.allclose(hidden[0], hidden[2], atol=1e-6)


@every_model
def test_members_part_and_end_as_beams_do(model: ModelConfig) -> None:
    network = an_untrained(model=model)
    queries = ["german steel", "top 10 banks in south korea", "cars"]
    paths = [(0, ["(", "AND"]), (2, ["(", "FLD_SECTOR"]), (0, ["(", "NOT"]), (2, ["(", "top"])]
    decoder = TorchBatchDecoder(network)
    states = decoder.start([network.reader.read(query) for query in queries])
    for step in range(2):
        members = [query for query, _ in paths] if step == 0 else range(len(paths))
        runs = [(TINY.vocabulary.id(path[step]),) for _, path in paths]
        states = decoder.step(states, members, runs)
    asked = [3, 0, 0, 2]
    hidden = decoder.hidden(states, asked)
    for row, member in enumerate(asked):
        query, path = paths[member]
        want = alone(network, queries[query], TINY.vocabulary.ids(path))[-1]
        assert torch.allclose(hidden[row], want, atol=1e-5)


def test_states_are_values() -> None:
    network = an_untrained()
    decoder = TorchDecoder(network)
    state = decoder.start(network.reader.read("german steel german"))
    before = decoder.hidden(state).clone()
    for token in TINY.vocabulary.ids(["COU_GERMANY", "SEC_STEEL", "("]):
        decoder.step(state, (token,))
    assert torch.equal(decoder.hidden(state), before)


@every_model
def test_what_was_read_matters_and_so_does_its_order(model: ModelConfig) -> None:
    network = an_untrained(model=model)
    one, two = TINY.vocabulary.ids(["COU_GERMANY", "SEC_STEEL"])
    vectors = [
        alone(network, query, path)[-1]
        for query, path in [
            ("german steel", [one, two]),
            ("german steel", [two, one]),
            ("german steel", [one]),
            ("french steel", [one, two]),
        ]
    ]
    for place, vector in enumerate(vectors):
        for other in vectors[place + 1 :]:
            assert not torch.allclose(vector, other, atol=1e-6)


@pytest.mark.parametrize(
    ("softmax", "decisions_only"), [("grammar", False), ("grammar", True), ("full", False)]
)
@pytest.mark.parametrize("domain", [TINY, OPEN], ids=["bracketed", "open"])
@every_model
def test_training_pays_for_what_decoding_gives(
    domain: TinyDomain, model: ModelConfig, decisions_only: bool, softmax: str
) -> None:
    """The loss of a first batch, all pairs at once, is that of pairs decoded one by one."""
    domain = replace(domain, train=domain.train[:12])
    model = replace(model, decisions_only=decisions_only)
    quiet = replace(QUIET, batch=99, held_out=0.0, softmax=softmax)
    network = an_untrained(domain, model, quiet)
    layer = output_layer(network)
    head = Spans(layer)
    free = Unconstrained(domain.vocabulary)
    automaton = free if softmax == "full" else domain.automaton("lr")
    total = 0.0
    given = examples(domain.train, network.reader, automaton, decisions_only)
    for pair, (_, runs, targets, options) in zip(domain.train, given, strict=True):
        hidden = after_runs(network, pair.query, runs[1:])
        for vector, target, choice in zip(hidden, targets, options, strict=True):
            if choice is not None:
                total -= log_probability(head, vector, choice, target)
    epoch = a_trainer(domain, model, quiet).run()
    assert epoch.loss == pytest.approx(total / len(domain.train), rel=1e-4)


@pytest.mark.parametrize("decisions_only", [False, True])
@pytest.mark.parametrize("domain", [TINY, OPEN], ids=["bracketed", "open"])
@every_model
def test_training_sees_the_vectors_of_decoding(
    domain: TinyDomain, model: ModelConfig, decisions_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a batch of sequences that are read whole the head is given what it is given in a step."""
    seen: list[torch.Tensor] = []

    for rows in (ComposedRows, LearntRows):

        def spied(
            self: TrainableRows,
            hidden: torch.Tensor,
            *rest: object,
            losses: Callable[..., Any] = rows.losses,
        ) -> torch.Tensor:
            seen.append(hidden.detach().clone())
            return losses(self, hidden, *rest)

        monkeypatch.setattr(rows, "losses", spied)
    domain = replace(domain, train=domain.train[:6])
    model = replace(model, decisions_only=decisions_only)
    quiet = replace(QUIET, batch=99, held_out=0.0)
    network = an_untrained(domain, model, quiet)
    given = examples(domain.train, network.reader, domain.automaton("lr"), decisions_only)
    wanted = []
    for pair, (_, runs, _, options) in zip(domain.train, given, strict=True):
        hidden = after_runs(network, pair.query, runs[1:])
        wanted += [h for h, choice in zip(hidden, options, strict=True) if choice is not None]
    a_trainer(domain, model, quiet).run()
    (batch,) = seen
    distances = (batch[:, None] - torch.stack(wanted)).norm(dim=-1)
    assert distances.shape[0] == distances.shape[1]
    assert distances.min(0).values.max() < 1e-5
    assert distances.min(1).values.max() < 1e-5
    assert distances.median() > 1e-2


def log_probability(
    head: EveryRow | Spans, hidden: torch.Tensor, options: Options, target: int
) -> float:
    return dict(head.scores(hidden, options).best(10_000))[target]
