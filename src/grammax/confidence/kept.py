"""A calibration beside the network that it is of: in the header of the model's file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from grammax.confidence.calibration import Calibration
from grammax.confidence.learn import learn
from grammax.files import write_atomic
from grammax.language.domain import Domain
from grammax.model.header import Header, read_file
from grammax.runtime.parser import RuntimeParser
from grammax.training.examples import divided


def calibrate(path: Path, domain: Domain, strangers: Sequence[str]) -> Calibration:
    """Learn when the model in a file is right, and keep that in the file."""
    header, arrays = read_file(path, "np", _arrays)
    found = learnt_of(RuntimeParser.load(path, domain), header, domain, strangers)
    kept = replace(header, confidence=found.to_json())
    write_atomic(path, save(arrays, kept.metadata()))
    return found


def learnt_of(
    parser: RuntimeParser, header: Header, domain: Domain, strangers: Sequence[str]
) -> Calibration:
    """The calibration of a parser from what its training held out."""
    config = header.training
    training, held_out = divided(domain.pairs("train"), config.held_out, config.seed)
    return learn(parser, domain, training, held_out, strangers, config.seed)


def kept_calibration(header: Header) -> Calibration | None:
    """The calibration of a model; None if none was learnt."""
    return None if header.confidence is None else Calibration.from_json(header.confidence)


def _arrays(file: Any) -> dict[str, NDArray[np.generic]]:
    return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
