"""`permitted_rows`: all of `generate`, equal to all rows and a mask, for five families."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch
from finite_texts import FiniteTexts, drawn_texts
from masked_oracle import Masked
from tiny_models import BOS, EOS, FAMILIES, PAD, SIZE, new_model, tiny_model
from torch import Tensor

from grammax.transformers import permitted_rows

WAYS: dict[str, dict[str, Any]] = {
    "greedy": {"do_sample": False},
    "sampling": {"do_sample": True, "temperature": 1.3, "top_k": 0, "top_p": 0.95},
    "top-k": {"do_sample": True, "top_k": 3},
    "beams": {"num_beams": 3, "renormalize_logits": True, "do_sample": False},
    "sampled beams": {"num_beams": 2, "renormalize_logits": True, "do_sample": True},
    "all beams": {
        "num_beams": 4,
        "num_return_sequences": 4,
        "renormalize_logits": True,
        "do_sample": False,
    },
    "several samples": {"num_return_sequences": 3, "do_sample": True},
}
BUDGET = 10


def _count(steps: list[object], model: object, *_: object) -> None:
    steps.append(model)


def prompts(seed: int, count: int) -> dict[str, Tensor]:
    """Prompts of different lengths, padded at the left."""
    torch.manual_seed(seed)
    ids = torch.randint(3, SIZE, (count, 7))
    mask = torch.ones_like(ids)
    for row in range(1, count):
        mask[row, : row % 5] = 0
    return {"input_ids": ids.where(mask > 0, PAD), "attention_mask": mask}


def both(
    family: str, seed: int, way: dict[str, Any], batch: int, each: bool, budget: int = BUDGET
) -> tuple[Tensor, Tensor, int]:
    """What is generated with permitted rows, and with all rows and a mask, from the same seed."""
    model = tiny_model(family)
    inputs = prompts(seed, batch)
    texts = [drawn_texts(seed + n, SIZE, EOS) for n in range(batch if each else 1)]
    prompt = 1 if model.config.is_encoder_decoder else inputs["input_ids"].shape[1]
    copies = max(way.get("num_beams", 1), way.get("num_return_sequences", 1))
    options = {**inputs, **way, "max_new_tokens": budget}
    torch.manual_seed(seed)
    expected = model.generate(
        **options, logits_processor=[Masked(texts, prompt, budget, copies if each else 10**6)]
    )
    torch.manual_seed(seed)
    with permitted_rows(model, texts if each else texts[0]):
        found = model.generate(**options)
    for row, ids in enumerate(found[:, prompt:].tolist()):
        texts[row // way.get("num_return_sequences", 1) if each else 0].written(ids)
    return found, expected, prompt


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("family", FAMILIES)
def test_generate_writes_what_a_mask_over_all_rows_writes(family: str, way: str) -> None:
    for seed, batch, each in ((0, 1, False), (1, 3, False), (2, 3, True)):
        found, expected, _ = both(family, seed, WAYS[way], batch, each)
        assert found.tolist() == expected.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_two_hundred_generations_of_each_family_are_equal(family: str) -> None:
    generated = 0
    ways = ("greedy", "sampling", "beams", "several samples")
    for seed in range(3, 23):
        for way in ways:
            found, expected, _ = both(family, seed, WAYS[way], 2, seed % 2 == 0)
            assert found.tolist() == expected.tolist()
            generated += len(found)
    assert generated >= 200


@pytest.mark.parametrize("family", FAMILIES)
def test_scores_that_generate_returns_are_those_of_a_mask(family: str) -> None:
    model = tiny_model(family)
    texts = drawn_texts(5, SIZE, EOS)
    options = {**prompts(5, 2), "max_new_tokens": BUDGET, "do_sample": False}
    options |= {"return_dict_in_generate": True, "output_scores": True}
    prompt = 1 if model.config.is_encoder_decoder else 7
    expected = model.generate(**options, logits_processor=[Masked([texts], prompt, BUDGET)])
    with permitted_rows(model, texts):
        found = model.generate(**options)
    assert found.sequences.tolist() == expected.sequences.tolist()
    ended = torch.zeros(2, dtype=torch.bool)
    for step, (one, other) in enumerate(zip(found.scores, expected.scores, strict=True)):
        torch.testing.assert_close(one[~ended], other[~ended], rtol=1e-4, atol=1e-4)
        ended |= found.sequences[:, prompt + step] == EOS


@pytest.mark.parametrize("family", ["qwen3", "gemma2"])
@pytest.mark.parametrize("do_sample", [False, True])
def test_drafts_are_restricted_position_by_position(family: str, do_sample: bool) -> None:
    """Prompt look-up proposes several tokens at once, most of which no text has."""
    model = tiny_model(family)
    accepted = 0
    for seed in range(6):
        texts = drawn_texts(seed, SIZE, EOS)
        text = max(texts.texts, key=len)
        ids = torch.tensor([[BOS, *text[:-1], 7, *text[:-1], 9, text[0]]])
        options: dict[str, Any] = {"max_new_tokens": BUDGET, "do_sample": do_sample}
        steps: list[object] = []
        hook = model.register_forward_hook(partial(_count, steps))
        torch.manual_seed(seed)
        with permitted_rows(model, texts):
            found = model.generate(ids, **options, prompt_lookup_num_tokens=3)
        hook.remove()
        texts.written(found[0, ids.shape[1] :].tolist())
        accepted += found.shape[1] - ids.shape[1] - len(steps)
        if not do_sample:
            with permitted_rows(model, texts):
                plain = model.generate(ids, **options)
            assert found.tolist() == plain.tolist()
    assert accepted > 0, "no draft was accepted, so that several positions were not tested"


def test_an_assistant_model_may_draft_what_no_text_has() -> None:
    model, assistant = tiny_model("qwen3"), new_model("gemma3")
    for seed in range(4):
        texts = drawn_texts(seed, SIZE, EOS)
        inputs = prompts(seed, 1)
        with permitted_rows(model, texts):
            plain = model.generate(**inputs, max_new_tokens=BUDGET, do_sample=False)
            found = model.generate(
                **inputs, max_new_tokens=BUDGET, do_sample=False, assistant_model=assistant
            )
        assert found.tolist() == plain.tolist()


@pytest.mark.parametrize("family", FAMILIES)
def test_no_text_is_longer_than_the_budget(family: str) -> None:
    for budget in (2, 3, 4, 6):
        for seed in range(3):
            short = FiniteTexts([(5,), (6, 7, 8, 9, 10, 11), (6, 7)], EOS, SIZE)
            model = tiny_model(family)
            with permitted_rows(model, short):
                found = model.generate(
                    **prompts(seed, 2), max_new_tokens=budget, do_sample=True, top_k=0
                )
            for ids in found[:, 1 if model.config.is_encoder_decoder else 7 :].tolist():
                assert len(short.written(ids)) <= budget


def test_several_calls_in_one_context_begin_anew() -> None:
    model, texts = tiny_model("qwen3"), drawn_texts(3, SIZE, EOS)
    with permitted_rows(model, texts):
        first = model.generate(**prompts(0, 1), max_new_tokens=BUDGET, do_sample=False)
        model.generate(**prompts(1, 2), max_new_tokens=BUDGET, do_sample=True)
        again = model.generate(**prompts(0, 1), max_new_tokens=BUDGET, do_sample=False)
    assert first.tolist() == again.tolist()


def test_a_large_set_is_multiplied_whole_and_masked() -> None:
    nearly_all = [(token, token) for token in range(3, SIZE)]
    texts = FiniteTexts(nearly_all, EOS, SIZE)
    model = tiny_model("gemma2")
    options = {**prompts(0, 2), "max_new_tokens": 4, "do_sample": False}
    expected = model.generate(**options, logits_processor=[Masked([texts], 7, 4)])
    with permitted_rows(model, texts):
        found = model.generate(**options)
    assert found.tolist() == expected.tolist()
