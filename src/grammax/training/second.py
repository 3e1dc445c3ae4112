"""The calibration of a trained network, with the help of second ones that see fewer pairs.

A domain may know the phrasing rules of its pairs: then a second network is trained, in a third of
the epochs, without the pairs that use some of the rules and some of those that people wrote; it
parses these and the held-out ones.

For other domains the network parses the pairs that were held out, or those of a split `dev` or
`validation`. Where these are few, a calibration that is learnt from them is a matter of chance.
Then second networks are trained like the first, without some of the training pairs, which they
parse (cross-fitting): one without a tenth of them, or more to have 50; of fewer than 200 pairs,
four without a quarter each.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from grammax.confidence import Calibration
from grammax.language.domain import Domain, Pair
from grammax.model.checkpoint import Tensors
from grammax.model.config import TrainingConfig
from grammax.model.header import Header, decoding_grammar
from grammax.runtime.parser import RuntimeParser
from grammax.runtime.weights import weights_from
from grammax.training.calibration import (
    NothingHeldOut,
    Parsed,
    Texts,
    learn,
    learn_from_fold,
    learn_from_several,
)
from grammax.training.checkpoint import model_header, model_tensors
from grammax.training.examples import development_pairs
from grammax.training.fold import rule_fold
from grammax.training.trainer import Trainer, UntrainableNotice

Tell = Callable[[str], None]  # the current stage

_ENOUGH: Final = 50  # pairs that a calibration is learnt from without further trainings
_SHARE: Final = 0.1  # of the training pairs that a second network does not see, at least
_QUARTERS: Final = 4  # second networks, where one would not see more than a quarter of the pairs
_LARGEST: Final = 0.25
_FEWEST: Final = 10  # pairs that can be divided
_SHORTER: Final = 3  # times fewer epochs of a network that never sees some phrasing rules


class CalibrationNotice(UserWarning):
    """A model could not be calibrated, so its parser never abstains."""


def calibrated(header: Header, trainer: Trainer, parser: RuntimeParser, tell: Tell) -> Header:
    """The header with the calibration of a trained network, or the reason why it has none."""
    try:
        found = _calibration(trainer, parser, tell)
    except NothingHeldOut as error:
        warnings.warn(
            f"the model is not calibrated, so its parser never abstains: {error}",
            CalibrationNotice,
            stacklevel=4,
        )
        return replace(header, uncalibrated=str(error))
    return replace(header, confidence=found.to_json())


def _calibration(trainer: Trainer, parser: RuntimeParser, tell: Tell) -> Calibration:
    domain, seed = trainer.domain, trainer.config.seed
    tell("calibrating")
    rules = domain.rules("train")
    if rules is not None and any(rules):
        return _calibration_by_rules(trainer, parser, rules, tell)
    others = trainer.held_out or development_pairs(domain, trainer.config)
    if len(others) >= _ENOUGH:
        return learn(parser, domain, trainer.training, others, Texts.of(domain), seed)
    parsed = [Parsed(parser, trainer.training, others)] if others else []
    parsed += _cross_fitted(trainer, tell)
    return learn_from_several(parsed, parser, domain, trainer.training, seed)


def _calibration_by_rules(
    trainer: Trainer, parser: RuntimeParser, rules: Sequence[frozenset[str]], tell: Tell
) -> Calibration:
    """The calibration from phrasing rules that a second, shorter training does not see."""
    domain, config = trainer.domain, trainer.config
    written = domain.written_pairs()
    fold = rule_fold(domain.pairs("train"), rules, trainer.held_out, config.seed, written)
    if not fold.unseen:
        raise NothingHeldOut(
            f"{len(rules)} pairs are too few to leave some of their phrasing rules out. Generate "
            f"more pairs."
        )
    short = replace(config, epochs=max(1, config.epochs // _SHORTER), full_epochs=0)
    second = _second_trainer(trainer, short, fold.pairs)
    _run_epochs(second, tell, "some phrasing rules")
    return learn_from_fold(parser_of(second), parser, domain, second.training, fold, config.seed)


def _cross_fitted(trainer: Trainer, tell: Tell) -> list[Parsed]:
    """Pairs of the training, each parsed by a network that was trained without it."""
    config, always = replace(trainer.config, held_out=0.0), {*trainer.more, *trainer.agreed}
    given = [pair for pair in dict.fromkeys(trainer.training) if pair not in always]
    folds = _folds(given, config.seed)
    found = []
    for number, fold in enumerate(folds, 1):
        second = _second_trainer(trainer, config, fold)
        of = f" ({number} of {len(folds)})" if len(folds) > 1 else ""
        _run_epochs(second, tell, f"{len(fold)} pairs{of}")
        found.append(Parsed(parser_of(second), second.training, fold))
    return found


def _folds(pairs: Sequence[Pair], seed: int) -> list[list[Pair]]:
    """The pairs that each second network does not see."""
    if len(pairs) < _FEWEST:
        raise NothingHeldOut(
            f"{len(pairs)} pairs are too few to set some aside. Give at least {_FEWEST} pairs."
        )
    order = np.random.default_rng((seed, 5)).permutation(len(pairs)).tolist()
    share = max(_SHARE, _ENOUGH / len(pairs))
    if share <= _LARGEST:
        return [[pairs[index] for index in order[: round(share * len(pairs))]]]
    return [[pairs[index] for index in order[start::_QUARTERS]] for start in range(_QUARTERS)]


def _second_trainer(trainer: Trainer, config: TrainingConfig, without: Sequence[Pair]) -> Trainer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UntrainableNotice)  # the first training has told of them
        model, device = trainer.network.config, trainer.device
        return Trainer(trainer.domain, model, config, device, trainer.more, without)


def _run_epochs(trainer: Trainer, tell: Tell, without: str) -> None:
    epochs = trainer.config.epochs
    for epoch in range(1, epochs + 1):
        tell(f"calibrating: epoch {epoch} of {epochs} without {without}")
        trainer.run()


def parser_of(trainer: Trainer) -> RuntimeParser:
    """The parser of a network that is not stored."""
    return runtime_parser(model_header(trainer, ()), model_tensors(trainer), trainer.domain)


def runtime_parser(
    header: Header, tensors: Tensors, domain: Domain, *, stored: bool = False
) -> RuntimeParser:
    """The parser of a model that is not in a file yet; with `stored` its cache is."""
    arrays = {name: tensor.cpu().float().numpy() for name, tensor in tensors.items()}
    weights = weights_from(header, arrays, domain, stored=stored)
    return RuntimeParser(weights, domain.automaton(decoding_grammar(header.model, domain)))
