"""Questions that search texts."""

from __future__ import annotations

from dataclasses import replace

from tables.searched import films

from grammax.tables.corpus.corpus import generate
from grammax.tables.corpus.default import default_style
from grammax.tables.domain import TableDomain
from grammax.tables.form.operands import unquoted

TITLES = ("The Big Sleep", "Blade Runner", "Pride and Prejudice", "Brief Encounter")


def test_questions_search_texts_of_the_table() -> None:
    catalogue = films()
    style = replace(default_style(catalogue), texts={"FLD_TITLE": TITLES})
    pairs = generate(catalogue, style, train=300, test=0, hard=0).train
    searching = [pair for pair in pairs if "CONTAINS" in pair.tokens]
    assert len(pairs) / 10 < len(searching) < len(pairs) / 2
    words = {text for pair in searching for text in map(unquoted, pair.tokens) if text}
    assert words & set(TITLES)
    domain = TableDomain(catalogue)
    for pair in searching:
        domain.require_meaning(pair.tokens)
        filled = domain.filled(pair.tokens, domain.mentions(pair.query))
        assert any(token.startswith("TEXT#") for token in filled)


def test_some_texts_are_quoted_negated_and_joined() -> None:
    pairs = generate(films(), train=500, test=0, hard=0).train
    searching = [pair for pair in pairs if "CONTAINS" in pair.tokens]
    assert any('"' in pair.query for pair in searching)
    assert any("NOT" in pair.tokens for pair in searching)
    assert any("OR" in pair.tokens for pair in searching)


def test_a_table_without_searched_columns_has_no_such_question() -> None:
    pairs = generate(films(searched=False), train=150, test=0, hard=0).train
    assert not any("CONTAINS" in pair.tokens for pair in pairs)
