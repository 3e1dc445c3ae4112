"""The domains that come with grammax, by name. Each is a package with a module `domain`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from grammax.domain import Domain
from grammax.errors import GrammaxError
from grammax.nearest import nearest


class UnknownDomain(GrammaxError):
    """A name that no domain has."""


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
