"""Folders with kinds that queries fill, from pairs to a parser that fills them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammax.folder import read_folder
from grammax.model.checkpoint import load_network
from grammax.model.config import TrainingConfig
from grammax.model.parser import TorchParser
from grammax.parser import Parser
from grammax.runtime.parser import RuntimeParser
from grammax.training.run import train

GRAMMAR = """\
query: "(" "find" THING condition? ")"
condition: "(" "price" OP PRICE ")" | "(" "top" COUNT ")" | "(" "in" TOWN ")"
THING: "chair" | "table" | "lamp"
OP: "<" | ">"
%declare PRICE COUNT TOWN
"""
TOWNS = ("dallas", "boston", "oslo", "new york", "salem", "paris", "bergen", "malmo")
THINGS = ("chair", "table", "lamp")
SIDES = {"under": "<", "below": "<", "over": ">", "above": ">"}
TESTS = {
    "chairs over 4,321.5": "( find chair ( price > 4321.5 ) )",
    "lamps below $3bn": "( find lamp ( price < 3000000000 ) )",
    "top thirty-one tables": "( find table ( top 31 ) )",
    "all lamps": "( find lamp )",
    "tables in bergen": "( find table ( in t:bergen ) )",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled") / "shop"
    folder.mkdir()
    lines = []
    for number, thing in enumerate(THINGS * 3, 2):
        for word, side in SIDES.items():
            price = number * 37
            lines.append(f"{thing}s {word} {price}\t( find {thing} ( price {side} {price} ) )")
        for town in TOWNS:
            lines.append(f"{thing}s in {town}\t( find {thing} ( in t:{town.replace(' ', '_')} ) )")
        lines += [f"top {number} {thing}s\t( find {thing} ( top {number} ) )"]
    lines += [f"all {thing}s\t( find {thing} )" for thing in THINGS] * 3
    towns = [f"t:{town.replace(' ', '_')}\tTOWN\t{town}" for town in TOWNS]
    (folder / "towns.tsv").write_text("\n".join(["token\tkind\taliases", *towns, ""]))
    (folder / "domain.toml").write_text(
        'name = "shop"\ntables = ["towns.tsv"]\n[filled]\nPRICE = "number"\nCOUNT = "integer"\n'
    )
    (folder / "grammar.lark").write_text(GRAMMAR)
    (folder / "train.tsv").write_text("\n".join(lines) + "\n")
    config = TrainingConfig(epochs=14, grammar="lr", batch=8, held_out=0.1)
    train(read_folder(folder), folder / "run", config=config)
    return folder


def test_numbers_that_no_training_pair_has_are_filled(folder: Path) -> None:
    with Parser(read_folder(folder), folder / "run" / "model.safetensors") as parser:
        assert {query: parser.parse(query).lf for query in TESTS} == TESTS
        best = parser.parse("lamps below $3bn", best=3).best
        assert all(parser.domain.grammatical(each.tokens) for each in best)
        parsed = parser.parse("chairs over 4,321.5")
        assert parsed.words == ("chairs", "over", "4,321.5")
        assert len(parsed.sources) == len(parsed.permitted) == len(parsed.tokens)
        assert parsed.sources[parsed.tokens.index("4321.5")] == (2,)


def test_a_form_that_lacks_what_it_needs_is_not_given(folder: Path, tmp_path: Path) -> None:
    grammar = (folder / "grammar.lark").read_text().replace("condition?", "condition")
    grammar = grammar.replace(' | "(" "top" COUNT ")" | "(" "in" TOWN ")"', "")
    settings = 'name = "shop"\n[filled]\nPRICE = "number"\n'
    lines = [line for line in (folder / "train.tsv").read_text().split("\n") if "price" in line]
    files = {"domain.toml": settings, "grammar.lark": grammar, "train.tsv": "\n".join(lines)}
    for name, text in files.items():
        (tmp_path / name).write_text(text.replace("%declare PRICE COUNT TOWN", "%declare PRICE"))
    domain = read_folder(tmp_path)
    config = TrainingConfig(epochs=2, grammar="lr", batch=8, held_out=0.2)
    path = train(domain, tmp_path / "run", config=config)
    with Parser(domain, path) as parser:
        parsed, other = parser.parse_batch(["all chairs", "chairs over 5"])
        assert (parsed.abstains, parsed.missing) == (True, ("PRICE",))
        assert "The query does not mention PRICE." in parsed.notices
        assert other.missing == ()
        assert parser.parse("all chairs").missing == ("PRICE",)


@pytest.mark.parametrize(
    "query", ["chairs in reykjavik", "tables in ulan bator", "lamps in reykjavik please"]
)
def test_an_unlisted_name_is_not_replaced_by_another_one(folder: Path, query: str) -> None:
    with Parser(read_folder(folder), folder / "run" / "model.safetensors") as parser:
        parsed = parser.parse(query)
        assert parsed.abstains
        words = {word for name in ("reykjavik", "ulan", "bator") for word in name.split()}
        assert words & {*parsed.typed(parsed.uncovered)}
        assert any("reykjavik" in notice or "ulan" in notice for notice in parsed.notices)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_stored_model_chooses_what_the_network_does(folder: Path, compiled: bool) -> None:
    if compiled:
        pytest.importorskip("numba")
    path, domain = folder / "run" / "model.safetensors", read_folder(folder)
    runtime = RuntimeParser.load(path, domain, compiled=compiled)
    torch = TorchParser(load_network(path, domain), domain.automaton(domain.exact))
    queries = [*TESTS, "2 lamps over 7 and 8", "under", "5"]
    expected = [torch.parse(query) for query in queries]
    assert [runtime.parse(query).tokens for query in queries] == [e.tokens for e in expected]
    for device in (None, "cpu"):
        found = runtime.parse_batch(queries, device)
        assert [e.tokens for e in found] == [e.tokens for e in expected]
    assert [runtime.best(runtime.read(q), 2)[0].tokens for q in queries[:2]] == [
        e.tokens for e in expected[:2]
    ]
