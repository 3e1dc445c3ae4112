"""`generate`: the own loop writes what decoding without a cache writes over all rows and a mask."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from finite_texts import FiniteTexts, drawn_texts
from masked_oracle import written_by_mask
from tiny_models import EOS, FAMILIES, PAD, SIZE, new_model, tiny_model
from torch import Tensor

from grammax.transformers import UnsupportedOption, by_permitted_rows, generate

BUDGET = 10
WAYS: dict[str, dict[str, Any]] = {
    "greedy": {},
    "sampling": {"do_sample": True, "temperature": 1.4},
    "top-k": {"do_sample": True, "top_k": 2},
    "top-p": {"do_sample": True, "top_p": 0.8, "temperature": 2.0},
}


def drawn_prompts(seed: int, count: int) -> list[list[int]]:
    draw = torch.Generator().manual_seed(seed)
    lengths = torch.randint(2, 8, (count,), generator=draw).tolist()
    return [torch.randint(3, SIZE, (n,), generator=draw).tolist() for n in lengths]


def padded(prompts: list[list[int]], left: bool) -> tuple[Tensor, Tensor]:
    longest = max(map(len, prompts))
    ids = torch.full((len(prompts), longest), PAD)
    mask = torch.zeros_like(ids)
    for row, prompt in enumerate(prompts):
        where = slice(longest - len(prompt), longest) if left else slice(0, len(prompt))
        ids[row, where] = torch.tensor(prompt)
        mask[row, where] = 1
    return ids, mask


def compare(model: Any, seed: int, way: dict[str, Any], batch: int, budget: int = BUDGET) -> int:
    """Decode a batch with a grammar each; every text is what the oracle writes."""
    decodes = model.config.is_encoder_decoder
    texts = [drawn_texts(seed + n, SIZE, EOS) for n in range(batch)]
    prompts = drawn_prompts(seed, batch)
    ids, mask = padded(prompts, left=not decodes)
    options = {key: value for key, value in way.items() if key != "do_sample"}
    numbers: Any = [None] * batch
    if way.get("do_sample"):
        draw = torch.Generator().manual_seed(seed)
        numbers = torch.rand(batch, budget, generator=draw, dtype=torch.float64)
    found = generate(
        model,
        texts if batch > 1 else texts[0],
        ids,
        mask,
        max_new_tokens=budget,
        generator=torch.Generator().manual_seed(seed),
        **way,
    )
    start = 1 if decodes else ids.shape[1]
    for row, prompt, one, number in zip(found.tolist(), prompts, texts, numbers, strict=True):
        expected = written_by_mask(model, one, prompt, budget, number, **options)
        assert one.written(row[start:]) == tuple(expected)
        assert set(row[start + len(expected) :]) <= {PAD}
    return len(found)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("family", FAMILIES)
def test_texts_are_those_of_all_rows_and_a_mask(family: str, way: str) -> None:
    for seed, batch in ((0, 1), (1, 1), (2, 5)):
        compare(tiny_model(family), seed, WAYS[way], batch)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_two_hundred_texts_of_each_family_are_equal(family: str) -> None:
    count = 0
    for seed in range(8):
        for way in WAYS.values():
            count += compare(tiny_model(family), 10 + seed, way, 7)
    assert count >= 200


@pytest.mark.parametrize("family", FAMILIES)
def test_budgets_leave_out_what_could_not_end(family: str) -> None:
    for budget in (4, 6, 7):
        for seed in (3, 4):
            compare(tiny_model(family), seed, WAYS["sampling"], 3, budget)
            compare(tiny_model(family), seed, WAYS["greedy"], 3, budget)


def test_forced_tokens_are_read_together_and_not_scored() -> None:
    model = new_model("qwen3")
    text = (5, 6, 7, 8, 9, 10)
    read: list[int] = []
    model.model.register_forward_hook(
        lambda _, __, output: read.append(output.last_hidden_state.shape[1])
    )
    ids = torch.tensor([[3, 4, 5]])
    texts = FiniteTexts([text, (5, 6, 11, 12, 13)], EOS, SIZE)
    found = generate(model, texts, ids, max_new_tokens=9)
    texts.written(found[0, 3:].tolist())
    assert read == [5], "the prompt with 2 forced tokens is all that has to be read"


def test_a_text_without_a_choice_is_not_read_at_all() -> None:
    model = new_model("t5")
    calls: list[object] = []
    model.decoder.register_forward_hook(lambda *_: calls.append(1))
    ids = torch.tensor([[3, 4, 5]])
    found = generate(model, FiniteTexts([(7, 8)], EOS, SIZE), ids, max_new_tokens=9)
    assert found.tolist() == [[PAD, 7, 8, EOS]]
    assert calls == []


def test_texts_without_a_choice_leave_a_batch_before_it_begins() -> None:
    for family in FAMILIES:
        model = tiny_model(family)
        many, one = drawn_texts(1, SIZE, EOS), FiniteTexts([(7, 8)], EOS, SIZE)
        ids, mask = padded([[3, 4, 5], [6, 7, 8]], left=True)
        found = generate(model, [one, many], ids, mask, max_new_tokens=BUDGET)
        alone = generate(model, many, ids[1:], mask[1:], max_new_tokens=BUDGET)
        start = 1 if model.config.is_encoder_decoder else 3
        assert one.written(found[0, start:].tolist()) == (7, 8, EOS)
        assert many.written(found[1, start:].tolist()) == many.written(alone[0, start:].tolist())


@pytest.mark.parametrize("family", FAMILIES)
def test_the_own_loop_can_be_an_argument_of_generate(family: str) -> None:
    model, texts = tiny_model(family), drawn_texts(4, SIZE, EOS)
    ids, mask = padded(drawn_prompts(4, 3), left=not model.config.is_encoder_decoder)
    expected = generate(model, texts, ids, mask, max_new_tokens=BUDGET)
    found = model.generate(
        ids,
        attention_mask=mask,
        max_new_tokens=BUDGET,
        do_sample=False,
        custom_generate=by_permitted_rows,
        constraint=texts,
    )
    assert found.tolist() == expected.tolist()
    several = model.generate(
        ids,
        attention_mask=mask,
        max_new_tokens=BUDGET,
        do_sample=True,
        top_k=3,
        num_return_sequences=2,
        custom_generate=by_permitted_rows,
        constraint=[texts, texts, drawn_texts(5, SIZE, EOS)],
    )
    assert several.shape[0] == 6
    start = 1 if model.config.is_encoder_decoder else ids.shape[1]
    for row in several[:4, start:].tolist():
        texts.written(row)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"num_beams": 2}, "num_beams=2"),
        ({"repetition_penalty": 1.5}, "RepetitionPenaltyLogitsProcessor"),
    ],
)
def test_what_the_own_loop_cannot_do_is_named(options: dict[str, Any], named: str) -> None:
    model, texts = tiny_model("qwen3"), drawn_texts(4, SIZE, EOS)
    with pytest.raises(UnsupportedOption, match=named):
        model.generate(
            torch.tensor([[3, 4]]),
            max_new_tokens=BUDGET,
            custom_generate=by_permitted_rows,
            constraint=texts,
            **options,
        )


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"do_sample": True, "temperature": 0.0}, "temperature is positive"),
        ({"do_sample": True, "top_p": 0.0}, "top_p is above 0"),
        ({"do_sample": True, "top_k": 0}, "top_k is 1 or more"),
        ({"max_new_tokens": 0}, "max_new_tokens is 1 or more"),
        ({"max_new_tokens": None}, "max_new_tokens is 1 or more, not None"),
        ({"max_new_tokens": 9.5}, "max_new_tokens is 1 or more, not 9.5"),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any], named: str) -> None:
    given = {"max_new_tokens": BUDGET, **options}
    texts = drawn_texts(4, SIZE, EOS)
    with pytest.raises(UnsupportedOption, match=named):
        generate(tiny_model("qwen3"), texts, torch.tensor([[3, 4]]), **given)
    with pytest.raises(UnsupportedOption, match="2 constraints and 1 sequences"):
        generate(tiny_model("qwen3"), [texts] * 2, torch.tensor([[3, 4]]), max_new_tokens=3)
