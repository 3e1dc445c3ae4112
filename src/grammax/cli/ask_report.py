"""What was understood of a query, and the answer: as lines for people and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, final

from grammax.cli.ask_table import note_of, print_table
from grammax.cli.terminal import plain, print_message, print_result
from grammax.language.answer import Answer
from grammax.language.capabilities import Explainable
from grammax.parser import Parsed

_WHY: Final[Mapping[str, str]] = {
    "no query": "This looks like nothing that could be answered here.",
    "unsure": "It is not clear what is meant.",
    "cut": "The query is too long: its end was not read.",
}


class Reading(NamedTuple):
    """A logical form, and what it says."""

    lf: str
    paraphrase: str
    confidence: float  # its probability by the network


@final
@dataclass(frozen=True, slots=True)
class Understood:
    """A query with its readings, the best first, in the terms of people."""

    parsed: Parsed
    readings: tuple[Reading, ...]

    @property
    def not_understood(self) -> tuple[str, ...]:
        """The words that nothing in the logical form accounts for."""
        return tuple(self.parsed.words[place] for place in self.parsed.unaccounted)

    @property
    def typos(self) -> dict[str, str]:
        """Words that were put right: as they were typed → as they were read."""
        return {typed: self.parsed.words[place] for place, typed in self.parsed.typos}


def understood(parsed: Parsed, domain: Explainable) -> Understood:
    """What a parse says in English."""
    readings = (
        Reading(one.lf, domain.paraphrase(one.tokens), one.confidence) for one in parsed.best
    )
    return Understood(parsed, tuple(readings))


def report_json(found: Understood, table: Answer | None) -> dict[str, Any]:
    """All of it for JSON; `answer` is null where the parser abstained."""
    parsed = found.parsed
    return {
        "text": parsed.text,
        "lf": parsed.lf,
        "paraphrase": found.readings[0].paraphrase,
        "confidence": parsed.confidence,
        "abstains": parsed.abstains,
        "why": parsed.why,
        "not_understood": list(found.not_understood),
        "typos": found.typos,
        "best": [reading._asdict() for reading in found.readings],
        "version": parsed.version,
        "seconds": {"parse": sum(parsed.seconds), "answer": table.seconds if table else None},
        "answer": None if table is None else table_json(table),
    }


def table_json(table: Answer) -> dict[str, Any]:
    """An answer for JSON."""
    return {
        "columns": [column._asdict() for column in table.columns],
        "rows": table.rows,
        "total": table.total,
        "more": table.more,
        "note": note_of(table),
    }


def print_understood(found: Understood) -> None:
    """The logical form and what it means; on stderr what was not quite as it was typed."""
    print_remarks(found)
    print_result(plain(found.parsed.lf, "cyan"))
    print_result(plain(found.readings[0].paraphrase, "italic"))


def print_remarks(found: Understood) -> None:
    """On stderr: why the parser abstains, words that were put right, and words that say nothing."""
    why = found.parsed.why
    if why is not None:
        print_message(_WHY.get(why, f"The parser abstains: {why}."), "yellow")
    for typed, read in found.typos.items():
        print_message(f"Read as {read}: {typed}", "yellow")
    if found.not_understood:
        print_message(f"Not understood: {', '.join(found.not_understood)}", "yellow")


def print_readings(found: Understood, title: str) -> None:
    """The readings, numbered: what each means, and its logical form below."""
    print_result(plain(title, "bold"))
    for number, (lf, meaning, _) in enumerate(found.readings, 1):
        print_result(plain(f"{number:>3}  {meaning}"))
        print_result(plain(f"     {lf}", "cyan"))


def print_answer(found: Understood, table: Answer, many: bool) -> None:
    """The answer below what was understood, and the other readings if they were asked for."""
    print_understood(found)
    print_result(plain(""))
    print_table(table)
    if many and len(found.readings) > 1:
        print_result(plain(""))
        print_readings(found, "Readings")


def print_offer(found: Understood) -> None:
    """What to say instead of an answer."""
    print_remarks(found)
    print_readings(found, "It may mean")
