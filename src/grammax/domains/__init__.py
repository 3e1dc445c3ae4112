"""Domains: those of the package, by name, and folders and data, by path or URL.

Each subpackage is a domain, with a module `domain`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from grammax.errors import GrammaxError
from grammax.language.domain import Domain
from grammax.tables.data_files import names_data
from grammax.text import did_you_mean, nearest

_PAPER: Final = "-paper"


class UnknownDomain(GrammaxError):
    """There is no domain of this name."""


class NoModel(GrammaxError):
    """A domain without a trained model."""


def domain_names() -> tuple[str, ...]:
    """The names of all domains."""
    return tuple(sorted(module.name for module in iter_modules(__path__) if module.ispkg))


def load_for_paper(name: str, data: Path | None = None) -> Domain:
    """A domain with a corpus as the paper's, if it has one beside its own; else as it is."""
    return load_domain(name + _PAPER if name + _PAPER in _with_papers() else name, data)


def _with_papers() -> dict[str, str]:
    """The names of all domains, also of those with a corpus as the paper's, and their loaders."""
    found = dict.fromkeys(domain_names(), "load")
    for name in domain_names():
        if hasattr(import_module(f"grammax.domains.{name}.domain"), "load_paper"):
            found[name + _PAPER] = "load_paper"
    return found


def load_domain(name: str, data: Path | None = None, table: str | None = None) -> Domain:
    """A domain by its name, by the path of its folder, or by the path or URL of data.

    `data` overrides `$GRAMMAX_DATA` in the settings of a folder. `table` is the name of a table,
    where the data has several. What is opened is closed by `Domain.close`.
    """
    plain = domain_names()
    # Other domains are not imported for a table: that takes 0.1 s.
    named = name in plain or name.removesuffix(_PAPER) in plain
    if not named and names_data(name):
        if data is not None:
            raise GrammaxError("--data is for the pairs of a domain folder: omit it")
        from grammax.tables.own.folder import open_named

        opened = open_named(name, table)
        try:
            return opened.domain()
        except BaseException:
            opened.close()
            raise
    names = _with_papers()
    if table is not None:
        raise GrammaxError(f"{name!r} is no data, so it has no table {table!r}: omit --table")
    if name and name not in names and Path(name).is_dir():
        from grammax.folder import read_folder
        from grammax.folder.settings import SETTINGS
        from grammax.folder.without_settings import what_to_do

        if not (Path(name) / SETTINGS).exists():
            raise UnknownDomain(what_to_do(Path(name)))
        return read_folder(Path(name), data)
    if name not in names:
        from grammax.folder.without_settings import near_folders

        close = (*nearest(name, names), *(near_folders(Path(name)) if name else ()))
        hint = did_you_mean(close, sentence=True)
        raise UnknownDomain(
            f"unknown domain {name!r}: give {', '.join(names)}, the path of a domain folder, or a "
            f"file or URL of data. {hint}".rstrip()
        )
    if data is not None:
        raise GrammaxError(f"the pairs of {name!r} come with it: omit --data")
    module = import_module(f"grammax.domains.{name.removesuffix(_PAPER)}.domain")
    domain: Domain = getattr(module, names[name])()
    return domain


def training_folder(domain: Domain) -> Path | None:
    """The folder of a domain's trainings; None unless the domain is a folder."""
    return None if domain.folder is None else domain.folder / "run"


def trained_model(domain: Domain) -> Path:
    """The model of a domain: shipped with the package, or trained in its folder."""
    model = domain.model
    if model is None:
        return shipped_model(domain.name)
    if model.is_file():
        return model
    if domain.folder is None:
        raise NoModel(
            f"no model for tables comes with this installation: {model} is missing. Give one with "
            f"--model."
        )
    raise NoModel(
        f"{domain.folder} has no trained model yet: {model} is missing. Run `grammax train "
        f"{domain.folder}`, or give a model with --model."
    )


def shipped_model(name: str) -> Path:
    """The trained model that is shipped with a domain."""
    path = Path(__file__).parent / name / "model.safetensors"
    if not path.is_file():
        raise NoModel(
            f"no model comes with the domain {name!r}: {path} is missing. Run `grammax train`, "
            f"and give the file that it writes with --model."
        )
    return path


def shipped_bench_network(name: str) -> Path:
    """The network that `grammax bench` measures, if one is shipped with the domain."""
    return Path(__file__).parent / name / "bench.safetensors"
