"""Ablation: the contribution of each part of the model, from the paper's network to the full one.

Trainings are stored in a folder with a checkpoint per epoch, so that they can be resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Final, NamedTuple, final

from grammax.evaluation.evaluate import evaluate
from grammax.language.domain import Domain, Pair, Tokens
from grammax.model.config import ModelConfig, TrainingConfig

if TYPE_CHECKING:
    from grammax.training.run import Run

Train = Callable[["Run"], None]  # runs all remaining epochs
Done = Callable[[str, int, Mapping[str, float]], None]  # a stage, a seed, exact match by split


@final
@dataclass(frozen=True, slots=True)
class Stage:
    """The settings with which a model is trained and decoded."""

    name: str
    folder: str  # the folder of its trainings; stages that differ only in decoding share one
    model: ModelConfig
    training: TrainingConfig
    beam: int = 1


_PLAIN: Final = TrainingConfig(p_recombine=0, p_nest=0, p_renumber=0, p_swap=0)
_OURS: Final = TrainingConfig()
STAGES: Final = (
    Stage("learnt rows, as in the paper", "learnt", ModelConfig(rows="learnt"), _PLAIN),
    Stage("+ composed rows", "composed", ModelConfig(matches=False), _PLAIN),
    Stage("+ matches", "matches", ModelConfig(), _PLAIN),
    Stage("+ augmentation", "augmented", ModelConfig(), _OURS),
    Stage("+ decisions only", "decisions", ModelConfig(decisions_only=True), _OURS),
    Stage("+ beam of 5", "decisions", ModelConfig(decisions_only=True), _OURS, beam=5),
)


class Spread(NamedTuple):
    """Exact match over some seeds."""

    mean: float
    deviation: float  # of the sample; 0 if there is one seed


@final
@dataclass(frozen=True, slots=True)
class Ablated:
    """A measured stage."""

    stage: str
    exact: Mapping[str, Spread]  # by split


def ablate(
    domain: Domain,
    folder: Path,
    seeds: Sequence[int],
    pairs: Mapping[str, Sequence[Pair]],
    train: Train,
    *,
    stages: Sequence[Stage] = STAGES,
    epochs: int | None = None,
    device: str = "cpu",
    done: Done = lambda *_: None,
) -> list[Ablated]:
    """All stages over all seeds; `epochs` overrides the length of the trainings."""
    found = []
    for stage in stages:
        rows = []
        for seed in seeds:
            model = _trained(domain, folder, stage, seed, train, epochs, device)
            rows.append(_measured(domain, model, stage, pairs))
            done(stage.name, seed, rows[-1])
        found.append(
            Ablated(stage.name, {name: _spread([r[name] for r in rows]) for name in pairs})
        )
    return found


def _trained(
    domain: Domain,
    folder: Path,
    stage: Stage,
    seed: int,
    train: Train,
    epochs: int | None,
    device: str,
) -> Path:
    """The model of a stage and a seed; an unfinished training is resumed."""
    from grammax.training.run import CHECKPOINT, MODEL, Run

    path = folder / f"{stage.folder}-{seed}"
    if not (path / MODEL).exists():
        if (path / CHECKPOINT).exists():
            run = Run.resume(path, domain, device)
        else:
            config = replace(stage.training, seed=seed)
            config = config if epochs is None else replace(config, epochs=epochs)
            run = Run.new(path, domain, stage.model, config, device=device)
        train(run)
    return path / MODEL


def _measured(
    domain: Domain, model: Path, stage: Stage, pairs: Mapping[str, Sequence[Pair]]
) -> dict[str, float]:
    """Exact match on each split."""
    from grammax.runtime.parser import RuntimeParser

    parser = RuntimeParser.load(model, domain)

    def parse_batch(queries: Sequence[str]) -> list[Tokens]:
        if stage.beam == 1:
            return [parse.tokens for parse in parser.parse_batch(queries)]
        return [parser.best(parser.read(query), stage.beam)[0].tokens for query in queries]

    outcomes = evaluate(domain, parse_batch, pairs, denotation=False)
    return {name: fmean(o.exact for o in judged) for name, judged in outcomes.items()}


def _spread(values: Sequence[float]) -> Spread:
    return Spread(fmean(values), stdev(values) if len(values) > 1 else 0.0)
