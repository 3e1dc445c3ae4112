"""Values that are ordered, and texts that hold several values.

>>> from grammax.tables.inspect.description import Facts, ValueType
>>> def facts(*texts):
...     values = tuple((text, 1) for text in texts)
...     return Facts(ValueType.TEXT, len(texts), 0, len(texts), values=values)
>>> order_of(facts("High", "low", "Medium"))
('low', 'Medium', 'High')
>>> separator_of(facts("Drama|Crime", "Crime", "Crime|Comedy", "Comedy|Drama", "Drama"))
'|'
>>> separator_of(facts("Paris, France", "Lyon, France", "Rome, Italy"))
''
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from grammax.tables.inspect.description import Facts

_SCALES: Final = (
    ("very low", "low", "medium", "high", "very high"),
    ("low", "normal", "high", "urgent"),
    ("low", "moderate", "high", "extreme"),
    ("low", "medium", "high", "critical"),
    ("minor", "moderate", "major", "severe", "critical"),
    ("trivial", "minor", "major", "critical", "blocker"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("tiny", "small", "medium", "large", "huge"),
    ("extra small", "small", "medium", "large", "extra large"),
    ("small", "mid-size", "large"),
    ("easy", "medium", "hard", "expert"),
    ("beginner", "intermediate", "advanced", "expert"),
    ("junior", "mid", "senior", "lead", "principal"),
    ("bronze", "silver", "gold", "platinum", "diamond"),
    ("poor", "fair", "average", "good", "very good", "excellent"),
    ("fair", "good", "very good", "premium", "ideal"),
    ("bad", "ok", "good", "great", "excellent"),
    ("terrible", "bad", "neutral", "good", "excellent"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("daily", "weekly", "monthly", "quarterly", "yearly"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    ("january", "february", "march", "april", "may", "june", "july", "august", "september",
     "october", "november", "december"),
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    ("q1", "q2", "q3", "q4"),
    ("f", "e", "d", "c", "b", "a"),
    ("child", "teenager", "adult", "senior"),
    ("$", "$$", "$$$", "$$$$"),
    ("€", "€€", "€€€", "€€€€"),
    ("cheap", "moderate", "expensive"),
    ("primary", "secondary", "tertiary"),
    ("first", "second", "third", "fourth", "fifth"),
)  # fmt: skip
_SEPARATORS: Final = ("|", ";", ", ", " / ", ",")
_ENOUGH: Final = 0.2  # of the values have several parts
_LONGEST_PART: Final = 4  # words, on average


def order_of(facts: Facts) -> tuple[str, ...]:
    """The values from small to large, if they are those of a usual scale."""
    if not facts.complete or not 2 <= facts.distinct <= 12:
        return ()
    by_key = {value.strip().lower(): value for value, _ in facts.values}
    for scale in _SCALES:
        if set(by_key) <= set(scale) and len(by_key) == facts.distinct:
            return tuple(by_key[key] for key in scale if key in by_key)
    return ()


def separator_of(facts: Facts) -> str:
    """What separates several values in one text; empty if texts hold one value each.

    Parts of a list occur in any position; those of "Paris, France" do not.
    """
    texts = [value for value, _ in facts.values]
    for separator in _SEPARATORS:
        several = [parts for text in texts if len(parts := text.split(separator)) > 1]
        if len(several) < 2 or len(several) < _ENOUGH * len(texts):
            continue
        first = {parts[0].strip() for parts in several}
        first |= {text.strip() for text in texts if separator not in text}
        later = Counter(part.strip() for parts in several for part in parts[1:])
        moving = sum(count for part, count in later.items() if part in first)
        words = sum(len(part.split()) for part in later) / len(later)
        if moving >= later.total() / 3 and words <= _LONGEST_PART:
            return separator
    return ""


def parts_of(facts: Facts, separator: str) -> tuple[tuple[str, int], ...]:
    """The single values of texts that hold several, with their numbers of rows.

    >>> from grammax.tables.inspect.description import Facts
    >>> parts_of(Facts(values=(("a|b", 2), ("b", 1))), "|")
    (('b', 3), ('a', 2))
    """
    counts: Counter[str] = Counter()
    for text, rows in facts.values:
        for part in {part.strip() for part in text.split(separator)} - {""}:
            counts[part] += rows
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
