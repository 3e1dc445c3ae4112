"""The names of the corpus's parts: what is trained on, then what is evaluated on."""

from typing import Final

SPLITS: Final = ("train", "test", "unseen_values", "unseen_fields", "unseen_compositions")
