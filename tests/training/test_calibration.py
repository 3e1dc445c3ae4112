"""All of it learnt, for a small network of a tiny domain and for the one that is shipped."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="a small network is trained")

from dataclasses import replace  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from domains.eqs.shared import eqs  # noqa: E402
from model.networks import SHORT, SMALL, a_trainer  # noqa: E402
from model.tiny import TINY, UNSEEN_PAIRS  # noqa: E402

from grammax.confidence import Usage  # noqa: E402
from grammax.language.domain import Pair  # noqa: E402
from grammax.runtime.parser import RuntimeParser  # noqa: E402
from grammax.training.calibration import (  # noqa: E402
    NothingHeldOut,
    Texts,
    learn,
    learn_from_fold,
    misspelt_pairs,
    watched,
    words_outside_names,
)
from grammax.training.checkpoint import save_checkpoint  # noqa: E402
from grammax.training.fold import Fold, rule_fold  # noqa: E402

OUT_OF_DOMAIN = (
    "what is the weather in oslo",
    "hello there",
    "who painted this",
    "a recipe for bread with nuts",
    "select id from users",
    "why do cats purr at night",
)

TEXTS = Texts(OUT_OF_DOMAIN, ("suppliers of german steel", "why did japanese banks fall"))


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> RuntimeParser:
    trainer = a_trainer(TINY, SMALL, replace(SHORT, epochs=8, batch=8))
    for _ in range(8):
        trainer.run()
    path = tmp_path_factory.mktemp("model") / "model.safetensors"
    save_checkpoint(path, trainer, [], final=True)
    return RuntimeParser.load(path, TINY)


def test_a_calibration_is_learnt_from_pairs_and_other_texts(parser: RuntimeParser) -> None:
    held_out = list(UNSEEN_PAIRS)
    calibration = learn(parser, TINY, list(TINY.train), held_out, TEXTS)
    assert learn(parser, TINY, list(TINY.train), held_out, TEXTS) == calibration
    assert "weather" not in calibration.usage
    queries = [calibration.judge(*found) for found in watched(parser, ["german steel"])]
    others = [
        calibration.judge(*found) for found in watched(parser, ["tell me about the old clocks"])
    ]
    assert queries[0].confidence > others[0].confidence
    assert others[0].abstains
    assert others[0].uncovered


def test_a_training_that_held_nothing_out_teaches_nothing(parser: RuntimeParser) -> None:
    with pytest.raises(NothingHeldOut, match="held out"):
        learn(parser, TINY, list(TINY.train), [], TEXTS)


def test_a_fold_has_all_pairs_of_the_rules_that_are_left_out() -> None:
    pairs = [Pair(f"query {number}", ("x",)) for number in range(1_000)]
    rules = [frozenset({"common", f"rule {number % 100}"}) for number in range(1_000)]
    fold = rule_fold(pairs, rules, pairs[:50], seed=1)
    unseen = {number for number, pair in enumerate(pairs) if pair in set(fold.unseen)}
    chosen = {number % 100 for number in unseen}
    assert len(chosen) == 12
    assert unseen == {number for number in range(1_000) if number % 100 in chosen}
    assert set(fold.seen) == set(pairs[:50]) - set(fold.unseen)
    assert rule_fold(pairs, rules, pairs[:50], seed=1) == fold
    assert rule_fold(pairs, rules, pairs[:50], seed=2) != fold


def test_both_halves_of_a_fold_weigh_the_same() -> None:
    pairs = [Pair(f"query {number}", ("x",)) for number in range(2_000)]
    some, counts = Fold(pairs[:1_900], pairs[1_900:]).sample(seed=0)
    assert len(some) == len(counts) == 900
    assert sum(counts[:800]) == pytest.approx(sum(counts[800:])) == pytest.approx(450)
    alone, even = Fold(pairs[:10], []).sample(seed=0)
    assert (alone, even) == (pairs[:10], [1.0] * 10)


def test_the_words_of_a_calibration_are_those_of_the_final_parser(parser: RuntimeParser) -> None:
    few = [pair for pair in TINY.train if "german" not in pair.query]
    fold = Fold([pair for pair in TINY.train if "german" in pair.query], list(UNSEEN_PAIRS))
    found = learn_from_fold(parser, parser, TINY, few, fold, seed=0)
    assert found == learn_from_fold(parser, parser, TINY, few, fold, seed=0)
    assert found.usage != Usage(frozenset(), frozenset())


def test_one_word_of_a_pair_is_misspelt() -> None:
    pairs = [Pair("german automobiles", ("x",)), Pair("top 5", ("y",))] * 40
    found = misspelt_pairs(pairs, np.random.default_rng(0))
    assert len(found) == 40
    for query, tokens in found:
        words = zip(query.split(), ("german", "automobiles"), strict=True)
        changed = [(word, before) for word, before in words if word != before]
        assert len(changed) <= 1  # exchanging equal letters changes nothing
        assert all(abs(len(w) - len(b)) <= 1 and w[0] == b[0] for w, b in changed)
        assert tokens == ("x",)
    assert len({query for query, _ in found}) > 10


def test_words_outside_names_are_those_that_no_token_has(parser: RuntimeParser) -> None:
    tokens = ("(", "FLD_DOMICILE", "EQ", "COU_GERMANY", ")")
    pairs = [Pair("german", tokens), Pair("please german steel", tokens)]
    assert words_outside_names(parser, pairs) == {"please", "steel"}
    assert words_outside_names(parser, [Pair("german weather", ("no", "tokens"))]) == set()


def test_no_notices_are_given_of_texts_that_are_learnt_from(parser: RuntimeParser) -> None:
    assert len(watched(parser, ["qwertz", "german " * 300])) == 2


@pytest.mark.slow
def test_the_shipped_parser_knows_when_it_is_right(tmp_path: Path) -> None:
    from grammax.cli.evaluate.calibration import calibration_of, judged
    from grammax.domains import shipped_model
    from grammax.evaluation.calibration import SplitCalibration

    domain, path = eqs(), shipped_model("eqs")
    parser = RuntimeParser.load(path, domain)
    calibration = calibration_of(parser, path, domain)
    found = SplitCalibration.from_judged(
        "test", judged(parser, domain, calibration, domain.pairs("test"))
    )
    assert found.error_10 is not None
    assert found.error_15 is not None
    assert max(found.error_10, found.error_15) <= 0.05
    assert found.abstained <= 0.05 * found.queries
    others = [calibration.judge(*each) for each in watched(parser, domain.out_of_domain("test"))]
    assert sum(judgement.abstains for judgement in others) >= 0.9 * len(others) == 180
