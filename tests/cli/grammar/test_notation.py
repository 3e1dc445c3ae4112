from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.cli.grammar.notation import join_tokens, show_token, split_tokens


@given(st.lists(st.text(min_size=1)))
def test_tokens_survive_being_written_in_a_line(tokens: list[str]) -> None:
    line = join_tokens(tokens)
    assert split_tokens(line) == tokens
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in line)


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("FLD_日本", "FLD_日本"),
        ("it's", "it's"),
        ("group by", '"group by"'),
        ('"', '"\\""'),
        ("\x9b31m", '"\\u009b31m"'),
        ("nb\xa0sp", '"nb\xa0sp"'),
    ],
)
def test_a_token_is_quoted_only_where_it_must_be(token: str, shown: str) -> None:
    assert show_token(token) == shown
