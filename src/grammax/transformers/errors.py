"""What a language model, or a call of its `generate`, cannot do under a grammar.

ConstrainedGenerationError
├── UnsupportedModel     an output layer that cannot be read row by row, and why
├── UnsupportedOption    an option of `generate` that does not go with permitted rows
├── ModelInUse           a model that another `permitted_rows` or `generate` is using
├── ForbiddenToken       a token was chosen that the grammar does not permit
└── Unfinished           texts that the last token cut; `output` has them

A grammar that cannot end within the tokens given raises `grammax.search.BudgetTooShort`.
"""

from __future__ import annotations

from collections.abc import Sequence

from grammax.errors import GrammaxError


class ConstrainedGenerationError(GrammaxError):
    """A language model cannot be decoded under a grammar, or was not."""


class UnsupportedModel(ConstrainedGenerationError):
    """The output layer of a model cannot be read row by row."""


class UnsupportedOption(ConstrainedGenerationError):
    """An option of `generate` does not go with permitted rows."""


class ModelInUse(ConstrainedGenerationError):
    """Another `permitted_rows` or `generate` is using the model."""

    def __init__(self, model: object) -> None:
        super().__init__(
            f"another permitted_rows or generate is using this {type(model).__name__}. Leave it "
            f"first; for several grammars at once, give one constraint per sequence of the batch."
        )


class ForbiddenToken(ConstrainedGenerationError):
    """Sequence `member` continued with `token`, which the grammar does not permit there."""

    def __init__(self, member: int, position: int, token: int) -> None:
        self.member = member
        self.position = position
        self.token = token
        super().__init__(
            f"sequence {member} has id {token} as its generated token {position}, which the "
            f"grammar does not permit there. Some option of generate overruled the scores: a "
            f"forced or suppressed token, a minimal length, or a logits processor. Leave it out."
        )


class Unfinished(ConstrainedGenerationError):
    """The sequences `members` had not ended when generation stopped; `output` has all of them."""

    def __init__(self, members: Sequence[int], total: int, tokens: int, output: object) -> None:
        self.members = tuple(members)
        self.output = output
        super().__init__(
            f"{len(members)} of {total} sequences had not ended after {tokens} tokens, so they are "
            f"not sentences of the grammar; they are in this error's `output`. Permit more tokens "
            f"(max_new_tokens), or use a constraint that knows how many it needs."
        )
