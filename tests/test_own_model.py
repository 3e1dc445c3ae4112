"""The code of `docs/your-own-model.md`, run from top to bottom as it stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from grammax import decode

PAGE = Path(__file__).parents[1] / "docs" / "your-own-model.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
DECIMAL = re.compile(r"\d+\.\d+")  # which processors compute a little differently


def blocks(text: str) -> Iterator[tuple[str, str | None]]:
    """Each block of Python, and what the page says that it prints, in a block of text after it."""
    found = [(kind, body) for kind, body in BLOCK.findall(text)]
    for number, (kind, body) in enumerate(found):
        if kind == "python":
            after = found[number + 1] if number + 1 < len(found) else ("", "")
            yield body, after[1] if after[0] == "text" else None


def run(text: str, namespace: dict[str, Any] | None = None) -> int:
    """Run the blocks in one namespace; the number of blocks whose output was compared."""
    namespace = {} if namespace is None else namespace
    compared = 0
    for code, printed in blocks(text):
        out = StringIO()
        with redirect_stdout(out):
            exec(compile(code, PAGE.name, "exec"), namespace)
        if printed is not None:
            compared += 1
            assert DECIMAL.sub("0.0", out.getvalue()) == DECIMAL.sub("0.0", printed), code
            numbers = [float(number) for number in DECIMAL.findall(printed)]
            found = [float(number) for number in DECIMAL.findall(out.getvalue())]
            assert found == pytest.approx(numbers, abs=0.15), code
    return compared


def test_a_page_that_prints_something_else_is_noticed() -> None:
    assert run("```python\nprint(1)\n```\n\n```text\n1\n```\n") == 1
    for wrong in ("2", "0.3"):
        with pytest.raises(AssertionError):
            run(f"```python\nprint({wrong})\n```\n\n```text\n{int(float(wrong))}.1\n```\n")
    assert run("```\nnot run\n```\n```python\na = 1\n```\n") == 0


@pytest.mark.slow
def test_the_page_runs_and_prints_what_it_says() -> None:
    torch = pytest.importorskip("torch", reason="the page needs PyTorch")
    for library in ("sklearn", "transformers", "tokenizers", "llguidance"):
        pytest.importorskip(library, reason=f"the page needs {library}")
    torch.set_num_threads(1)
    text = PAGE.read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    assert run(text, found) >= 10
    assert text.count("```python\n") == len(list(blocks(text)))
    assert found["right"] > 0.8 * len(found["unseen"])
    # One search and the model's own `generate` write the same.
    with torch.no_grad():
        (alone,) = decode(found["LanguageModel"](), found["searching"], "no horror from japan: ")
    assert list(alone.ids) == found["ids"][0, found["prompt"].shape[1] :].tolist()
