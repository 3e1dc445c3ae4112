"""The domains that come with grammax, by name. Each is a package with a module `domain`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from grammax.domain import Domain
from grammax.errors import GrammaxError
from grammax.nearest import nearest


class UnknownDomain(GrammaxError):
    """A name that no domain has."""


class NoModel(GrammaxError):
    """A domain that comes without a trained model."""


def domain_names() -> tuple[str, ...]:
    """The names of all domains."""
    return tuple(sorted(module.name for module in iter_modules(__path__) if module.ispkg))


def load_domain(name: str) -> Domain:
    """A domain by its name."""
    names = domain_names()
    if name not in names:
        close = nearest(name, names)
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        raise UnknownDomain(f"there is no domain {name!r}; there is {', '.join(names)}.{hint}")
    domain: Domain = import_module(f"grammax.domains.{name}.domain").load()
    return domain


def shipped_model(name: str) -> Path:
    """The trained model that comes with a domain."""
    path = Path(__file__).parent / name / "model.safetensors"
    if not path.is_file():
        raise NoModel(
            f"no model comes with the domain {name!r}: {path} is missing. Run `grammax train`, "
            f"and give the file that it writes with --model."
        )
    return path
