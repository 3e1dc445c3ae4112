"""`permitted_rows`: all of a model's `generate`, with only the permitted rows multiplied.

A module stands in the place of the model's head. `prepare_inputs_for_generation`, which `generate`
calls before each step with all that was generated, tells it the prefixes; it looks up the states
of the grammar, multiplies their rows, and gives -inf for all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from inspect import signature
from math import inf
from typing import Any

import torch
from torch import Tensor

from grammax.subwords.protocol import Constraint
from grammax.transformers.errors import (
    ConstrainedGenerationError,
    ModelInUse,
    Unfinished,
    UnsupportedOption,
)
from grammax.transformers.fitting import Fitting, each
from grammax.transformers.output_layer import OutputLayer, check_size, output_layer
from grammax.transformers.place import (
    HeadPlace,
    in_place_of_head,
    instead_of_method,
    refuse_if_used,
)
from grammax.transformers.prefixes import Prefix, Prefixes
from grammax.transformers.row_scores import RowScores
from grammax.transformers.settings import Settings, settings
from grammax.vocabulary.rows import Rows


@contextmanager
def permitted_rows(
    model: Any,
    constraint: Constraint[Any] | Sequence[Constraint[Any]],
    budget: int | None = None,
) -> Iterator[None]:
    """Within it, `model.generate` writes sentences of a grammar only, and skips all other rows.

    `model` is a model of transformers with a head for language modelling. `constraint` is one of
    `grammax.subwords.constraint` for all sequences of a batch, or one per sequence. `budget` is the
    largest number of new tokens; without it, `max_new_tokens` of `generate` is. Greedy decoding,
    sampling and assisted decoding are as with all rows and a mask; beams need
    `renormalize_logits=True`.

        with permitted_rows(model, constraint):
            ids = model.generate(**inputs, max_new_tokens=200)

    A grammar that cannot end within the budget is refused before the first step, if its constraint
    knows what it needs; `Unfinished` is raised for texts that were cut all the same.
    """
    if budget is not None and budget < 1:
        raise UnsupportedOption(f"a budget is 1 token or more, not {budget}")
    refuse_if_used(model)
    layer = output_layer(model)
    constraints = each(constraint)
    check_size(layer, (one.constraint for one in constraints))
    module = _PermittedRows(layer)
    calls = _Calls(model, module, constraints, budget)
    with ExitStack() as stack:
        stack.enter_context(in_place_of_head(model, module))
        prepare, generate = model.prepare_inputs_for_generation, model.generate
        for name, method in (
            ("prepare_inputs_for_generation", calls.prepared(prepare)),
            ("generate", calls.watched(generate)),
        ):
            stack.enter_context(instead_of_method(model, name, method))
        stack.callback(model.register_forward_hook(module.forbid_again).remove)
        yield


class _PermittedRows(HeadPlace):
    """The head's place: scores of the permitted rows, -inf elsewhere. Mutable."""

    def __init__(self, layer: OutputLayer) -> None:
        super().__init__(layer)
        self.row_scores = RowScores(layer.weight, layer.bias)
        self.step: _Step | None = None
        self._forbidden: Tensor | None = None
        self._survives: bool | None = None  # whether -inf is -inf after what the model does to it

    @torch.compiler.disable  # type: ignore[untyped-decorator]
    def forward(self, hidden: Tensor) -> Tensor:
        """(n, p, d) → (n, q, V): the last q positions, of which the states are known."""
        step, self.step = self.step, None
        if step is None:
            raise ConstrainedGenerationError(
                "the model was called outside of its generate, or twice for one step, so that the "
                "state of the grammar is not known. Within permitted_rows, call model.generate."
            )
        positions = min(step.positions, hidden.shape[1])
        sets = step.sets(positions)
        flat = hidden[:, -positions:].reshape(-1, hidden.shape[-1])
        width = self.row_scores.rows
        out = flat.new_full((len(sets), width + 1), -inf)  # the last column is for nothing
        asked = [index for index, rows in enumerate(sets) if rows is not None]
        if len(asked) < len(sets):  # after the end: any scores, since they are not used
            unasked = [index for index, rows in enumerate(sets) if rows is None]
            out[unasked] = 0.0
        if asked:
            whole = len(asked) == len(sets)
            scored = self.row_scores.scores(
                flat if whole else flat[asked], [rows for rows in sets if rows is not None]
            )
            if scored.ids is None:
                out[slice(None) if whole else asked, :width] = scored.values
            elif whole:
                out.scatter_(1, scored.ids, scored.values)
            else:
                index = torch.tensor(asked, device=out.device)[:, None]
                out.index_put_((index, scored.ids), scored.values)
        logits = out[:, :width].view(len(hidden), positions, width)
        if not self._survives:
            self._forbidden = torch.isneginf(logits)
        return logits

    def forbid_again(self, _: Any, __: Any, output: Any) -> None:
        """Write -inf once more, where a soft cap or the like made something finite of it."""
        forbidden, self._forbidden = self._forbidden, None
        logits = getattr(output, "logits", None)
        if forbidden is None or logits is None:
            return
        if self._survives is None:
            self._survives = bool((torch.isneginf(logits) == forbidden).all())
        if not self._survives:
            output.logits = logits.masked_fill(forbidden, -inf)


class _Step:
    """What the head has to know for one step: the constraint and the prefix of each sequence."""

    def __init__(
        self, prefixes: Prefixes, members: Sequence[int], written: Sequence[Prefix], drafts: bool
    ) -> None:
        self.prefixes = prefixes
        self.members = members
        self.written = written
        self.positions = 1 + (len(written[0]) if drafts and written else 0)

    def sets(self, positions: int) -> list[Rows | None]:
        """What each of the last positions of each sequence permits; None where it is not used."""
        return [
            self.prefixes.rows(member, prefix[: len(prefix) - back])
            for member, prefix in zip(self.members, self.written, strict=True)
            for back in reversed(range(positions))
        ]


class _Calls:
    """The methods that stand in the place of the model's, for calls one at a time. Mutable."""

    def __init__(
        self,
        model: Any,
        module: _PermittedRows,
        constraints: Sequence[Fitting],
        budget: int | None,
    ) -> None:
        self.model = model
        self.module = module
        self.constraints = constraints
        self.budget = budget
        self.settings: Settings | None = None  # of the call that runs
        self.given: int | None = None  # the length of the prompt, if ids were given
        self.prompt: int | None = None
        self.prefixes: Prefixes | None = None

    def watched(self, generate: Any) -> Any:
        """`generate` with its options looked at before, and its output after."""
        takes = signature(generate)

        @wraps(generate)
        def watched_generate(*args: Any, **kwargs: Any) -> Any:
            if self.settings is not None:
                raise ModelInUse(self.model)
            bound = takes.bind(*args, **kwargs).arguments
            options = {**bound, **bound.get("kwargs", {})}
            found = settings(self.model, options)
            ids = options.get("inputs", options.get("input_ids"))
            try:
                self.settings = found
                self.given = None if ids is None else ids.shape[1]
                output = generate(*args, **kwargs)
                self._check(output, found)
            finally:
                self.settings = self.prompt = self.prefixes = self.module.step = None
            return output

        return watched_generate

    def prepared(self, prepare: Any) -> Any:
        """`prepare_inputs_for_generation`, which tells the head what was written so far."""

        @wraps(prepare)
        def prepare_inputs_for_generation(input_ids: Tensor, *args: Any, **kwargs: Any) -> Any:
            self.module.step = self._step(input_ids)
            return prepare(input_ids, *args, **kwargs)

        return prepare_inputs_for_generation

    def _step(self, input_ids: Tensor) -> _Step:
        found = self.settings
        if found is None:
            raise ConstrainedGenerationError(
                "the model decodes outside of its own generate. Within permitted_rows, call "
                "model.generate."
            )
        if self.prompt is None or self.prefixes is None:
            self.prompt = self.given if found.drafts and self.given else input_ids.shape[1]
            self.prefixes = Prefixes(
                self.constraints, self._budget(found, self.prompt), found.ends, found.searching
            )
        else:
            self.prefixes.next_round()
        written = [tuple(row) for row in input_ids[:, self.prompt :].tolist()]
        return _Step(
            self.prefixes, self._members(len(written), found.copies), written, found.drafts
        )

    def _budget(self, found: Settings, prompt: int) -> int:
        left = found.left(prompt)
        if self.budget is None:
            return left
        if left < self.budget:
            raise UnsupportedOption(
                f"the budget is {self.budget} tokens, and generate stops after {left}. Pass "
                f"max_new_tokens={self.budget} or more to it."
            )
        return self.budget

    def _members(self, sequences: int, copies: int) -> list[int]:
        """For each sequence the index of its constraint."""
        if len(self.constraints) == 1:
            return [0] * sequences
        if sequences != len(self.constraints) * copies:
            raise UnsupportedOption(
                f"there are {len(self.constraints)} constraints and {sequences // copies} "
                f"sequences. Give one constraint, or one per sequence of the batch."
            )
        return [sequence // copies for sequence in range(sequences)]

    def _check(self, output: Any, found: Settings) -> None:
        """Raise `Unfinished` if a sequence is no sentence."""
        prefixes, prompt = self.prefixes, self.prompt
        if prefixes is None or prompt is None:
            raise ConstrainedGenerationError(
                f"{type(self.model).__name__} generated without prepare_inputs_for_generation, so "
                f"that the grammar was not applied. Use grammax.transformers.generate."
            )
        sequences = output if isinstance(output, Tensor) else output.sequences
        written = [tuple(row) for row in sequences[:, prompt:].tolist()]
        members = self._members(len(written), found.returned)
        cut = [
            index
            for index, (member, prefix) in enumerate(zip(members, written, strict=True))
            if not prefixes.is_done(member, prefix)
        ]
        if cut:
            raise Unfinished(cut, len(written), max(map(len, written)), output)
