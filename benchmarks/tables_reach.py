"""What the language can say of each set, and what passes for right by accident.

Nothing here has a parser: the gold queries themselves are translated and answered.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from report import Row, progress
from tables_columns import Unsayable
from tables_judges import Judge, judge_of
from tables_questions import Question, questions_of

from grammax.errors import GrammaxError
from grammax.tables.filling import NotMentioned
from grammax.tables.form.canonical import same
from grammax.tables.form.text import to_tokens
from grammax.tables.form.tree import LogicalForm

OTHERS: Final = 5  # forms of other questions that each gold is compared with


def reachable(sets: Sequence[str], most: int | None, show: int) -> list[Row]:
    """What the language can say of each set, with the reasons for the rest.

    `show` of the questions that it cannot say are printed on stderr.
    """
    rows: list[Row] = []
    reasons: list[Row] = []
    taken: list[Row] = []
    for name in sets:
        questions = questions_of(name, most)
        found: Counter[str] = Counter()
        liberties: Counter[str] = Counter()
        read = 0
        with judge_of(questions[0]) as judge:
            for number, question in enumerate(questions):
                progress(f"{name}: question {number + 1} of {len(questions)}")
                reason = unreachable(question, judge)
                found[reason] += 1
                if not reason:
                    read += is_read(question, judge)
                    liberties[question.liberty] += 1
                if reason and sum(found.values()) - found[""] <= show:
                    print(f"{reason}: {question.text}\n    {question.shown_gold}", file=sys.stderr)
        said = found.pop("", 0)
        rows.append({"name": name, "questions": len(questions), "reachable": said,
                     "share": said / len(questions), "numbers read, too": read,
                     "share, too": read / len(questions)})  # fmt: skip
        reasons += [{"set": name, "not reachable because of": reason, "count": count}
                    for reason, count in found.most_common()]  # fmt: skip
        taken += [{"set": name, "reachable by taking": liberty, "count": count}
                  for liberty, count in liberties.items() if liberty]  # fmt: skip
    return [*rows, *reasons, *taken]


def unreachable(question: Question, judge: Judge) -> str:
    """Why no form is right for a question; empty if one is."""
    try:
        form = judge.gold(question)
    except Unsayable as reason:
        return str(reason)
    except GrammaxError as error:
        return type(error).__name__
    return "" if judge.is_right(question, form) else "said, but the answers differ"


def is_read(question: Question, judge: Judge) -> bool:
    """Whether the numbers and times of the gold form are read in the question.

    A parser fills them from there, so that others are out of its reach.
    """
    domain = judge.world(question).domain
    try:
        domain.filled(to_tokens(judge.gold(question)), domain.mentions(question.text.strip()))
    except NotMentioned:
        return False
    return True


def control(sets: Sequence[str], most: int | None, show: int) -> list[Row]:
    """How often the gold form of another question about the same table passes for right.

    Tables of six rows have the same answer to many questions: so much of what is right may be so by
    accident, were a parser to guess.
    """
    rows: list[Row] = []
    for name in sets:
        random, asked, passed = Random(1), 0, 0
        questions = questions_of(name, most)
        with judge_of(questions[0]) as judge:
            for table in _by_table(questions, judge):
                for question, form in table:
                    progress(f"{name}: {question.id}")
                    others = [other for _, other in table if not same(form, other)]
                    for other in random.sample(others, min(OTHERS, len(others))):
                        asked += 1
                        if judge.is_right(question, other):
                            passed += 1
                            if passed <= show:
                                print(f"{question.text}\n    {question.shown_gold}\n    {other}",
                                      file=sys.stderr)  # fmt: skip
        rows.append({"name": name, "other forms": asked, "passed": passed,
                     "share": passed / max(1, asked)})  # fmt: skip
    return rows


def _by_table(
    questions: Sequence[Question], judge: Judge
) -> list[list[tuple[Question, LogicalForm]]]:
    """The questions that can be said, one for each gold query, by table."""
    found: dict[str, dict[str, tuple[Question, LogicalForm]]] = {}
    for question in questions:
        try:
            form = judge.gold(question)
        except (Unsayable, GrammaxError):
            continue
        of_table = found.setdefault(judge.world(question).name, {})
        of_table.setdefault(question.shown_gold, (question, form))
    return [list(each.values()) for each in found.values()]
