"""`Settings`: what a call of `generate` asks for, as far as a grammar has to know it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, NamedTuple

from grammax.transformers.errors import UnsupportedOption

DEFAULT_TOKENS = 20  # that generate gives where it is told no length


class Settings(NamedTuple):
    """How many tokens and sequences a call makes, and which ids end a sequence for it."""

    max_new_tokens: int | None
    max_length: int | None
    copies: int  # sequences that are decoded for each one of the batch
    returned: int  # of these, how many come back
    searching: bool  # whether prefixes come up that will not be kept: beams, or drafts
    drafts: bool  # several positions at once, of an assistant
    ends: frozenset[int]

    def left(self, prompt: int) -> int:
        """The number of tokens that may follow a prompt of this length."""
        if self.max_new_tokens is not None:
            return self.max_new_tokens
        return DEFAULT_TOKENS if self.max_length is None else self.max_length - prompt


def settings(model: Any, options: Mapping[str, Any]) -> Settings:
    """The settings of `model.generate(**options)`; `UnsupportedOption` for what has no rows."""
    config = _config(model, options)
    beams = config.num_beams or 1
    returned = config.num_return_sequences or 1
    drafts = options.get("assistant_model") is not None or bool(
        getattr(config, "prompt_lookup_num_tokens", None)
        or getattr(config, "assistant_early_exit", None)
    )
    _refuse_unsupported(model, config, options, beams, drafts)
    end = config.eos_token_id
    return Settings(
        config.max_new_tokens,
        config.max_length,
        max(beams, returned),
        returned,
        beams > 1 or drafts,
        drafts,
        frozenset(() if end is None else [end] if isinstance(end, int) else end),
    )


def _config(model: Any, options: Mapping[str, Any]) -> Any:
    """The generation config that `generate` will use: its arguments, then the model's."""
    given = options.get("generation_config")
    config = copy.deepcopy(given) if given is not None else type(model.generation_config)()
    config.update(**model.generation_config.to_dict(), defaults_only=True)
    config.update(**{key: value for key, value in options.items() if hasattr(config, key)})
    return config


def _refuse_unsupported(
    model: Any, config: Any, options: Mapping[str, Any], beams: int, drafts: bool
) -> None:
    if beams > 1 and not config.renormalize_logits:
        raise UnsupportedOption(
            f"num_beams={beams} compares log-probabilities among all rows, and rows that the "
            f"grammar forbids are not multiplied. Pass renormalize_logits=True: sequences are then "
            f"compared by their log-probabilities among the permitted rows."
        )
    if config.guidance_scale not in (None, 1, 1.0):
        raise UnsupportedOption(
            f"guidance_scale={config.guidance_scale} runs the model on a second prompt, of which "
            f"the grammar knows nothing. Leave it out."
        )
    if config.prefill_chunk_size is not None:
        raise UnsupportedOption(
            "prefill_chunk_size reads the prompt in parts, so that its length is not known from "
            "the first. Leave it out."
        )
    if drafts and model.config.is_encoder_decoder:
        raise UnsupportedOption(
            "an assistant's drafts are checked for decoder-only models. Leave the assistant out, "
            "or use grammax.transformers.generate."
        )
    if isinstance(options.get("custom_generate"), str):
        raise UnsupportedOption(
            f"custom_generate={options['custom_generate']!r} is code of a hub, which may do "
            f"anything to the scores. Use greedy decoding, sampling or beams."
        )
