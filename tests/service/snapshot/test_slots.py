"""What can be changed in a logical form, and what comes first where it is."""

from __future__ import annotations

import pytest
from service.given import GERMAN
from tables.searched import films

from grammax.service.snapshot import slots
from grammax.service.snapshot.slots import EditableSlots
from grammax.service.worker import Worker
from grammax.tables.domain import TableDomain

pytestmark = pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")
QUERIES = (
    "german steel",
    "top 5 banks by market cap",
    "auto nysex last quarter mcap > $1bn",
    "Top 10 European non-German tech firms sorted by p/b ratio",
)


@pytest.mark.parametrize("query", QUERIES)
def test_a_chip_is_editable_where_next_offers_something_else(post, query: str) -> None:
    found = post("/parse", {"query": query})
    tokens = found["tokens"]
    for chip in found["chips"]:
        choices = post("/next", {"tokens": tokens, "place": chip["place"], "limit": 2})["choices"]
        assert choices[0]["token"] == chip["token"]  # what stands there comes first
        wanted = len(choices) > 1 and chip["role"] != "bracket"
        assert chip["editable"] == wanted, chip


def test_some_chips_are_editable_and_some_have_one_choice_only(post) -> None:
    chips = post("/parse", {"query": QUERIES[2]})["chips"]
    words = {chip["token"]: chip["editable"] for chip in chips if chip["role"] != "bracket"}
    assert words["AND"] is False  # an OR has no such members
    assert words["GR"] is True
    assert words["FLD_MKT_CAP"] is True


def test_a_structure_is_looked_at_once(worker: Worker, post, monkeypatch) -> None:
    found = worker.snapshot.slots
    asked: list[object] = []
    look = found._editable
    monkeypatch.setattr(found, "_editable", lambda kinds: asked.append(kinds) or look(kinds))
    found._of_kinds.cache_clear()
    for country in ("COU_GERMANY", "COU_FRANCE"):
        found.editable((*GERMAN[:3], country, ")"))
    assert len(asked) == 1


def test_no_other_text_is_offered_in_place_of_one() -> None:
    domain = TableDomain(films())
    tokens = domain.read('(FLD_TITLE CONTAINS "star wars")')
    editable = EditableSlots(domain.automaton("lr")).editable(tokens)
    assert editable[tokens.index("FLD_TITLE")]
    assert not editable[tokens.index('"star wars"')]


def test_only_so_much_is_tried_for_one_form(worker: Worker, monkeypatch) -> None:
    """A form of hundreds of tokens would take a second, and its late slots cannot be edited."""
    tried: list[int] = []
    steps = slots._steps_that_fit
    monkeypatch.setattr(
        slots, "_steps_that_fit", lambda *given: (tried.append(1), steps(*given))[1]
    )
    snapshot = worker.snapshot
    form = snapshot.domain.read("(NOT " * 90 + "(FLD_MKT_CAP GR 1)" + ")" * 90)
    snapshot.slots.editable(form)
    most = len(tried)
    monkeypatch.setattr(slots, "_STEPS", 10)
    tried.clear()
    EditableSlots(snapshot.automaton).editable(form)
    assert len(tried) < most / 5


def test_the_automaton_of_a_service_keeps_few_states(worker: Worker) -> None:
    assert worker.snapshot.automaton.engine.remembered < 10_000
