"""What permitted rows must equal: all rows multiplied, then masked, by plain means.

`Masked` is a logits processor for the model's own `generate`. `written_by_mask` decodes without a
cache, one sequence at a time, and is what the own loop must write.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import torch
from finite_texts import FiniteTexts
from torch import Tensor
from transformers import LogitsProcessor

from grammax.errors import AutomatonError


class Masked(LogitsProcessor):
    """-inf for what the texts do not permit after what was generated, or leave no room for."""

    def __init__(
        self, texts: Sequence[FiniteTexts], prompt: int, budget: int, copies: int = 1
    ) -> None:
        self.texts, self.prompt, self.budget, self.copies = texts, prompt, budget, copies

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        out = scores.clone()
        for row, ids in enumerate(input_ids[:, self.prompt :].tolist()):
            texts = self.texts[row // self.copies if len(self.texts) > 1 else 0]
            permitted = permitted_after(texts, ids, self.budget)
            if permitted is None:
                out[row] = 0.0  # dead, or after the end: not used
                continue
            mask = torch.ones(out.shape[1], dtype=torch.bool)
            mask[permitted] = False
            out[row, mask] = -inf
        return out


def permitted_after(texts: FiniteTexts, ids: Sequence[int], budget: int) -> list[int] | None:
    """The ids that may follow and still end within the budget; None after the end."""
    state = texts.start()
    for token in ids:
        if texts.is_done(state):
            return None
        try:
            state = texts.advance(state, token)
        except AutomatonError:
            return None
    if texts.is_done(state):
        return None
    if not texts.knows_needed:
        return list(texts.rows(state))
    left = budget - len(ids) - 1
    return [row for row in texts.rows(state) if texts.shortest[(*state, row)] <= left]


@torch.no_grad()
def written_by_mask(
    model: Any,
    texts: FiniteTexts,
    prompt: Sequence[int],
    budget: int,
    numbers: Tensor | None = None,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float = 1.0,
) -> list[int]:
    """Greedy, or sampled by one uniform number per token from the whole masked distribution."""
    ids: list[int] = []
    given = torch.tensor([list(prompt)])
    while (permitted := permitted_after(texts, ids, budget)) is not None:
        if model.config.is_encoder_decoder:
            logits = model(input_ids=given, decoder_input_ids=torch.tensor([[0, *ids]])).logits
        else:
            logits = model(torch.tensor([[*prompt, *ids]])).logits
        scores = torch.full_like(logits[0, -1], -inf)
        scores[permitted] = logits[0, -1, permitted]
        if numbers is None:
            ids.append(int(scores.argmax()))
            continue
        probabilities = (scores / temperature).softmax(-1)
        order = probabilities.argsort(descending=True)
        kept, mass = [], 0.0
        for row in order[: top_k or len(order)].tolist():
            if probabilities[row] == 0 or mass >= top_p:
                break
            kept.append(row)
            mass += float(probabilities[row])
        kept.sort()
        cumulative = probabilities[kept].double().cumsum(0)
        aim = numbers[len(ids)] * cumulative[-1]
        ids.append(kept[int((cumulative <= aim).sum())])
    return ids
