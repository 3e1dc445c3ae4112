"""`QuestionMix`: how often each kind of question is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final


@final
@dataclass(frozen=True, slots=True)
class QuestionMix:
    """The weights of the kinds of questions."""

    filters: float = 14  # "students from italy older than 20"
    keywords: float = 5  # "italy age > 20"
    columns: float = 18  # "names and ages of the students from italy"
    one: float = 9  # "what is the age of anna"
    asked: float = 2  # "how old is the tallest student"
    listed: float = 2  # "list all students", "students sorted by age"
    against: float = 2  # "mpg vs horsepower"
    ranked: float = 19  # "the 3 oldest students"
    counts: float = 11
    aggregates: float = 9
    groups: float = 15
    ranked_groups: float = 8
    filtered_groups: float = 4
    texts: float = 9  # "reviews mentioning parking", where columns are searched
    searched_one: float = 4  # "who directed casablanca", where names are searched


DEFAULT_QUESTIONS: Final = QuestionMix()
