"""Texts and unlisted names, from a few pairs to a parser that finds where they begin and end."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from grammax.folder import read_folder
from grammax.folder.domain import FolderDomain
from grammax.language.changes import NewValue
from grammax.model.config import TrainingConfig
from grammax.parser import Parser
from grammax.training.run import train

SETTINGS = """\
name = "songs"
tables = ["singers.tsv"]
[filled]
TITLE = { fill = "text", case = "lower", spaces = "_" }
SINGER = { fill = "text", case = "lower", spaces = "_", written = "s:{}", listed = "first" }
"""
GRAMMAR = 'query: "song" TITLE ("by" SINGER)? | "all" "by" SINGER\n%declare TITLE SINGER\n'
SINGERS = ("adele", "sade", "nina simone", "prince", "abba")
TITLES = (
    "hello",
    "purple rain",
    "gold",
    "blue moon",
    "dust",
    "paper planes",
    "river",
    "dancing queen",
)
WORDINGS = {
    "play {t} by {s}": "song {tt} by s:{ss}",
    "i want to hear {t} by {s} please": "song {tt} by s:{ss}",
    "{t} of {s}": "song {tt} by s:{ss}",
    "play {t}": "song {tt}",
    "put on {t} now": "song {tt}",
    "everything by {s}": "all by s:{ss}",
}
UNHEARD = ("yesterday", "lonely night fever", "car halo", "fast woman", "roar")
UNLISTED = ("bjork", "shakira", "tom waits")


def pairs(titles: tuple[str, ...], singers: tuple[str, ...]) -> list[str]:
    found = []
    for (query, form), title, singer in product(WORDINGS.items(), titles, singers):
        said = {"t": title, "s": singer}
        token = {"tt": title.replace(" ", "_"), "ss": singer.replace(" ", "_")}
        found.append(f"{query.format(**said)}\t{form.format(**token)}")
    return list(dict.fromkeys(found))


@pytest.fixture(scope="module")
def domain(tmp_path_factory: pytest.TempPathFactory) -> FolderDomain:
    folder = tmp_path_factory.mktemp("texts") / "songs"
    folder.mkdir()
    train_pairs = pairs(TITLES, SINGERS)
    Random(1).shuffle(train_pairs)
    table = [f"s:{name.replace(' ', '_')}\tSINGER\t{name}" for name in SINGERS]
    files = {
        "domain.toml": SETTINGS,
        "grammar.lark": GRAMMAR,
        "singers.tsv": "\n".join(["token\tkind\taliases", *table, ""]),
        "train.tsv": "\n".join(train_pairs[:80]) + "\n",
        "test.tsv": "\n".join(pairs(UNHEARD, SINGERS[:2])) + "\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    found = read_folder(folder)
    train(found, folder / "run", config=TrainingConfig(epochs=30, grammar="lr", batch=8))
    return found


@pytest.mark.slow
def test_texts_that_no_pair_has_are_found_and_listed_names_stay(domain: FolderDomain) -> None:
    assert domain.model is not None
    with Parser(domain, domain.model) as parser:
        tests = domain.pairs("test")
        found = parser.parse_batch([pair.query for pair in tests])
        right = [domain.same(f.tokens, p.tokens) for f, p in zip(found, tests, strict=True)]
        assert sum(right) >= 0.6 * len(right)
        unlisted = [line.split("\t") for line in pairs(TITLES[:3], UNLISTED)]
        unlisted = [pair for pair in unlisted if "s:" in pair[1]]
        made = [parser.parse(query, offer=False).lf == form for query, form in unlisted]
        assert sum(made) >= 0.5 * len(made)
        parsed = parser.parse("play blue moon by sade")
        assert parsed.words_of(parsed.tokens.index("blue_moon")) == ("blue", "moon")
        wider = parser.with_values([NewValue("Tom Waits", "SINGER", ("waits",))])
        assert wider.parse("everything by waits").lf == "all by s:tom_waits"
