"""The names of the corpus's splits: the training set, then the test sets."""

from typing import Final

SPLITS: Final = ("train", "test", "unseen_values", "unseen_fields", "unseen_compositions")
