"""What can go wrong between a grammar and the tokenizer of a language model."""

from __future__ import annotations

from grammax.errors import AutomatonError, GrammaxError
from grammax.vocabulary.rows import Rows

_SHOWN = 8


class TokenizerError(GrammaxError):
    """A tokenizer that cannot spell the tokens of a grammar, or that nothing is known about."""


class SubwordNotPermitted(AutomatonError):
    """A token of a language model that the grammar does not permit here.

    The state that it was tried on is unchanged.
    """

    def __init__(self, token: int, spelled: str, rows: Rows) -> None:
        super().__init__(token, spelled, rows)
        self.token = token
        self.spelled = spelled
        """The text of the token, quoted; empty where it is not known."""
        self.rows = rows

    def __str__(self) -> str:
        named = f"the token {self.token}" + (f" ({self.spelled})" if self.spelled else "")
        if not self.rows:
            return f"{named} comes after the end; nothing may follow the end-of-sequence token"
        ids = ", ".join(map(str, self.rows.ids[:_SHOWN].tolist()))
        more = f" and {self.rows.size - _SHOWN:,} more" if self.rows.size > _SHOWN else ""
        return (
            f"{named} is not permitted here; permitted are {ids}{more}. Choose among `rows(state)`."
        )
