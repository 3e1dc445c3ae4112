"""Domains by name."""

from __future__ import annotations

import pytest

from grammax.domains import UnknownDomain, domain_names, load_domain


def test_every_domain_is_listed_and_loads_under_its_name() -> None:
    assert "eqs" in domain_names()
    for name in domain_names():
        domain = load_domain(name)
        assert domain.name == name
        assert domain.splits[0] == "train"
        assert domain.grammars
        assert domain.version


@pytest.mark.parametrize("name", ["", "EQS", "../eqs", "eqs.domain", "__init__", "nothing"])
def test_an_unknown_domain_is_told_with_those_that_are(name: str) -> None:
    with pytest.raises(UnknownDomain, match=f"unknown domain '{name}': give .*eqs"):
        load_domain(name)


def test_a_slip_is_put_right() -> None:
    with pytest.raises(UnknownDomain, match="Did you mean eqs"):
        load_domain("eqss")
