"""What cannot be decoded under a grammar is refused with a reason; nothing else comes out."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest
import torch
from finite_texts import FiniteTexts, drawn_texts
from tiny_models import EOS, SIZE, new_model, tiny_model
from torch import nn

from grammax import Grammar, lr
from grammax.search import BudgetTooShort, NoScore
from grammax.transformers import (
    ConstrainedGenerationError,
    ForbiddenToken,
    ModelInUse,
    Unfinished,
    UnsupportedModel,
    UnsupportedOption,
    by_permitted_rows,
    generate,
    permitted_rows,
)

IDS = torch.tensor([[3, 4, 5]])
TEXTS = drawn_texts(1, SIZE, EOS)
LONG = FiniteTexts([(5, 6, 7, 8, 9), (6, 7, 8, 9, 10)], EOS, SIZE)


def run(model: Any, texts: Any = TEXTS, **options: Any) -> Any:
    with permitted_rows(model, texts):
        return model.generate(IDS, **{"max_new_tokens": 10, "do_sample": False, **options})


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_beams": 2}, "renormalize_logits=True"),
        ({"guidance_scale": 2.0}, "guidance_scale=2.0"),
        ({"prefill_chunk_size": 2}, "prefill_chunk_size"),
        ({"custom_generate": "somebody/code"}, "code of a hub"),
        ({"eos_token_id": 7}, "pass|Pass eos_token_id=2"),
    ],
)
def test_options_that_need_all_rows_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UnsupportedOption, match=message):
        run(tiny_model("qwen3"), **options)


def test_drafts_of_an_encoder_decoder_are_refused() -> None:
    with pytest.raises(UnsupportedOption, match="decoder-only"):
        run(tiny_model("t5"), prompt_lookup_num_tokens=2)


@pytest.mark.parametrize(
    "options",
    [
        {"forced_bos_token_id": 290},
        {"suppress_tokens": list(range(3, SIZE))},
        {"bad_words_ids": [[token] for token in range(3, SIZE)]},
        {"min_new_tokens": 9},
    ],
)
@pytest.mark.parametrize("family", ["qwen3", "bart"])
def test_scores_overruled_by_other_options_are_noticed(
    family: str, options: dict[str, Any]
) -> None:
    if family == "qwen3" and "forced_bos_token_id" in options:
        options = {"forced_eos_token_id": 290, "max_new_tokens": 2}
    with pytest.raises((ForbiddenToken, Unfinished)):
        run(tiny_model(family), LONG if "min_new_tokens" in options else TEXTS, **options)


def test_constraints_must_be_one_or_one_per_sequence() -> None:
    with pytest.raises(UnsupportedOption, match="2 constraints and 1 sequences"):
        run(tiny_model("qwen3"), [TEXTS, TEXTS])
    with pytest.raises(UnsupportedOption, match="2 constraints and 1 sequences"):
        run(tiny_model("qwen3"), [TEXTS, TEXTS], num_beams=2, renormalize_logits=True)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (lr(Grammar.read('start: "a"')), "BoundAutomaton has no size, rows, advance"),
        (None, "NoneType has no size, start, rows"),
        ("json", "str has no size, start, rows"),
        ([TEXTS, "json"], "str has no size"),
    ],
)
def test_what_is_no_constraint_is_refused(given: Any, named: str) -> None:
    message = f"{named}.* so it is no constraint.*grammax.subwords.constraint"
    for refused in (
        lambda: run(tiny_model("qwen3"), given),
        lambda: generate(tiny_model("qwen3"), given, IDS, max_new_tokens=10),
    ):
        with pytest.raises(UnsupportedOption, match=message):
            refused()


@pytest.mark.parametrize(
    ("ids", "mask", "message"),
    [
        ([[3, 4]], None, r"not a list. A tokenizer makes them with return_tensors='pt'"),
        (torch.tensor([3, 4]), None, r"not a Tensor of torch.int64 and shape \(2,\)"),
        (torch.tensor([[3.0]]), None, "not a Tensor of torch.float32"),
        (torch.zeros(0, 3, dtype=torch.long), None, r"shape \(0, 3\)"),
        (IDS, torch.ones(1, 2), r"attention_mask has shape \(1, 2\), and input_ids \(1, 3\)"),
        (IDS.repeat(2, 1), torch.tensor([[1, 1, 1], [0, 0, 0]]), "prompt 1 of 2 has no token"),
        (torch.zeros(1, 0, dtype=torch.long), None, "prompt 0 of 1 has no token"),
    ],
)
@pytest.mark.parametrize("family", ["qwen3", "t5"])
def test_prompts_that_cannot_be_read_are_refused(
    family: str, ids: Any, mask: Any, message: str
) -> None:
    with pytest.raises(UnsupportedOption, match=message):
        generate(tiny_model(family), TEXTS, ids, mask, max_new_tokens=10)


def test_a_prompt_without_a_token_is_refused_as_an_argument_of_generate_too() -> None:
    ids, mask = IDS.repeat(2, 1), torch.tensor([[1, 1, 1], [0, 0, 0]])
    with pytest.raises(UnsupportedOption, match="prompt 1 of 2 has no token"):
        tiny_model("qwen3").generate(
            ids,
            attention_mask=mask,
            max_new_tokens=10,
            custom_generate=by_permitted_rows,
            constraint=TEXTS,
        )


# Budgets


@pytest.mark.parametrize("family", ["qwen3", "t5"])
def test_a_grammar_that_cannot_end_is_refused_before_the_first_step(family: str) -> None:
    model = new_model(family)
    steps: list[object] = []
    model.register_forward_hook(lambda *_: steps.append(1))
    for refused in (
        lambda: run(model, LONG, max_new_tokens=5),
        lambda: generate(model, LONG, IDS, max_new_tokens=5),
    ):
        with pytest.raises(BudgetTooShort, match="5 tokens: the shortest that is not empty has 6"):
            refused()
    assert steps == []
    run(model, LONG, max_new_tokens=6)


def test_a_budget_of_ones_own_is_kept_and_checked() -> None:
    model = tiny_model("qwen3")
    short = FiniteTexts([(5,), (6, 7, 8, 9, 10, 11)], EOS, SIZE)
    for seed in range(5):
        torch.manual_seed(seed)
        with permitted_rows(model, short, budget=2):
            found = model.generate(IDS, max_new_tokens=10, do_sample=True)
        assert found[0, 3:].tolist() == [5, EOS]
    with (
        pytest.raises(UnsupportedOption, match="budget is 9 tokens, and generate stops after 4"),
        permitted_rows(model, short, budget=9),
    ):
        model.generate(IDS, max_new_tokens=4)
    with pytest.raises(UnsupportedOption, match="1 token or more"), permitted_rows(model, short, 0):
        pass


@pytest.mark.parametrize("options", [{"max_length": 8}, {"max_new_tokens": 5}])
def test_the_budget_is_what_generate_was_told(options: dict[str, Any]) -> None:
    with (
        pytest.raises(BudgetTooShort, match="budget of 5 tokens"),
        permitted_rows(tiny_model("qwen3"), LONG),
    ):
        tiny_model("qwen3").generate(IDS, **options)


def test_texts_that_were_cut_are_not_returned() -> None:
    """A matcher of another engine does not know how many tokens it needs."""
    unknown = FiniteTexts([(5, 6, 7, 8, 9), (6, 7, 8, 9, 10)], EOS, SIZE, knows_needed=False)
    model = tiny_model("qwen3")
    with pytest.raises(Unfinished, match="1 of 1 sequences had not ended after 3") as refused:
        run(model, unknown, max_new_tokens=3)
    assert refused.value.members == (0,)
    assert refused.value.output.shape == (1, 6)
    with pytest.raises(Unfinished, match="1 of 1 sequences had not ended after 3") as refused:
        generate(model, unknown, IDS, max_new_tokens=3)
    assert refused.value.output.shape == (1, 6)


def test_more_beams_than_a_grammar_has_texts_write_some_of_them_twice() -> None:
    two = FiniteTexts([(5, 6), (7,)], EOS, SIZE)
    beams = {"num_beams": 4, "renormalize_logits": True}
    for returned in (2, 4):
        found = run(tiny_model("qwen3"), two, **beams, num_return_sequences=returned)
        written = [two.written(ids) for ids in found[:, 3:].tolist()]
        assert len(written) == returned
        assert {*written} == two.texts


# Models


def replaced(head: Any) -> Any:
    model = new_model("qwen3")
    model.set_output_embeddings(head(model.get_output_embeddings()))
    return model


class _Quantised(nn.Linear):
    """A head as a library for quantised weights makes it."""

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        return super().forward(hidden)


def _of_integers(head: Any) -> Any:
    made = nn.Linear(16, SIZE, bias=False)
    made.weight = nn.Parameter(head.weight.detach().to(torch.int8), requires_grad=False)
    return made


def _hooked(head: Any) -> Any:
    head.register_forward_hook(lambda *_: None)
    return head


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (lambda _: _Quantised(16, SIZE), "a _Quantised, which computes something else"),
        (lambda head: nn.Sequential(head), "a Sequential, which computes something else"),
        (_of_integers, "torch.int8"),
        (_hooked, "hooks"),
        (lambda _: nn.Linear(16, SIZE, device="meta"), "not in memory"),
    ],
)
def test_heads_that_are_not_plain_are_refused(head: Any, message: str) -> None:
    model = replaced(head)
    before = model.get_output_embeddings()
    with pytest.raises(UnsupportedModel, match=message):
        run(model)
    with pytest.raises(UnsupportedModel, match=message):
        generate(model, TEXTS, IDS, max_new_tokens=10)
    assert model.get_output_embeddings() is before


def test_a_model_without_a_head_is_refused() -> None:
    with (
        pytest.raises(UnsupportedModel, match="no output layer"),
        permitted_rows(tiny_model("qwen3").model, TEXTS),
    ):
        pass


def test_a_constraint_of_another_tokenizer_is_refused() -> None:
    other = FiniteTexts([(5,)], EOS, SIZE + 1)
    for refused in (
        lambda: run(tiny_model("qwen3"), other),
        lambda: generate(tiny_model("qwen3"), other, IDS, max_new_tokens=10),
    ):
        with pytest.raises(UnsupportedModel, match="302 ids, and the output layer 301 rows"):
            refused()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_heads_with_a_bias_in_any_precision_are_read(dtype: torch.dtype) -> None:
    model = replaced(lambda _: nn.Linear(16, SIZE)).to(dtype)
    with torch.no_grad():
        model.get_output_embeddings().bias.normal_(0, 3)
    found = run(model)
    TEXTS.written(found[0, 3:].tolist())
    assert generate(model, TEXTS, IDS, max_new_tokens=10).tolist() == found.tolist()


def test_scores_of_damaged_weights_are_refused() -> None:
    model = new_model("qwen3")
    with torch.no_grad():
        model.model.norm.weight.fill_(float("nan"))
    with pytest.raises(NoScore, match="NaN"):
        generate(model, TEXTS, IDS, max_new_tokens=10)


# The model afterwards


@pytest.mark.parametrize("family", ["qwen3", "gemma2", "bart"])
def test_everything_is_put_back_also_after_an_error(family: str) -> None:
    model = new_model(family)
    head, names = model.get_output_embeddings(), {*vars(model)}
    weights = {name: id(weight) for name, weight in model.named_parameters()}
    plain = model.generate(IDS, max_new_tokens=5, do_sample=False)
    for budget in (10, 1):
        try:
            run(model, LONG, max_new_tokens=budget)
            generate(model, LONG, IDS, max_new_tokens=budget)
        except BudgetTooShort:
            assert budget == 1
        with pytest.raises(ZeroDivisionError), permitted_rows(model, TEXTS):
            raise ZeroDivisionError
        assert model.get_output_embeddings() is head
        assert {*vars(model)} == names
        assert not model._forward_hooks
    assert weights == {name: id(weight) for name, weight in model.named_parameters()}
    assert model.generate(IDS, max_new_tokens=5, do_sample=False).tolist() == plain.tolist()


def test_a_method_of_the_users_own_is_put_back() -> None:
    model = new_model("qwen3")
    calls: list[int] = []
    own = model.prepare_inputs_for_generation

    def counted(*args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        return own(*args, **kwargs)

    model.prepare_inputs_for_generation = counted
    model._validate_model_kwargs = lambda _: None
    run(model)
    assert calls
    assert model.prepare_inputs_for_generation is counted


def test_a_model_is_used_once_at_a_time() -> None:
    model = tiny_model("qwen3")
    with permitted_rows(model, TEXTS):
        for again in (lambda: run(model), lambda: generate(model, TEXTS, IDS, max_new_tokens=9)):
            with pytest.raises(ModelInUse, match="another permitted_rows"):
                again()
        found: list[object] = []
        thread = threading.Thread(target=lambda: found.append(_refusal(model)))
        thread.start()
        thread.join()
        assert isinstance(found[0], ModelInUse)
        model.generate(IDS, max_new_tokens=10)


def _refusal(model: Any) -> object:
    try:
        return run(model)
    except ModelInUse as error:
        return error


def test_calls_from_within_a_call_are_refused() -> None:
    model = new_model("qwen3")
    model.model.layers[0].register_forward_hook(lambda *_: model.generate(IDS, max_new_tokens=3))
    with pytest.raises(ModelInUse):
        run(model)


def test_the_model_itself_is_not_called_within_the_context() -> None:
    model = tiny_model("qwen3")
    with permitted_rows(model, TEXTS):
        with pytest.raises(ConstrainedGenerationError, match=r"call model\.generate"):
            model(IDS)
        with pytest.raises(ConstrainedGenerationError, match=r"call\s+model\.generate"):
            model.prepare_inputs_for_generation(IDS)


# The package


def test_without_transformers_the_import_says_what_to_install() -> None:
    code = "import sys; sys.modules['transformers'] = None; import grammax.transformers"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    *_, last = done.stderr.strip().splitlines()
    assert done.returncode == 1
    assert last == (
        "ModuleNotFoundError: grammax.transformers needs PyTorch and Hugging Face's transformers: "
        "pip install 'grammax[transformers]'"
    )


def test_the_name_transformers_is_that_of_hugging_face() -> None:
    code = (
        "import grammax.transformers, transformers, sys;"
        "print(transformers.__version__, grammax.transformers.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, name = done.stdout.split()
    assert int(version.split(".")[0]) >= 5
    assert name == "grammax.transformers"
