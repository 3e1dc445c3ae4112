"""Whether an edited form is a form: accepted by the exact grammar, and well typed."""

from __future__ import annotations

from typing import final

from grammax.automaton.walk import accepts_tokens
from grammax.errors import GrammaxError
from grammax.language.domain import Tokens
from grammax.tables.domain import TableDomain


@final
class BadEdit(GrammaxError):
    """A change that does not lead to a logical form; the message says what is permitted."""


def problem_of(domain: TableDomain, tokens: Tokens) -> str:
    """Why the tokens are not a logical form of the domain; empty if they are one."""
    try:
        domain.require_meaning(tokens)
    except GrammaxError as error:
        return str(error)
    if accepts_tokens(domain.automaton(domain.exact), tokens):
        return ""
    return "The grammar does not permit it there."


def require_valid(domain: TableDomain, tokens: Tokens) -> Tokens:
    """The tokens; raises `BadEdit` unless they are a logical form of the domain."""
    problem = problem_of(domain, tokens)
    if problem:
        raise BadEdit(problem)
    return tokens
