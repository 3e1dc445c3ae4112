"""`generate`: a decoding loop of our own, which reads forced tokens together and scores rows alone.

Each round reads what was chosen and what is forced after it in one pass of the model's body, then
multiplies the permitted rows. Sequences of a batch have forced runs of different lengths: models
whose positions are rotary skip the padding; others read as many tokens as the shortest run has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Generator, Tensor

from grammax.subwords.protocol import Constraint
from grammax.transformers.body import AskedRows, Body, adds_vector
from grammax.transformers.choose import SamplingOptions, choose
from grammax.transformers.errors import Unfinished, UnsupportedOption
from grammax.transformers.fitting import Fitting, each
from grammax.transformers.output_layer import check_size, output_layer
from grammax.transformers.place import in_place_of_head, refuse_if_used
from grammax.transformers.text import Text


def generate(
    model: Any,
    constraint: Constraint[Any] | Sequence[Constraint[Any]],
    input_ids: Tensor,
    attention_mask: Tensor | None = None,
    *,
    max_new_tokens: int,
    do_sample: bool = False,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float = 1.0,
    generator: Generator | None = None,
    decoder_input_ids: Tensor | None = None,
) -> Tensor:
    """Sentences of a grammar by a language model: the prompts and what was written after them.

    `model` is a model of transformers with a head for language modelling. `constraint` is one of
    `grammax.subwords.constraint` for all prompts, or one per prompt. `input_ids` are the prompts,
    (batch, length), padded at the left, where `attention_mask` is 0. For encoder-decoder models
    they are the encoder's, `decoder_input_ids` begin the decoder's, and the result is the
    decoder's. At most `max_new_tokens` are written; a text ends in time, or the grammar is refused.

    Decoding is greedy, or with `do_sample` by `temperature`, `top_k` and `top_p`, which are applied
    to the permitted tokens. Sampling takes one number per token from `generator`, forced tokens
    included, so that neither the batch nor the way of decoding changes what is written.

        ids = generate(model, constraint, **tokenizer("Query: ...", return_tensors="pt"),
                       max_new_tokens=100)
        tokenizer.batch_decode(ids[:, prompt_length:], skip_special_tokens=True)
    """
    constraints = each(constraint)
    mask = _mask(input_ids, attention_mask)
    if not isinstance(max_new_tokens, int) or max_new_tokens < 1:
        raise UnsupportedOption(f"max_new_tokens is 1 or more, not {max_new_tokens}")
    if len(constraints) not in (1, len(input_ids)):
        raise UnsupportedOption(
            f"there are {len(constraints)} constraints and {len(input_ids)} sequences. Give one "
            f"constraint, or one per sequence of the batch."
        )
    constraints = constraints * (len(input_ids) // len(constraints))
    sampling = SamplingOptions(temperature, top_k, top_p) if do_sample else None
    if sampling is not None:
        sampling.check()
    if not model.config.is_encoder_decoder:
        return _decoded(
            model, constraints, _Prompt(input_ids, mask, {}), max_new_tokens, sampling, generator
        )
    with torch.no_grad():
        encoded = model.get_encoder()(input_ids=input_ids, attention_mask=mask, return_dict=True)
    start = (
        _decoder_start(model, len(input_ids)) if decoder_input_ids is None else decoder_input_ids
    )
    inputs = {"encoder_outputs": encoded, "attention_mask": mask}
    start = start.to(model.device)
    prompt = _Prompt(start, torch.ones_like(start), inputs)
    return _decoded(model, constraints, prompt, max_new_tokens, sampling, generator)


def _mask(ids: Tensor, mask: Tensor | None) -> Tensor:
    """The mask of some prompts; `UnsupportedOption` if they cannot be read."""
    if not isinstance(ids, Tensor) or ids.dim() != 2 or ids.is_floating_point() or not len(ids):
        shown = f" of {ids.dtype} and shape {tuple(ids.shape)}" if isinstance(ids, Tensor) else ""
        raise UnsupportedOption(
            f"input_ids are integers of shape (batch, length), not a {type(ids).__name__}{shown}. "
            f"A tokenizer makes them with return_tensors='pt'."
        )
    if mask is None:
        mask = torch.ones_like(ids)
    if mask.shape != ids.shape:
        raise UnsupportedOption(
            f"attention_mask has shape {tuple(mask.shape)}, and input_ids {tuple(ids.shape)}. Give "
            f"both as the tokenizer made them."
        )
    for prompt, empty in enumerate((mask == 0).all(1).tolist()):
        if empty:
            raise UnsupportedOption(
                f"prompt {prompt} of {len(ids)} has no token, so there is nothing to read before "
                f"the first choice. Begin it with the token that begins texts of the model."
            )
    return mask


class _Prompt(NamedTuple):
    """What is decoded after: ids, their mask, and further inputs of the model."""

    ids: Tensor
    mask: Tensor
    inputs: Mapping[str, Any]


@torch.no_grad()
def _decoded(
    model: Any,
    constraints: Sequence[Fitting],
    prompt: _Prompt,
    budget: int,
    sampling: SamplingOptions | None,
    generator: Generator | None,
) -> Tensor:
    refuse_if_used(model)
    layer = output_layer(model)
    check_size(layer, (one.constraint for one in constraints))
    head = AskedRows(layer, adds_vector(model, layer.weight.shape[0]))
    numbers = _numbers(len(constraints), budget, generator) if sampling else None
    given = [
        [token for token, real in zip(*pair, strict=True) if real]
        for pair in zip(prompt.ids.tolist(), prompt.mask.tolist(), strict=True)
    ]
    texts = [
        Text(member, fitting, budget, ids, checks_later=sampling is None)
        for member, (fitting, ids) in enumerate(zip(constraints, given, strict=True))
    ]
    with in_place_of_head(model, head):
        body = Body(model, head, prompt.inputs, len(texts))
        live = _choosing(body, texts)
        while live:
            length = body.block_length([len(text.unread) for text in live])
            blocks = [text.read(length) for text in live]
            ready = {
                index: text.rows
                for index, text in enumerate(live)
                if text.rows is not None and not text.unread
            }
            scored = body.read(blocks, ready)
            if scored is not None:
                chosen = [live[index] for index in ready]
                tokens = choose(scored, sampling, _next_numbers(numbers, chosen))
                for index, (text, token) in enumerate(zip(chosen, tokens, strict=True)):
                    if text.checks_later and not text.fits(token):
                        (token,) = choose(scored.only(index, text.fitting_rows()), None, None)
                    text.take(token)
                live = _choosing(body, live)
    return _output(model, prompt.ids, texts)


def _choosing(body: Body, texts: list[Text]) -> list[Text]:
    """The texts in which something is to be chosen; the model goes on with them alone."""
    going = [index for index, text in enumerate(texts) if text.rows is not None]
    if 0 < len(going) < len(texts):
        body.keep(going)
    return [texts[index] for index in going]


def _numbers(texts: int, budget: int, generator: Generator | None) -> Tensor:
    """(n, budget) uniform numbers, one for each token that may be written."""
    device = "cpu" if generator is None else generator.device
    numbers = torch.rand(texts, budget, generator=generator, dtype=torch.float64, device=device)
    return numbers.cpu()


def _next_numbers(numbers: Tensor | None, texts: Sequence[Text]) -> Tensor | None:
    if numbers is None:
        return None
    return numbers[[text.member for text in texts], [len(text.ids) for text in texts]]


def _decoder_start(model: Any, sequences: int) -> Tensor:
    config = model.generation_config
    start = config.decoder_start_token_id
    if start is None:
        start = getattr(model.config, "decoder_start_token_id", None)
    if start is None:
        start = config.bos_token_id
    if start is None:
        raise UnsupportedOption(
            "the model does not say which id its decoder starts with. Pass decoder_input_ids."
        )
    return torch.full((sequences, 1), start)


def _output(model: Any, prompt: Tensor, texts: Sequence[Text]) -> Tensor:
    """The prompts and the texts, padded at the right; `Unfinished` if a text was cut."""
    longest = max(len(text.ids) for text in texts)
    config = model.generation_config
    padding = config.pad_token_id
    if padding is None:
        padding = config.eos_token_id
        padding = padding[0] if isinstance(padding, list) else padding
    written = torch.full((len(texts), longest), 0 if padding is None else padding)
    for row, text in zip(written, texts, strict=True):
        row[: len(text.ids)] = torch.tensor(text.ids)
    output = torch.cat((prompt, written.to(prompt.device)), 1)
    cut = [text.member for text in texts if not text.is_done]
    if cut:
        raise Unfinished(cut, len(texts), longest, output)
    return output


def by_permitted_rows(
    model: Any,
    input_ids: Tensor,
    logits_processor: Any,
    stopping_criteria: Any,  # noqa: ARG001
    generation_config: Any,
    constraint: Constraint[Any] | Sequence[Constraint[Any]] | None = None,
    **model_kwargs: Any,
) -> Tensor:
    """`generate` as an argument of the model's own, which prepares what it is given.

    model.generate(**inputs, custom_generate=by_permitted_rows, constraint=constraint)
    """
    if constraint is None:
        raise UnsupportedOption("there is no constraint. Pass constraint=... to generate.")
    _refuse_unsupported(generation_config, logits_processor, model_kwargs)
    constraints = each(constraint)
    copies, rest = divmod(len(input_ids), len(constraints))
    if rest or (len(constraints) > 1 and copies != (generation_config.num_return_sequences or 1)):
        raise UnsupportedOption(
            f"there are {len(constraints)} constraints and {len(input_ids)} sequences. Give one "
            f"constraint, or one per sequence of the batch."
        )
    sampling = None
    if generation_config.do_sample:
        config = generation_config
        sampling = SamplingOptions(
            config.temperature or 1.0, config.top_k or None, config.top_p or 1.0
        )
        sampling.check()
    mask, inputs = model_kwargs.get("attention_mask"), {}
    if model.config.is_encoder_decoder:
        inputs = {"encoder_outputs": model_kwargs["encoder_outputs"], "attention_mask": mask}
        mask = None
    return _decoded(
        model,
        [one for one in constraints for _ in range(copies)],
        _Prompt(input_ids, _mask(input_ids, mask), inputs),
        generation_config.max_length - input_ids.shape[1],
        sampling,
        None,
    )


PROCESSORS = {  # of scores, that sampling does here
    "TemperatureLogitsWarper",
    "TopKLogitsWarper",
    "TopPLogitsWarper",
    "LogitNormalization",
}
INPUTS = {  # of models, that the loop makes or passes on itself
    "attention_mask",
    "encoder_outputs",
    "logits_to_keep",
    "past_key_values",
    "position_ids",
    "use_cache",
}


def _refuse_unsupported(config: Any, processors: Any, inputs: Mapping[str, Any]) -> None:
    wrong = [type(one).__name__ for one in processors or ()]
    wrong = [name for name in wrong if name not in PROCESSORS]
    wrong += [name for name, value in inputs.items() if value is not None and name not in INPUTS]
    if (config.num_beams or 1) > 1:
        wrong.append(f"num_beams={config.num_beams}")
    cache = inputs.get("past_key_values")
    if cache is not None and cache.get_seq_length():
        wrong.append("a cache with something in it")
    if wrong:
        raise UnsupportedOption(
            f"the own loop decodes greedily or samples, and does not know {', '.join(wrong)}. Use "
            f"permitted_rows, which does."
        )
