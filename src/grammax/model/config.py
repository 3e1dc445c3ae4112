"""The sizes and choices of a model and of its training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar, get_args

from grammax.errors import GrammaxError

RowsName = Literal["composed", "learnt"]
Softmax = Literal["grammar", "full"]


class ConfigError(GrammaxError):
    """Sizes or choices that do not fit together."""


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The network: the paper's sizes by default.

    With `rows="composed"` the last `spelling` dimensions of the output layer hold what tokens are
    called; with "learnt" all are learnt, as in the paper. With `decisions_only` the decoder makes a
    step a choice: it reads a chosen token and those that the grammar forces after it at once.
    """

    words: int = 150  # dimensions of a word
    encoder: int = 150  # a direction
    tokens: int = 150  # dimensions of a token as the decoder's input
    hidden: int = 300  # what the output layer multiplies
    rows: RowsName = "composed"
    spelling: int = 128
    matches: bool = True  # names of tokens are looked for in queries; composed rows only
    decisions_only: bool = False
    longest_query: int = 200  # words; what follows is cut
    budget: int = 128  # tokens

    def __post_init__(self) -> None:
        _positive(self, "words", "encoder", "tokens", "hidden", "longest_query", "budget")
        _choice(self, "rows", get_args(RowsName))
        if self.rows == "composed" and not 0 < self.spelling < self.hidden:
            raise ConfigError(
                f"spelling is {self.spelling}; of the {self.hidden} hidden dimensions some must "
                f"spell and some be learnt: give 1 to {self.hidden - 1}."
            )

    @property
    def decoder(self) -> int:
        """Dimensions of the decoder's state: it begins where both directions end."""
        return 2 * self.encoder

    @property
    def spelt(self) -> int:
        """How many of the hidden dimensions spell: none where rows are learnt."""
        return self.spelling if self.rows == "composed" else 0


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """The training: RMSprop, as in the paper.

    `softmax` says what competes at a step: what the grammar permits, or all rows. Of the epochs
    under a grammar the last `full_epochs` see all rows, so that the model also works without one.
    """

    softmax: Softmax = "grammar"
    grammar: str = "lr"
    epochs: int = 100
    full_epochs: int = 0
    batch: int = 48
    rate: float = 0.003
    dropout: float = 0.2
    recombined: float = 0.8  # share of pairs, in an epoch, that are mixed with parts of others
    renumbered: float = 0.5  # share of pairs whose numbers are swapped for others
    swaps: float = 0.5  # share of pairs whose names are swapped for others of their kind
    often: int = 1  # times that a token was seen before it learns a part of its own
    unknown: float = 0.1  # share of words that are hidden from the encoder, so that it meets some
    clip: float = 5.0
    held_out: float = 0.05  # share of the training pairs that only measures
    seed: int = 0

    def __post_init__(self) -> None:
        _positive(self, "epochs", "batch", "rate", "clip", "often")
        _choice(self, "softmax", get_args(Softmax))
        for name in ("dropout", "recombined", "renumbered", "swaps", "unknown", "held_out"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it is a share: 0 up to 1.")
        if not 0 <= self.full_epochs <= self.epochs:
            raise ConfigError(f"full_epochs is {self.full_epochs}, and epochs {self.epochs}.")

    def sees_all_rows(self, epoch: int) -> bool:
        """Whether all rows compete in an epoch, the first being 0."""
        return self.softmax == "full" or epoch >= self.epochs - self.full_epochs

    def rate_of(self, epoch: int) -> float:
        """The learning rate of an epoch: constant for the first half, then falling to 2 %.

        Rows that the grammar kept from competing begin anew in the `full_epochs`, at half of it.
        """
        left = 2 * (1 - epoch / self.epochs)
        if self.softmax == "grammar" and self.sees_all_rows(epoch):
            left = (self.epochs - epoch) / (2 * self.full_epochs)
        return self.rate * min(1.0, max(0.02, left))


C = TypeVar("C", ModelConfig, TrainingConfig)


def from_json(kind: type[C], values: Mapping[str, Any]) -> C:
    """A configuration from its fields; one that this release does not know is an error."""
    known = {field.name: field.type for field in fields(kind)}
    foreign = sorted(set(values) - set(known))
    if foreign:
        raise ConfigError(f"{kind.__name__} has no {', '.join(foreign)}; it has {', '.join(known)}")
    numbers: dict[str, Any] = {"int": int, "float": (int, float), "bool": bool, "str": str}
    for name, value in values.items():
        wanted = numbers.get(str(known[name]), str)
        if not isinstance(value, wanted) or (known[name] != "bool" and isinstance(value, bool)):
            raise ConfigError(f"{name} is {value!r}; it must be {known[name]}")
    return kind(**values)


def _positive(config: object, *names: str) -> None:
    for name in names:
        if not getattr(config, name) > 0:
            raise ConfigError(f"{name} is {getattr(config, name)}; it must be above 0.")


def _choice(config: object, name: str, choices: tuple[str, ...]) -> None:
    if getattr(config, name) not in choices:
        raise ConfigError(f"{name} is {getattr(config, name)!r}; it is one of {', '.join(choices)}")
