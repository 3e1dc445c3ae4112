"""`QuestionPhraser`: random questions about a table, with their logical forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Final, final

from grammax.tables.corpus.draw import Dice, Zipf, pick
from grammax.tables.corpus.lexicaliser import Lexicaliser
from grammax.tables.corpus.phrase import Phrase
from grammax.tables.corpus.questions.columns import (
    against,
    all_rows,
    asked_of_rows,
    column_of_one,
    columns_of_rows,
)
from grammax.tables.corpus.questions.groups import filtered_groups, grouped, ranked_groups
from grammax.tables.corpus.questions.manner import typed
from grammax.tables.corpus.questions.mix import DEFAULT_QUESTIONS, QuestionMix
from grammax.tables.corpus.questions.parts import Condition, Said, joined, of_all
from grammax.tables.corpus.questions.ranks import (
    Superlative,
    ranked_rows,
    rows_of,
    sort,
    superlative,
)
from grammax.tables.corpus.questions.rows import conditions, described, keywords, predicate
from grammax.tables.corpus.questions.table import Table, row_nouns
from grammax.tables.corpus.questions.texts import column_of_searched, text_condition
from grammax.tables.corpus.questions.totals import aggregate, count

_NAMED_ROWS: Final = 0.05
_ROWS_NAMED: Final = (
    "give me a list of", "name all", "provide a list of all", "a list of the", "which are the",
    "i want to know about", "show a list of", "tell me about all", "show me any",
)  # fmt: skip
_OPENINGS: Final = (
    "look up {n}", "look for {n}", "locate {n}", "is there a {1}?", "can you find {n}?",
    "find me a {1}", "find a {1}", "i'd like to find {n}", "i'm searching for {n}", "search {n}",
    "let me see {n}", "help me find {n}", "what {n} do you have?", "see {n}", "need {n}",
    "i am looking for a {1}", "where can i find {n}", "do you know any {n}?", "tell me all {n}",
    "i want {n}", "i'd like {n}", "give me a {1}", "show me a {1}", "show me every {1}",
    "is there a {1}", "looking for {n}", "what are some {n}?", "recommend {n}", "suggest {n}",
    "could you find {n}", "what is a {1}?", "browse {n}", "pull up {n}", "get me all {n}",
    "please list all {n}", "i need a {1}", "find every {1}", "search for a {1}",
    "", "show me {n}", "show {n}", "list {n}", "find {n}", "give me {n}", "which {n}", "all {n}",
    "show all {n}", "list all {n}", "what are the {n}?", "find all {n}", "i'm looking for {n}",
    "are there any {n}?", "show me all {n}", "i want to see {n}", "display {n}", "get {n}",
    "can you show me {n}", "i need {n}", "search for {n}", "return all {n}", "do you have {n}?",
    "what {n} are there?", "tell me about {n}", "any {n}?", "list the {n}", "find me {n}",
    "i would like {n}", "is there any {n}?",
)  # fmt: skip
_ASKED: Final = ("which {n} {c}?", "what {n} {c}?", "which of the {n} {c}?", "do any {n} {c}?")
_WHO: Final = ("who {c}?", "who are the {n} that {c}?", "who {c}", "find everyone who {c}")
_OF_PEOPLE: Final = ("who are the {n}?", "who are {n}?")
_OF_RANKED: Final = (
    "{n}", "show {n}", "what is {n}?", "which is {n}?", "find {n}", "show me {n}", "give me {n}",
    "list {n}", "tell me {n}", "what are {n}?", "return {n}", "who is {n}?", "i want {n}",
)  # fmt: skip
_RENAMED: Final = 0.1
_SYNONYM: Final = 0.5  # that the other noun is any: people call singers musicians
_ANY_ROWS: Final = (("one", "ones"), ("entry", "entries"), ("record", "records"), ("row", "rows"))
_THINGS: Final = (("item", "items"), ("thing", "things"), ("place", "places"), ("spot", "spots"),
                  ("option", "options"), ("item", "items"), ("place", "places"))  # fmt: skip
_PEOPLE: Final = (
    ("person", "people"), ("individual", "individuals"), ("someone", "people"),
    ("person", "those"), ("person", "everyone"), ("candidate", "candidates"),
)  # fmt: skip
_TRIES: Final = 20
_OF_TEXTS: Final = ("texts", "searched_one")  # need columns that are searched


_Form = Callable[[Table, Dice], Said | None]


@final
class QuestionPhraser:
    """Draws questions; equal seeds give equal questions. Any table has some."""

    def __init__(
        self,
        words: Lexicaliser,
        mix: QuestionMix = DEFAULT_QUESTIONS,
        texts: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.table = Table(words, texts or {})
        forms: dict[str, _Form] = {
            "filters": filtered, "keywords": in_keywords, "columns": columns_of_rows,
            "one": column_of_one, "asked": asked_of_rows, "listed": all_rows, "against": against,
            "ranked": ranked, "counts": count, "aggregates": aggregate, "groups": grouped,
            "ranked_groups": ranked_groups, "filtered_groups": filtered_groups,
            "texts": searched, "searched_one": column_of_searched,
        }  # fmt: skip
        self._forms = forms
        weights = [
            (part.name, getattr(mix, part.name))
            for part in fields(QuestionMix)
            if self.table.searched or part.name not in _OF_TEXTS
        ]
        self._names = _weighted(weights)

    def phrase(self, dice: Dice) -> Phrase:
        """A question and its logical form."""
        dice.taken()
        found: Said | None = None
        for _ in range(_TRIES):
            name = self._names.draw(dice)
            found = self._forms[name](self.table, dice)
            if found:
                dice.note(f"question/{name}")
                break
        found = found or count(self.table, dice)
        text = _renamed(found.text, self.table, dice) if dice.chance(_RENAMED) else found.text
        return Phrase(typed(text, dice), joined(found.parts), dice.taken())


def _renamed(text: str, table: Table, dice: Dice) -> str:
    """The question with another noun for the rows; unchanged if a column is called so."""
    nouns = (*_ANY_ROWS, *(_PEOPLE if table.of_people else _THINGS))
    one, many = pick(dice, row_nouns() if dice.chance(_SYNONYM) else nouns)
    taken = {word for column in table.columns for noun in column.nouns for word in noun.split()}
    if {one, many, table.one, table.many} & taken:
        return text
    text = re.sub(rf"\b{re.escape(table.many)}\b", many, text)
    return re.sub(rf"\b{re.escape(table.one)}\b", one, text)


def _weighted(weights: list[tuple[str, float]]) -> Zipf:
    total, cumulative = 0.0, []
    for _, weight in weights:
        total += weight
        cumulative.append(total)
    return Zipf(tuple(name for name, _ in weights), tuple(cumulative))


def searched(table: Table, dice: Dice) -> Said | None:
    """Rows whose texts contain something, at times with another condition."""
    if not table.searched:
        return None
    found = text_condition(table, pick(dice, table.searched, 0.5), dice)
    if found is None:
        return None
    others = conditions(table, dice, 1, (found.column,)) if dice.chance(0.25) else []
    if dice.chance(0.25):
        return Said(keywords(table, dice, [found, *others]), of_all([found, *others]))
    return _of_conditions(table, dice, [found, *others])


def filtered(table: Table, dice: Dice) -> Said | None:
    """Rows that satisfy conditions, at times in an order."""
    return _of_conditions(table, dice, conditions(table, dice))


def _of_conditions(table: Table, dice: Dice, given: list[Condition]) -> Said | None:
    if not given:
        return None
    if len(given) == 1 and dice.chance(0.25):
        asked = predicate(given[0], dice)
        if asked:
            forms = _ASKED[: 4 if asked.startswith("have") else 3]
            if table.of_people:
                forms = (*forms, *_WHO)
            form = dice.rule("asked", forms, 0.9)
            asked = _third_person(asked) if "who {c}" in form else asked
            return Said(form.replace("{n}", table.many).replace("{c}", asked), given[0].parts)
    asked_for = next((each for each in given if each.asked), None)
    if asked_for and dice.chance(0.3):
        others = [each for each in given if each is not asked_for]
        form = dice.rule("asked for", asked_for.asked, 0.4)
        text = form.replace("{n}", described(table, dice, others))
        return Said(f"{text}{'?' * dice.chance(0.5)}", of_all(given))
    rows = described(table, dice, given)
    if dice.chance(_NAMED_ROWS):
        named = f"{dice.rule('rows', _ROWS_NAMED, 0.6)} {rows}"
        return Said(named, of_all(given))
    form = dice.rule("opening", _OPENINGS, 0.4) if dice.chance(0.75) else ""
    if table.of_people and dice.chance(0.08):
        form = dice.rule("opening", _OF_PEOPLE)
    if "{1}" in form:
        rows = described(table, dice, given, singular=True)
    text = form.replace("{n}", rows).replace("{1}", rows) if form else rows
    order = sort(table, dice, [each.column for each in given]) if dice.chance(0.08) else None
    if order and not text.endswith("?"):
        return Said(f"{text} {order.text}", (*of_all(given), *order.parts))
    return Said(text, of_all(given))


def _third_person(asked: str) -> str:
    """A predicate of one person: "lives in boston", "has an age over 20"."""
    first, space, rest = asked.partition(" ")
    irregular = {"have": "has", "are": "is", "were": "was"}
    return f"{irregular.get(first, f'{first}s')}{space}{rest}"


def in_keywords(table: Table, dice: Dice) -> Said | None:
    """Rows that satisfy conditions, in keywords."""
    given = conditions(table, dice)
    return Said(keywords(table, dice, given), of_all(given)) if given else None


def ranked(table: Table, dice: Dice) -> Said | None:
    """The first row, or the first few, of all rows or of some."""
    superlative_ = superlative(table, dice)
    if superlative_ is None:
        return None
    field = str(superlative_.rank.field)
    given = conditions(table, dice, 1, (field,)) if dice.chance(0.35) else []
    made = rows_of(superlative_, given)
    if superlative_.is_one and dice.chance(0.3):
        asked = _which(table, superlative_, dice)
        if asked and not given:
            return Said(asked, made)
    rows = ranked_rows(table, dice, superlative_, given)
    if dice.chance(0.35):
        return Said(rows, made)
    form = dice.rule("of ranked", _OF_RANKED, 0.6)
    many = not superlative_.is_one
    if form.startswith("who") and not (table.of_people and not many):
        form = "{n}"
    form = form.replace("what is", "what are").replace("which is", "which are") if many else form
    form = form if many else form.replace("what are", "what is")
    return Said(form.replace("{n}", rows), made)


def _which(table: Table, ranked: Superlative, dice: Dice) -> str:
    """ "which student is the oldest?", "which has the best grade?", "who earns the most?" """
    before, after = ranked.before, ranked.after
    which = pick(dice, ("which", "which", "what"))
    mark = "?" * dice.chance(0.7)
    if ranked.verbs and dice.chance(0.5):
        most = "most" if ranked.rank.direction == "top" else "least"
        who = "who" if table.of_people and dice.chance(0.6) else f"{which} {table.one}"
        return f"{who} {dice.rule('verbs', ranked.verbs, 0.7)}s the {most}{mark}"
    if before and not after:
        if table.of_people and dice.chance(0.3):
            return f"who is the {before}{mark}"
        return f"{which} {table.one} is the {before}{mark}"
    if after.startswith("with "):
        return f"{which} {table.one} has {after.removeprefix('with ')}{mark}"
    return ""
