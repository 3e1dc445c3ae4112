"""The sizes and choices of a model and of its training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, TypeVar, get_args

from grammax.errors import GrammaxError

RowsName = Literal["composed", "learnt"]
Softmax = Literal["grammar", "full"]

# Names of fields in the files of earlier releases → their current names.
RENAMED: Final[Mapping[str, str]] = {
    "rate": "learning_rate",
    "clip": "max_grad_norm",
    "often": "min_count",
    "recombined": "p_recombine",
    "renumbered": "p_renumber",
    "swaps": "p_swap",
    "unknown": "p_unknown",
}


class ConfigError(GrammaxError):
    """Sizes or choices that do not fit together."""


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The network: the paper's sizes by default.

    With `rows="composed"` the last `spelling` dimensions of the output layer are fixed hash
    embeddings of the tokens' names; with "learnt" all dimensions are learnt, as in the paper. With
    `decisions_only` the decoder takes one step per choice: it reads a chosen token together with
    the tokens that the grammar forces after it. With `filled` numbers and times of a query are read
    whole, and the decoder chooses among them (`grammax.language.filling`).
    """

    words: int = 150  # dimensions of a word embedding
    encoder: int = 150  # dimensions of each direction
    tokens: int = 150  # dimensions of a token embedding, the decoder's input
    hidden: int = 300  # dimensions of the output layer
    rows: RowsName = "composed"
    spelling: int = 128
    matches: bool = True  # whether names of tokens are looked up in queries; composed rows only
    decisions_only: bool = False
    filled: bool = False
    longest_query: int = 200  # words; the rest is cut
    budget: int = 128  # tokens of a logical form, at most

    def __post_init__(self) -> None:
        _positive(self, "words", "encoder", "tokens", "hidden", "longest_query", "budget")
        _choice(self, "rows", get_args(RowsName))
        if self.rows == "composed" and not 0 < self.spelling < self.hidden:
            raise ConfigError(
                f"spelling is {self.spelling}; of the {self.hidden} hidden dimensions some must "
                f"hold names and some be learnt: give 1 to {self.hidden - 1}."
            )
        if self.filled and (self.rows != "composed" or not self.matches):
            raise ConfigError(
                'filled is True: queries fill rows that are composed. Use rows="composed" and '
                "matches=True."
            )

    @property
    def decoder(self) -> int:
        """Dimensions of the decoder's state, which begins as the last state of both directions."""
        return 2 * self.encoder

    @property
    def spelt(self) -> int:
        """The number of hidden dimensions for names: 0 if rows are learnt."""
        return self.spelling if self.rows == "composed" else 0


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """The training: RMSprop, as in the paper.

    `softmax` selects the rows that a step is normalised over: those that the grammar permits, or
    all. Of the epochs under a grammar the last `full_epochs` are over all rows, so that the model
    also works without a grammar. The `p_` are probabilities of augmentation; every `redraw`
    epochs the variations are drawn again.
    """

    softmax: Softmax = "grammar"
    grammar: str = "lr"
    epochs: int = 100
    full_epochs: int = 0
    batch: int = 48
    learning_rate: float = 0.003
    dropout: float = 0.2
    p_recombine: float = 0.8  # that a pair is mixed with parts of others
    p_nest: float = 0.3  # that another pair takes the place of a name in a pair
    p_renumber: float = 0.5  # that the numbers of a pair are replaced
    p_swap: float = 0.5  # that the names of a pair are replaced by others of their kind
    p_unknown: float = 0.1  # that the encoder sees a word as unknown
    redraw: int = 1  # epochs that use the same variations of the pairs
    min_count: int = 1  # occurrences that a token needs to get its own vector
    max_grad_norm: float = 5.0
    written: int = 3  # times per epoch that a pair is used which people wrote
    teachers: int = 0  # networks that are trained first; what most of them read is learnt
    with_dev: bool = False  # whether the pairs of the split "dev" are trained on as well
    held_out: float = 0.05  # share of the training pairs held out for measuring and calibration
    seed: int = 0

    def __post_init__(self) -> None:
        _positive(self, "epochs", "batch", "learning_rate", "max_grad_norm", "min_count", "redraw")
        _choice(self, "softmax", get_args(Softmax))
        if self.teachers < 0:
            raise ConfigError(f"teachers is {self.teachers}; it must be 0, for none, or more.")
        for name in ("dropout", "held_out", *_PROBABILITIES):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(
                    f"{name} is {getattr(self, name)}; it is a share: at least 0 and below 1."
                )
        if not 0 <= self.full_epochs <= self.epochs:
            raise ConfigError(
                f"full_epochs is {self.full_epochs}; it is part of the {self.epochs} epochs."
            )

    def sees_all_rows(self, epoch: int) -> bool:
        """Whether an epoch is over all rows; the first one is 0."""
        return self.softmax == "full" or epoch >= self.epochs - self.full_epochs

    def learning_rate_at(self, epoch: int) -> float:
        """The learning rate of an epoch: constant for the first half, then falling to 2 %.

        The `full_epochs` begin at half of it, because rows that the grammar never permitted are
        still untrained.
        """
        left = 2 * (1 - epoch / self.epochs)
        if self.softmax == "grammar" and self.sees_all_rows(epoch):
            left = (self.epochs - epoch) / (2 * self.full_epochs)
        return self.learning_rate * min(1.0, max(0.02, left))


_PROBABILITIES: Final = ("p_recombine", "p_nest", "p_renumber", "p_swap", "p_unknown")
C = TypeVar("C", ModelConfig, TrainingConfig)


def from_json(kind: type[C], values: Mapping[str, Any]) -> C:
    """A configuration from its fields, by current or earlier names; unknown names are an error."""
    values = {RENAMED.get(name, name): value for name, value in values.items()}
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
