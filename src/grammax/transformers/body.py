"""`Body`: a model that reads ids with its cache, and scores only rows that are asked for.

The model's own `forward` runs, with a module in the place of its head that returns the scores of
the permitted rows alone; so what models do before and after their heads (scales, soft caps) is
done, to a few values per sequence. Models that add a vector over the whole vocabulary behind the
head (BART's `final_logits_bias`) get scores as wide as that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from math import inf
from typing import Any, final

import torch
from torch import Tensor

from grammax.transformers.errors import UnsupportedModel
from grammax.transformers.output_layer import OutputLayer
from grammax.transformers.place import HeadPlace
from grammax.transformers.row_scores import RowScores, Scored
from grammax.vocabulary.rows import Rows

PADDING = 0  # the id at positions that nothing attends to


@final
class AskedRows(HeadPlace):
    """The head's place: the scores of the rows that were asked for, at the last position."""

    def __init__(self, layer: OutputLayer, wide: bool) -> None:
        super().__init__(layer)
        self.row_scores = RowScores(layer.weight, layer.bias)
        self.wide = wide
        self.members: Tensor | None = None
        self.sets: Sequence[Rows] = ()
        self.scored: Scored | None = None

    @torch.compiler.disable  # type: ignore[untyped-decorator]
    def forward(self, hidden: Tensor) -> Tensor:
        """(n, p, d) → (m, 1, k), or (m, 1, V) for wide scores."""
        last = hidden[:, -1]
        if not self.sets:
            return last.new_zeros(0, 1, 1)
        if self.members is not None:
            last = last[self.members]
        scored = self.scored = self.row_scores.scores(last, self.sets)
        if not self.wide or scored.ids is None:
            return scored.values[:, None]
        width = self.row_scores.rows
        wide = last.new_zeros(len(last), width + 1).scatter_(1, scored.ids, scored.values)
        return wide[:, None, :width]

    def read_back(self, logits: Tensor) -> Scored:
        """The scores as the model left them."""
        scored, self.scored = self.scored, None
        if scored is None:  # the model was called with sets, and did not ask for scores
            raise UnsupportedModel(
                "the model does not call its output layer, so no rows can be left out. Use its "
                "own generate with a mask."
            )
        values = logits[:, -1]
        if self.wide and scored.ids is not None:
            values = values.gather(1, scored.ids.clamp(max=self.row_scores.rows - 1))
        return Scored(values.masked_fill(torch.isneginf(scored.values), -inf), scored.ids)


@final
class Body:
    """A model, its cache, and the sequences that are still read. Mutable."""

    def __init__(
        self, model: Any, head: AskedRows, inputs: Mapping[str, Any], sequences: int
    ) -> None:
        self._model = model
        self._head = head
        self._inputs = dict(inputs)  # encoder's outputs and mask, or a cache to begin with
        self._cache = self._inputs.pop("past_key_values", None)
        self._is_first = True
        self._device = model.device
        self._any_length = _reads_any_length(model)
        parameters = signature(model.forward).parameters
        self._keeps_last = "logits_to_keep" in parameters
        self._takes_positions = "position_ids" in parameters
        self._decodes = bool(model.config.is_encoder_decoder)
        self._mask = torch.ones(sequences, 0, dtype=torch.long, device=self._device)

    def block_length(self, unread: Sequence[int]) -> int:
        """How many ids to read next, of texts with so many unread ones each.

        Prompts are read whole, padded at the left. After them, models that go by positions read
        what there is, and others as many as all texts have; a recurrent one reads one at a time.
        """
        if self._any_length or (self._is_first and not self._decodes):
            return max(unread)
        return 1 if getattr(self._model, "_is_stateful", False) else min(unread)

    def read(self, blocks: Sequence[Sequence[int]], asked: Mapping[int, Rows]) -> Scored | None:
        """Read a block of ids per sequence; the scores of those that are `asked`, in their order.

        Shorter blocks are padded at the left, where nothing attends to them.
        """
        longest = max(map(len, blocks))
        ids = torch.tensor(
            [[PADDING] * (longest - len(block)) + list(block) for block in blocks],
            device=self._device,
        )
        self._head.sets = list(asked.values())
        members = None if len(asked) == len(blocks) else torch.tensor([*asked], device=self._device)
        self._head.members = members
        output = self._model(**self._model_inputs(ids, [len(block) for block in blocks]))
        self._is_first = False
        self._cache = output.past_key_values
        return self._head.read_back(output.logits) if asked else None

    def keep(self, members: Sequence[int]) -> None:
        """Go on with some of the sequences only."""
        index = torch.tensor(members, device=self._device)
        self._mask = self._mask[index]
        if self._cache is not None:
            self._cache.batch_select_indices(index)
        encoded = self._inputs.get("encoder_outputs")
        if encoded is not None:
            kept = type(encoded)(last_hidden_state=encoded.last_hidden_state[index])
            self._inputs["encoder_outputs"] = kept
        mask = self._inputs.get("attention_mask")
        if mask is not None:
            self._inputs["attention_mask"] = mask[index]

    def _model_inputs(self, ids: Tensor, lengths: Sequence[int]) -> dict[str, Any]:
        options: dict[str, Any] = {**self._inputs, "use_cache": True}
        if self._keeps_last:
            options["logits_to_keep"] = 1
        if not self._decodes:
            options |= self._mask_and_positions(ids, lengths)
        if self._cache is not None:
            options["past_key_values"] = self._cache
        inputs: dict[str, Any] = self._model.prepare_inputs_for_generation(
            ids, is_first_iteration=self._is_first, **options
        )
        return {**inputs, "return_dict": True}

    def _mask_and_positions(self, ids: Tensor, lengths: Sequence[int]) -> dict[str, Tensor]:
        """The mask of all that was read, and the positions of the block."""
        longest = ids.shape[1]
        block = torch.ones_like(ids)
        if min(lengths) < longest:
            for member, length in enumerate(lengths):
                block[member, : longest - length] = 0
        self._mask = torch.cat((self._mask, block), 1)
        found = {"attention_mask": self._mask}
        if self._takes_positions:
            positions = self._mask.cumsum(-1)[:, -longest:] - 1
            found["position_ids"] = positions.clamp_(min=0)
        return found


def _reads_any_length(model: Any) -> bool:
    """Whether padding between the tokens of a sequence changes nothing: rotary, full attention."""
    config = model.config
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    rotary = getattr(text, "rope_parameters", None) or getattr(text, "rope_theta", None)
    layers = getattr(text, "layer_types", None) or ()
    sliding = getattr(text, "sliding_window", None) and not layers
    return (
        bool(rotary)
        and not sliding
        and all(kind == "full_attention" for kind in layers)
        and not config.is_encoder_decoder
        and not getattr(model, "_is_stateful", False)
        and getattr(text, "_attn_implementation", None) in ("sdpa", "eager")
        and "position_ids" in signature(model.forward).parameters
    )


def adds_vector(model: Any, rows: int) -> bool:
    """Whether a model has a vector over the vocabulary that it may add behind its head."""
    own = [*model.named_buffers(recurse=False), *model.named_parameters(recurse=False)]
    return any(tensor.shape[-1:] == (rows,) for _, tensor in own)
