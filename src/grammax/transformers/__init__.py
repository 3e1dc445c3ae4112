"""Decoding with the language models of Hugging Face, of whose heads only permitted rows are read.

Other engines compute all logits and mask most of them. Here the rows of the output layer that a
grammar forbids are never multiplied, in two ways, without changing the model:

    with permitted_rows(model, constraint):  # all of generate: sampling, beams, streamers, ...
        ids = model.generate(**inputs, max_new_tokens=200)

    ids = generate(model, constraint, **inputs, max_new_tokens=200)  # faster: forced runs at once

A constraint is made from a grammar and a tokenizer by `grammax.subwords`.

| module | contents |
|---|---|
| `permitted` | `permitted_rows`: the model's own `generate`, under a grammar |
| `prefixes`, `settings` | for it: states by what was written; the options of a call |
| `own_loop` | `generate`: greedy decoding and sampling; `by_permitted_rows` for `custom_generate` |
| `text`, `body`, `choose` | for it: a text up to its next choice; the model; the choice |
| `fitting` | `Fitting`: the rows after which a text can still end within the budget |
| `output_layer`, `place` | the weights of a head, checked; a module in its place |
| `row_scores` | `RowScores`: rows gathered, in spans, compact, or all with a mask |
| `compact`, `recent` | copies of the rows that a grammar uses; what is kept per set of rows |
| `errors` | what cannot be done, and why |

This package imports PyTorch, and its models come from transformers, the extra `transformers`.
"""

from importlib.util import find_spec as _find_spec

if _find_spec("torch") is None or _find_spec("transformers") is None:
    raise ModuleNotFoundError(
        "grammax.transformers needs PyTorch and Hugging Face's transformers: "
        "pip install 'grammax[transformers]'"
    )

from grammax.transformers.errors import ConstrainedGenerationError as ConstrainedGenerationError
from grammax.transformers.errors import ForbiddenToken as ForbiddenToken
from grammax.transformers.errors import ModelInUse as ModelInUse
from grammax.transformers.errors import Unfinished as Unfinished
from grammax.transformers.errors import UnsupportedModel as UnsupportedModel
from grammax.transformers.errors import UnsupportedOption as UnsupportedOption
from grammax.transformers.own_loop import by_permitted_rows as by_permitted_rows
from grammax.transformers.own_loop import generate as generate
from grammax.transformers.permitted import permitted_rows as permitted_rows
from grammax.transformers.row_scores import RowScores as RowScores
from grammax.transformers.row_scores import Scored as Scored
