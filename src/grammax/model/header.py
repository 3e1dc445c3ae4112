"""The header of a model file: JSON in the metadata of safetensors. No PyTorch.

| key | contents |
|---|---|
| `format` | `FORMAT`, incremented when older releases can no longer read the file |
| `domain`, `version` | `Domain.trained_as` when the network was trained |
| `grammar` | `Domain.grammar_version` then; empty if tokens do not come and go |
| `model`, `training` | the configurations |
| `words`, `seen` | the words and the tokens of the training pairs |
| `epochs` | the log of the training |
| `confidence` | the calibration of `grammax.confidence`, or null |
| `uncalibrated` | the reason why calibration failed, if it was tried |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, final

from safetensors import SafetensorError, safe_open

from grammax.errors import FileFormatError, GrammaxError, UnknownToken
from grammax.language.capabilities import Fillable
from grammax.language.domain import Domain
from grammax.model.config import ConfigError, ModelConfig, TrainingConfig, from_json
from grammax.reading.grounds import Grounds
from grammax.reading.name_index import NameIndex
from grammax.reading.names import NameMatcher
from grammax.reading.reader import QueryReader
from grammax.reading.spelling import Spelling
from grammax.reading.words import WordVocabulary
from grammax.vocabulary import Vocabulary

FORMAT: Final = 3
READABLE: Final = (2, FORMAT)  # 2 has other names for fields and tensors
OPTIMIZER: Final = "optimizer."  # begins the names of tensors that only training needs
_KEY: Final = "grammax"
T = TypeVar("T")


class OtherVersion(GrammaxError):
    """A network that was trained for another domain, or another version of it."""


@final
@dataclass(frozen=True, slots=True)
class Epoch:
    """The log of one epoch."""

    number: int  # the first is 1
    loss: float  # per pair
    accuracy: float | None  # exact match on the held-out pairs, if any
    seconds: float  # of training, without measuring the accuracy
    pairs: int


@final
@dataclass(frozen=True, slots=True)
class Header:
    """Everything about a network except its weights."""

    domain: str
    version: str
    model: ModelConfig
    training: TrainingConfig
    words: tuple[str, ...]
    seen: tuple[str, ...]
    epochs: tuple[Epoch, ...]
    confidence: Mapping[str, Any] | None = None  # its calibration
    uncalibrated: str | None = None  # why calibration failed, if it was tried
    grammar: str = ""  # its version, where models fit all vocabularies of one grammar

    def metadata(self) -> dict[str, str]:
        """The metadata of the safetensors file."""
        header = {"format": FORMAT, **asdict(self)}
        return {_KEY: json.dumps(header, ensure_ascii=False)}

    def require(self, domain: Domain, path: Path) -> None:
        """Raise `OtherVersion` if the network was trained for another domain or vocabulary."""
        name, version = domain.trained_as
        if self.domain != name:
            raise OtherVersion(f"{path} was trained for the domain {self.domain!r}, not {name!r}.")
        if self.version == version:
            return
        if not self.grammar or self.grammar != domain.grammar_version:
            raise OtherVersion(
                f"{path} was trained for version {self.version} of {name}'s vocabulary, and this "
                f"is version {version}: its rows mean other tokens. Train again, or use the "
                f"vocabulary that it was trained with."
            )
        if not self.model.spelt:
            raise OtherVersion(
                f"{path} has learnt a row for each token of version {self.version} of {name}, and "
                f"tokens were added or removed since (version {version}). Train again, or with "
                f'rows = "composed", which fit tokens that come and go.'
            )

    def reader(self, domain: Domain, index: NameIndex | None = None) -> QueryReader:
        """The reader of queries for the network; `index` is its name index, if it was stored."""
        return new_reader(self.model, domain, WordVocabulary(self.words), index)

    def require_seen(self, domain: Domain, path: Path) -> None:
        """Raise `FileFormatError` if tokens that were seen in training cannot have been removed."""
        if self.version == domain.trained_as[1]:
            try:
                domain.vocabulary.ids(self.seen)
            except UnknownToken as error:
                raise _damaged(path, error) from error


def in_row_order(
    tensors: dict[str, T], seen: Sequence[str], vocabulary: Vocabulary
) -> tuple[dict[str, T], list[int]]:
    """The tensors with the vectors of seen tokens in the order of their rows, and these rows.

    They have the order of the vocabulary that the network was trained with; a domain that shares
    the network has the same tokens in other rows, and some may be gone. The first vector of
    `tokens` is of no token.
    """
    places = sorted((vocabulary.id(t), place) for place, t in enumerate(seen) if t in vocabulary)
    rows, order = [row for row, _ in places], [place for _, place in places]
    if order == list(range(len(seen))):
        return tensors, rows
    found: dict[str, Any] = dict(tensors)
    found["tokens.weight"] = found["tokens.weight"][[0, *(place + 1 for place in order)]]
    if "rows.own" in found:
        found["rows.own"] = found["rows.own"][order]
    return found, rows


def decoding_grammar(model: ModelConfig, domain: Domain) -> str:
    """The name of the exact grammar under which a model decodes."""
    if model.filled and isinstance(domain, Fillable):
        return domain.filled_grammar
    return domain.exact


def new_reader(
    model: ModelConfig, domain: Domain, words: WordVocabulary, index: NameIndex | None = None
) -> QueryReader:
    """A reader of queries, with the names of the domain's tokens if rows are composed."""
    names, filling = None, None
    if model.filled:
        if not isinstance(domain, Fillable):
            raise ConfigError(f"queries fill nothing in the domain {domain.name!r}: filled=False")
        filling = domain
    if model.spelt:
        vocabulary, spelling = domain.vocabulary, Spelling(model.spelling)
        kinds = frozenset(map(vocabulary.kind_number, domain.must_be_named))
        grounds = None if filling is None else Grounds.from_domain(filling)
        names = NameMatcher(
            vocabulary, domain.wordings, spelling, index, kinds, grounds,
            whole_numbers=domain.whole_numbers,
        )  # fmt: skip
    return QueryReader(words, names, model.longest_query, model.matches, filling)


def current_name(tensor: str) -> str:
    """The current name of a tensor in a file; some were renamed after format 2.

    >>> current_name("attention.weight_of_said.bias")
    'attention.coverage.bias'
    """
    return tensor.replace("attention.weight_of_said.", "attention.coverage.")


def read_header(path: Path) -> Header:
    """The header of a model file; `FileFormatError` if the file is not one."""
    return read_file(path, "np", lambda _: None)[0]


def read_file(path: Path, framework: str, read: Callable[[Any], T]) -> tuple[Header, T]:
    """The header of a file, and the result of `read` on it, opened for a framework.

    `FileFormatError` if the file is truncated, of another program, or of a newer release.
    """
    if not path.is_file():
        raise FileNotFoundError(2, "there is no such checkpoint", str(path))
    try:
        with safe_open(path, framework) as file:
            header = _json(path, file.metadata())
            content = read(file)
    except (SafetensorError, ValueError, RecursionError) as error:
        raise FileFormatError(
            f"{path} is not a checkpoint of grammax: {error}. It may be cut off, or of another "
            f"program. Train again, or copy it again from its source."
        ) from error
    try:
        found = Header(
            domain=str(header["domain"]),
            version=str(header["version"]),
            model=from_json(ModelConfig, header["model"]),
            training=from_json(TrainingConfig, header["training"]),
            words=tuple(map(str, header["words"])),
            seen=tuple(map(str, header["seen"])),
            epochs=tuple(Epoch(**epoch) for epoch in header["epochs"]),
            confidence=header.get("confidence"),
            uncalibrated=header.get("uncalibrated"),
            grammar=str(header.get("grammar", "")),
        )
    except (KeyError, TypeError, AttributeError, ConfigError) as error:
        raise _damaged(path, error) from error
    return found, content


def _json(path: Path, metadata: Mapping[str, str] | None) -> dict[str, Any]:
    if not metadata or _KEY not in metadata:
        raise FileFormatError(
            f"{path} is a safetensors file, but not of grammax: its header has no {_KEY!r}."
        )
    header = json.loads(metadata[_KEY])
    found = header.get("format") if isinstance(header, dict) else None
    if found not in READABLE:
        raise FileFormatError(
            f"{path} has the format {found}, and this release of grammax reads {FORMAT}. "
            f"Install the release that wrote it, or train again."
        )
    return dict(header)


def _damaged(path: Path, error: Exception) -> FileFormatError:
    return FileFormatError(f"{path}: the checkpoint's header is damaged ({error})")
