"""Stored grammars are those that compiling gives, and a damaged file is compiled again."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables.films import catalogue

from grammax.automaton.save import engine_to_data
from grammax.files import CACHE_VARIABLE
from grammax.tables.compiled import CompiledGrammars, compile_grammars, compiled_grammars

LEXICON = catalogue().lexicon


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return tmp_path


def same(one: CompiledGrammars, other: CompiledGrammars) -> bool:
    return one.layout == other.layout and engine_to_data(one.filled) == engine_to_data(other.filled)


def test_stored_grammars_are_those_that_were_compiled(cache: Path) -> None:
    compiled = compile_grammars(LEXICON)
    assert same(compiled_grammars(LEXICON), compiled)
    assert len(list(cache.glob("grammars/*.json"))) == 1
    assert same(compiled_grammars(LEXICON), compiled)


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"layout": [0], "filled": {"way": "?"}}'])
def test_a_damaged_file_is_replaced(cache: Path, content: str) -> None:
    compiled = compiled_grammars(LEXICON)
    (file,) = cache.glob("grammars/*.json")
    file.write_text(content)
    assert same(compiled_grammars(LEXICON), compiled)
    assert file.read_text() != content


def test_a_bit_that_is_another_is_noticed(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    compiled = compiled_grammars(LEXICON)
    (file,) = cache.glob("grammars/*.json")
    whole = file.read_bytes()
    for at in range(0, len(whole), 97):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert same(compiled_grammars(LEXICON), compiled)
        assert file.read_bytes() == whole
    assert "is compiled again" in caplog.text


def test_grammars_are_compiled_where_nothing_can_be_stored(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = cache / "file"
    blocked.write_text("")
    monkeypatch.setenv(CACHE_VARIABLE, str(blocked))
    assert same(compiled_grammars(LEXICON), compile_grammars(LEXICON))
