"""What training makes of the pairs of a folder: pairs within pairs, and moved conditions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grammax.folder import FolderDomain
from grammax.model.config import TrainingConfig
from grammax.reading.names import NameMatcher
from grammax.reading.reader import QueryReader
from grammax.reading.spelling import Spelling
from grammax.reading.words import WordVocabulary
from grammax.training.augment.variations import Variations
from grammax.training.examples import examples

PLACES = """\
query: "(" "lambda" VARIABLE fact ")" | place | "(" "size" place ")"
place: STATE | RIVER | VARIABLE | "(" "most" VARIABLE fact ")"
fact: "(" ("state" | "river") VARIABLE ")" | "(" "near" VARIABLE place ")"
    | "(" "and" fact fact+ ")"
VARIABLE: "$0" | "$1" | "$2"
STATE: "ohio" | "utah" | "iowa"
RIVER: "platte" | "green"
"""
PLACE_PAIRS = [
    ("how big is ohio", "( size ohio )"),
    ("how big is utah", "( size utah )"),
    ("what is near iowa", "( lambda $0 ( near $0 iowa ) )"),
    ("what is near the largest state", "( lambda $0 ( near $0 ( most $1 ( state $1 ) ) ) )"),
    ("how big is the largest state", "( size ( most $0 ( state $0 ) ) )"),
    ("what is the largest state", "( most $0 ( state $0 ) )"),
    ("what is the largest river", "( most $0 ( river $0 ) )"),
    (
        "what is the largest state near the platte",
        "( most $0 ( and ( state $0 ) ( near $0 platte ) ) )",
    ),
]
JOBS = """\
query: condition ("," condition)*
condition: "job" "(" "ANS" ")" | "in" "(" "ANS" "," PLACE ")" | "uses" "(" "ANS" "," LANGUAGE ")"
PLACE: "austin" | "boston" | "dallas"
LANGUAGE: "java" | "lisp" | "perl"
"""


def job_pairs() -> list[tuple[str, str]]:
    """Places before languages, never after them, and jobs in the order of mention."""
    found = []
    for place, language in zip(("austin", "boston"), ("java", "lisp"), strict=True):
        where, uses = f"in ( ANS , {place} )", f"uses ( ANS , {language} )"
        found += [
            (f"show jobs in {place}", f"job ( ANS ) , {where}"),
            (f"show {place} jobs", f"{where} , job ( ANS )"),
            (f"show jobs using {language}", f"job ( ANS ) , {uses}"),
            (f"show {place} jobs using {language}", f"{where} , job ( ANS ) , {uses}"),
        ]
    return found


def a_folder(folder: Path, grammar: str, pairs: list[tuple[str, str]], settings: str) -> Path:
    (folder / "domain.toml").write_text(settings, encoding="utf-8")
    (folder / "grammar.lark").write_text(grammar, encoding="utf-8")
    lines = "".join(f"{query}\t{form}\n" for query, form in pairs)
    for split in ("train", "test"):
        (folder / f"{split}.tsv").write_text(lines, encoding="utf-8")
    return folder


def varied(folder: Path, config: TrainingConfig, rounds: int = 40) -> set[tuple[str, str]]:
    """The queries and forms of some epochs that are none of the pairs."""
    domain = FolderDomain(folder)
    automaton, pairs = domain.automaton(domain.exact), domain.pairs("train")
    names = NameMatcher(domain.vocabulary, domain.wordings, Spelling(32))
    words = WordVocabulary.from_queries(pair.query for pair in pairs)
    reader = QueryReader(words, names, longest=200)
    given = examples(pairs, reader, automaton, decisions_only=False)
    read = [(e.query, p.tokens) for e, p in zip(given, pairs, strict=True)]
    variations = Variations(domain, reader, names, config, read)
    random, tokens = np.random.default_rng(0), (*domain.vocabulary.tokens, "")  # "": the end
    found = set()
    for _ in range(rounds):
        for each in variations.draw(given, automaton, False, random):
            form = " ".join(tokens[target] for target in each.targets).strip()
            found.add((" ".join(each.query.typed), form))
    return found.difference((pair.query, " ".join(pair.tokens)) for pair in pairs)


NEST = TrainingConfig(p_nest=0.9, p_recombine=0.0, p_renumber=0.0, p_swap=0.0)


def test_a_pair_takes_the_place_of_a_name_in_another(tmp_path: Path) -> None:
    found = varied(a_folder(tmp_path, PLACES, PLACE_PAIRS, ""), NEST)
    made = {form: query for query, form in found}
    query = made["( size ( most $0 ( and ( state $0 ) ( near $0 platte ) ) ) )"]
    assert query.startswith("how big is ")
    assert query.endswith("the largest state near the platte")
    domain = FolderDomain(tmp_path)
    assert all(domain.grammatical(tuple(form.split())) for form in made)


def test_what_never_stands_where_a_name_does_takes_no_place(tmp_path: Path) -> None:
    found = varied(a_folder(tmp_path, PLACES, PLACE_PAIRS, ""), NEST)
    assert found
    assert not any("( river $0 )" in form for _, form in found)


@pytest.mark.parametrize("settings", ["", "joined_by = ','"])
def test_conditions_stand_in_the_order_of_mention(tmp_path: Path, settings: str) -> None:
    mix = TrainingConfig(p_nest=0.0, p_recombine=0.9, p_renumber=0.0, p_swap=0.0)
    found = varied(a_folder(tmp_path, JOBS, job_pairs(), settings), mix)
    assert bool(found) == bool(settings)
    for query, form in found:
        names = [word for word in query.split() if word in {"austin", "boston", "java", "lisp"}]
        said = [token for token in form.split() if token in names]
        assert said == list(dict.fromkeys(said))
        assert said == [name for name in dict.fromkeys(names) if name in said]
