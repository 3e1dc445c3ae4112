"""Teachers: what most of them read is learnt; an interruption loses at most an epoch."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")

from dataclasses import replace  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

from model.networks import SHORT, SMALL, few  # noqa: E402
from model.tiny import TINY, TinyDomain  # noqa: E402

from grammax.errors import GrammaxError  # noqa: E402
from grammax.language.domain import Pair, Tokens  # noqa: E402
from grammax.model.header import read_header  # noqa: E402
from grammax.training.augment.agreed import Reads, agreed_pairs  # noqa: E402
from grammax.training.examples import divided  # noqa: E402
from grammax.training.run import CHECKPOINT, MODEL, Run  # noqa: E402
from grammax.training.teachers import AGREED, TEACHERS, Taught, read_by_teachers  # noqa: E402
from grammax.training.trainer import Trainer  # noqa: E402

TWO = replace(SHORT, teachers=2, epochs=2, held_out=0.0)
TAUGHT = Taught(TINY, SMALL, TWO)


def quiet(_: str) -> None:
    """Reports nothing."""


def test_what_most_read_alike_is_agreed_on() -> None:
    one, other = TINY.train[0].tokens, TINY.train[1].tokens

    def fails(query: str) -> Tokens:
        raise GrammaxError(query)

    def says(tokens: Tokens) -> Reads:
        return lambda _: tokens

    assert agreed_pairs(["a"], [says(one), says(other), says(one)], TINY) == [Pair("a", one)]
    assert agreed_pairs(["a"], [says(one), fails, says(one)], TINY) == [Pair("a", one)]
    assert agreed_pairs(["a"], [says(one), says(other)], TINY) == []
    assert agreed_pairs(["a"], [fails, fails], TINY) == []


def test_teachers_are_trained_and_leave_what_they_agree_on(tmp_path: Path) -> None:
    told: list[str] = []
    found = read_by_teachers(tmp_path, TAUGHT, told.append)
    assert {path.name for path in tmp_path.iterdir()} == {AGREED}
    assert told[0] == "teacher 1 of 2: epoch 1 of 2"
    queries = {pair.query for pair in TINY.train}
    assert all(TINY.grammatical(pair.tokens) for pair in found)
    assert not {pair.query for pair in found} & queries
    told.clear()
    assert read_by_teachers(tmp_path, TAUGHT, told.append) == found
    assert told == []  # they are read from the file
    (tmp_path / AGREED).write_bytes((tmp_path / AGREED).read_bytes()[:-9])
    assert read_by_teachers(tmp_path, TAUGHT, told.append) == found
    assert told != []  # the file was damaged
    told.clear()
    others = TAUGHT._replace(config=replace(TWO, seed=3))
    read_by_teachers(tmp_path, others, told.append)
    assert told != []  # that file is of another training


def test_an_interrupted_teacher_goes_on(tmp_path: Path) -> None:
    whole = read_by_teachers(tmp_path / "whole", TAUGHT, quiet)

    def interrupted(text: str) -> None:
        if text == "teacher 2 of 2: epoch 1 of 2":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_by_teachers(tmp_path, TAUGHT, interrupted)
    assert len(read_header(tmp_path / TEACHERS / "2" / CHECKPOINT).epochs) == 1
    told: list[str] = []
    assert read_by_teachers(tmp_path, TAUGHT, told.append) == whole
    assert told[0] == "teacher 2 of 2: epoch 2 of 2"


def test_a_training_learns_what_its_teachers_read_and_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Pair("steel and not french", TINY.train[0].tokens)
    monkeypatch.setattr("grammax.training.run.read_by_teachers", lambda *_: [read])
    run = Run.new(tmp_path, TINY, SMALL, TWO)
    assert run.trainer.training[-1] == read
    run.train(calibrate=False)
    assert (tmp_path / MODEL).exists()
    assert Run.resume(tmp_path, TINY).trainer.training == run.trainer.training


def test_teachers_do_not_see_what_is_held_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Trainer] = []

    def watched(*given: Any, **named: Any) -> Trainer:
        seen.append(Trainer(*given, **named))
        return seen[-1]

    monkeypatch.setattr("grammax.training.teachers.Trainer", watched)
    config = replace(TWO, held_out=0.2)
    read_by_teachers(tmp_path, Taught(TINY, SMALL, config), quiet)
    _, held_out = divided(TINY.train, 0.2, config.seed)
    assert len(seen) == 2
    assert all(not set(held_out) & set(trainer.training) for trainer in seen)
    assert seen[0].config.seed != seen[1].config.seed


def test_a_new_training_forgets_the_teachers_of_the_last(tmp_path: Path) -> None:
    Run.new(tmp_path, TINY, SMALL, TWO).train(calibrate=False)
    before = (tmp_path / AGREED).read_bytes()
    Run.new(tmp_path, TINY, SMALL, replace(TWO, seed=5), overwrite=True)
    assert (tmp_path / AGREED).read_bytes() != before
    assert not (tmp_path / CHECKPOINT).exists()


def test_without_teachers_an_overwritten_training_stays_until_the_first_epoch(
    tmp_path: Path,
) -> None:
    Run.new(tmp_path, TINY, SMALL, replace(TWO, teachers=0)).train(calibrate=False)
    Run.new(tmp_path, TINY, SMALL, replace(TWO, teachers=0), overwrite=True)
    assert (tmp_path / CHECKPOINT).exists()


def test_without_variations_there_is_nothing_to_agree_on(tmp_path: Path) -> None:
    nothing = replace(TWO, p_recombine=0.0, p_renumber=0.0, p_swap=0.0, p_nest=0.0)
    with pytest.raises(GrammaxError, match="nothing to agree on"):
        read_by_teachers(tmp_path, Taught(few(16), SMALL, nothing), quiet)


def test_the_development_split_is_trained_on_if_it_says_so() -> None:
    class Developed(TinyDomain):
        splits = ("train", "dev", "test")

        def pairs(self, split: str) -> tuple[Pair, ...]:
            return super().pairs("test" if split == "dev" else split)

    domain = Developed(TINY.grammar, TINY.train, TINY.test)
    both = Trainer(domain, SMALL, replace(SHORT, with_dev=True, held_out=0.0)).training
    assert set(both) == {*TINY.train, *TINY.test}
    assert set(Trainer(domain, SMALL, replace(SHORT, held_out=0.0)).training) == set(TINY.train)
