"""`DeviceSearch`: greedy search for any number of queries on a device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from threading import Lock
from typing import Any, Final, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.lr.engine import LrEngine
from grammax.errors import GrammaxError
from grammax.reading.parse import reduced_for, written
from grammax.reading.reader import Query
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.device.automaton import DeviceAutomaton
from grammax.runtime.device.candidates import Model
from grammax.runtime.device.greedy import Batch, Maker, plain
from grammax.runtime.device.grounding import DeviceGrounding
from grammax.runtime.device.members import BUDGET, CHOSEN, FORCED, LACKS, Result
from grammax.runtime.device.network import DeviceNetwork, exact
from grammax.runtime.device.prepare import Prepared, Shape, fits, prepare
from grammax.runtime.device.words import WordTable
from grammax.runtime.grounding import GROUNDED, NAMED, WHOLE, grounding_arrays
from grammax.search.result import Decoded, Ending, SearchError, all_found, found_or_errors

_BATCH: Final = 1_024  # queries
_SCORES: Final = 1 << 25  # of a batch, at most
_SHAPES: Final = 8  # that are kept, with their tensors
_FEW: Final = 64  # queries that are decoded on the CPU before the device tries again
_ENDINGS: Final[dict[int, Ending]] = {FORCED: "forced", CHOSEN: "chosen", BUDGET: "budget"}

Reference = Callable[[Sequence[Query]], list[Decoded]]


class NoSuchDevice(GrammaxError):
    """A device that PyTorch does not know, or that is not there."""


@final
class DeviceSearch:
    """Decodes batches on a device, with the choices of `reference`, which decodes on the CPU.

    Queries whose sentences pass states of the automaton that the device does not know are left to
    `reference`; the device then knows these states. Threads may share it, and wait for each other.
    """

    def __init__(
        self,
        decoder: RuntimeDecoder,
        automaton: BoundAutomaton[Any],
        reference: Reference,
        device: str,
        *,
        graphs: bool | None = None,
        fused: bool | None = None,
    ) -> None:
        """`fused` kernels are used on a GPU where Triton is installed, unless it says otherwise."""
        self._device = _found(device)
        is_gpu = self._device.type == "cuda"
        graphs = is_gpu if graphs is None else graphs
        self._reference = reference
        self._automaton = automaton
        self._tokens = automaton.vocabulary.tokens
        self._lock = Lock()
        self._batches: dict[Shape, Batch] = {}
        with exact():
            self.model = _model(decoder, automaton, self._device)
            wanted = is_gpu and find_spec("triton") is not None if fused is None else fused
            self._maker = (wanted and _fused(self.model, graphs)) or plain(self.model, graphs)
        self.left = 0  # queries that were decoded on the CPU, so far

    def decode(self, queries: Sequence[Query]) -> list[Decoded]:
        """The logical forms of queries that were read; those of similar length share a batch."""
        found: dict[int, Decoded | SearchError] = {}
        fitting = [fits(query) and self._leaves_all(query) for query in queries]
        left = [at for at, fit in enumerate(fitting) if not fit]
        waiting = [at for at, fit in enumerate(fitting) if fit]
        waiting.sort(key=lambda at: len(queries[at].ids))
        with self._lock, exact():
            size = self._batch_size
            while waiting:
                failed: list[int] = []
                for start in range(0, len(waiting), size):
                    indices = waiting[start : start + size]
                    for at, decoded in zip(indices, self._together(queries, indices), strict=True):
                        if decoded is None:
                            failed.append(at)
                        else:
                            found[at] = decoded
                # Some are enough to learn most of the states that the others pass.
                self._on_the_host(queries, failed[:_FEW], found)
                waiting = failed[_FEW:]
            self._on_the_host(queries, left, found)
        return all_found([found[at] for at in range(len(queries))])

    def _leaves_all(self, query: Query) -> bool:
        """Whether a query leaves the whole grammar, the only one that the device knows."""
        return reduced_for(query, self._automaton) is self._automaton

    def prepare(self, queries: Sequence[Query]) -> Prepared:
        """The arrays of a batch of queries; this and what follows is done within `exact()`."""
        return prepare(queries, self.model.words, narrowed=self.model.mode != WHOLE)

    def batch(self, prepared: Prepared) -> Batch:
        """The tensors for a batch."""
        shape = self._maker.shape(prepared)
        found = self._batches.pop(shape, None)
        if found is None:
            while len(self._batches) >= _SHAPES:  # the one that was not used for longest
                del self._batches[next(iter(self._batches))]
            found = self._maker.new(shape)
        self._batches[shape] = found
        return found

    @property
    def _batch_size(self) -> int:
        return max(1, min(_BATCH, _SCORES // len(self.model.shared)))

    def _together(self, queries: Sequence[Query], indices: Sequence[int]) -> list[Decoded | None]:
        """The logical forms of one batch; None where the device cannot tell."""
        chosen = [queries[at] for at in indices]
        prepared = self.prepare(chosen)
        batch = self.batch(prepared)
        batch.send(prepared)
        batch.encode()
        batch.search()
        return self.decoded(chosen, batch.read(len(chosen)))

    def decoded(self, queries: Sequence[Query], result: Result) -> list[Decoded | None]:
        """The logical forms of a result; None where the device could not tell."""
        found: list[Decoded | None] = []
        tokens = self._tokens
        listed = (array.tolist() for array in result)
        for query, ids, permitted, scored, count, ending, log in zip(queries, *listed, strict=True):
            if ending == LACKS:
                found.append(None)
                continue
            entries = count + (ending != FORCED)  # the end was scored
            decoded = Decoded(
                tuple(ids[:count]),
                tuple([tokens[token] for token in ids[:count]]),
                log,
                tuple(permitted[:entries]),
                tuple(scored[:entries]),
                _ENDINGS[ending],
            )
            found.append(written(decoded, query))
        return found

    def _on_the_host(
        self,
        queries: Sequence[Query],
        indices: Sequence[int],
        found: dict[int, Decoded | SearchError],
    ) -> None:
        if not indices:
            return
        batch = [queries[at] for at in indices]
        results = found_or_errors(partial(self._reference, batch), len(batch))
        found.update(zip(indices, results, strict=True))
        forms = [one.ids for one in results if isinstance(one, Decoded)]
        self.model.automaton.learn(forms)
        self.left += len(indices)


def _model(decoder: RuntimeDecoder, automaton: BoundAutomaton[Any], device: torch.device) -> Model:
    w = decoder.weights
    names = w.reader.names if w.config.matches else None
    must = names.limited if names else ()
    reduces = names is not None and names.grounds is not None and names.grounds.reduces
    fills = w.reader.filling is not None and isinstance(automaton.engine, LrEngine) and not reduces
    mode = WHOLE if not must else GROUNDED if fills else NAMED
    arrays = grounding_arrays(automaton, must)
    network = DeviceNetwork(decoder, device)
    tokens, kind_of = len(automaton.vocabulary), np.asarray(w.kind_of)
    endings = (FORCED, LACKS)
    a = DeviceAutomaton(automaton, kind_of, mode, arrays.must.tolist(), endings, device)
    ends = len(w.rows.bias) > tokens
    shared = np.arange(tokens)
    if mode == GROUNDED:
        # Where a single token is permitted, it need not be available.
        shared = shared[(~arrays.must | (a.sizes == 1))[kind_of[:tokens]]]
    columns = a.kinds + kind_of[shared]
    if ends:
        shared, columns = np.append(shared, tokens), np.append(columns, a.end)

    def sent(array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(device)

    kinds, rest = len(arrays.must), np.zeros(2, np.int64)
    none, every = np.zeros(kinds, np.bool_), np.ones(kinds, np.bool_)
    kept = [[*none, *every, True, True], [*every, *~arrays.must, True, True]]
    rows = sent(shared)
    return Model(
        network=network,
        automaton=a,
        grounding=DeviceGrounding(arrays, device),
        words=WordTable(w, device),
        shared=rows,
        shared_rows=network.rows[rows].T.contiguous(),
        shared_bias=network.bias[rows],
        columns=sent(columns),
        ends=ends,
        sizes=sent(np.concatenate([0 * a.sizes, a.sizes, rest])),
        firsts=sent(np.concatenate([0 * a.firsts + network.nothing, a.firsts, rest])),
        kept=sent(np.array(kept)),
        mode=mode,
        decisions_only=w.config.decisions_only,
        budget=w.config.budget,
        lr_states=len(arrays.items_first) - 1 if mode == GROUNDED else 0,
        device=device,
    )


def _fused(model: Model, graphs: bool) -> Maker | None:
    """What makes batches for kernels that Triton compiles; None if the model is too large."""
    from grammax.runtime.device.fused import fused

    return fused(model, graphs)


def _found(name: str) -> torch.device:
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        why = str(error).splitlines()[0]
        raise NoSuchDevice(f"the device {name!r} cannot be used: {why}") from error
    return device
