"""How kinds that a query fills are set up, and how their tokens are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.errors import FileFormatError
from grammax.folder.open_kinds import CASES, FILLS, FilledKind
from grammax.folder.settings import read_settings

WORDS = st.lists(st.text("abcÄß1.'", min_size=1, max_size=5), min_size=1, max_size=4)
KINDS = st.builds(
    FilledKind,
    st.just("NAME"),
    st.sampled_from(("text", "quoted", "word")),
    st.sampled_from(CASES),
    st.sampled_from((" ", "_", "-")),
    st.sampled_from(("{}", "'{}'", "name:{}", "({})")),
)


@given(KINDS, WORDS)
def test_a_text_comes_back_from_its_token_as_it_is_written(
    kind: FilledKind, words: list[str]
) -> None:
    token = kind.token("  ".join(words))
    said = kind.text(token)
    assert said is not None
    assert kind.token(said) == token
    assert kind.inner(token) == kind.spaces.join(map(kind.cased, words))


@given(st.integers(-(10**12), 10**12))
def test_numbers_come_back_from_their_tokens(number: int) -> None:
    for fill in ("number", "integer"):
        kind = FilledKind("N", fill, written="n:{}")
        assert kind.text(kind.token(str(number))) == str(number)
    assert FilledKind("N", "integer").text(f"{number}.5") is None


def settings_with(folder: Path, filled: str) -> tuple[FilledKind, ...]:
    (folder / "domain.toml").write_text(f'name = "x"\n[filled]\n{filled}\n')
    return read_settings(folder).filled


def test_kinds_are_read_from_the_settings(tmp_path: Path) -> None:
    text = 'AGE = "integer"\nNAME = {fill = "text", spaces = "_", written = "\'{}\'"}'
    assert settings_with(tmp_path, text) == (
        FilledKind("AGE", "integer"),
        FilledKind("NAME", "text", "typed", "_", "'{}'"),
    )


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('A = "numbers"', f"A is filled by 'numbers'; it must be one of {', '.join(FILLS)}"),
        ("A = 3", "A is 3; it must be one of"),
        ('A = {fill = "text", kase = "lower"}', "fill, case, spaces, written, listed"),
        ('A = {fill = "text", case = "small"}', "has the case 'small'; it must be one of typed"),
        ('A = {fill = "text", written = "x"}', "which must have {} once"),
        ('A = {fill = "number", case = "lower"}', "a number, which has neither case nor spaces"),
        ('A = {fill = "text", spaces = ""}', "has spaces that are empty"),
        (
            'A = {fill = "text", listed = "yes"}',
            "is listed 'yes'; it must be one of no, first, last",
        ),
        ('A = {fill = "name", listed = "last"}', "which is listed in any case"),
    ],
)
def test_settings_that_say_nothing_sensible_are_refused(
    tmp_path: Path, setting: str, message: str
) -> None:
    with pytest.raises(FileFormatError) as refused:
        settings_with(tmp_path, setting)
    assert message in str(refused.value)
    assert "domain.toml: filled: A" in str(refused.value)


def test_the_page_shows_settings_as_they_are_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "your-own-language.md").read_text("utf-8")
    shown = page.partition("[filled]\n")[2].partition("```")[0]
    kinds = settings_with(tmp_path, shown)
    assert [kind.kind for kind in kinds] == ["SEATS", "PRICE", "TITLE"]
    assert kinds[2].token("Blue Moon") == "'blue_moon'"
