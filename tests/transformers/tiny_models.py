"""Tiny models of five families with random weights, whose scores differ a lot between rows."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    Gemma2Config,
    Gemma2ForCausalLM,
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    Qwen3Config,
    Qwen3ForCausalLM,
    T5Config,
    T5ForConditionalGeneration,
)

SIZE = 301
PAD, BOS, EOS = 0, 1, 2
IDS = {"pad_token_id": PAD, "bos_token_id": BOS, "eos_token_id": EOS}
DECODER: dict[str, Any] = {
    "vocab_size": SIZE,
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 8,
    "max_position_embeddings": 128,
    **IDS,
}
WINDOW = {"sliding_window": 4, "layer_types": ["sliding_attention", "full_attention"]}
FAMILIES = ("qwen3", "gemma3", "gemma2", "t5", "bart")


@cache
def tiny_model(family: str) -> Any:
    """A model; all tests share it, so they leave it as it was."""
    return new_model(family)


def new_model(family: str) -> Any:
    """A model of one's own."""
    torch.manual_seed(FAMILIES.index(family))
    model = _MAKERS[family]().eval()
    with torch.no_grad():
        model.get_output_embeddings().weight.normal_(0, 0.7)
        if family == "bart":
            model.final_logits_bias.normal_(0, 1)
    model.generation_config.pad_token_id = PAD
    model.generation_config.eos_token_id = EOS
    if family in ("t5", "bart"):
        model.generation_config.decoder_start_token_id = PAD
    return model


def _bart() -> Any:
    return BartForConditionalGeneration(
        BartConfig(
            vocab_size=SIZE,
            d_model=16,
            encoder_layers=1,
            decoder_layers=2,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=24,
            decoder_ffn_dim=24,
            max_position_embeddings=128,
            forced_eos_token_id=None,
            decoder_start_token_id=PAD,
            **IDS,
        )
    )


def _t5() -> Any:
    return T5ForConditionalGeneration(
        T5Config(
            vocab_size=SIZE,
            d_model=16,
            d_kv=8,
            d_ff=24,
            num_layers=2,
            num_decoder_layers=2,
            num_heads=2,
            dropout_rate=0.0,
            decoder_start_token_id=PAD,
            pad_token_id=PAD,
            eos_token_id=EOS,
        )
    )


_MAKERS = {
    "qwen3": lambda: Qwen3ForCausalLM(Qwen3Config(**DECODER)),
    "gemma3": lambda: Gemma3ForCausalLM(Gemma3TextConfig(**DECODER, **WINDOW)),
    "gemma2": lambda: Gemma2ForCausalLM(
        Gemma2Config(**DECODER, **WINDOW, final_logit_softcapping=5.0)
    ),
    "t5": _t5,
    "bart": _bart,
}
