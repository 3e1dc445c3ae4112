"""Each address gives what the contract says."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest
from service.given import GERMAN, LF
from starlette.testclient import TestClient

from grammax.service import corrections

pytestmark = pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")

PARSE = {
    "query", "lf", "paraphrase", "tokens", "chips", "confidence", "abstains", "why", "words",
    "typos", "uncovered", "notices", "sources", "permitted", "scored", "alternatives", "seconds",
    "unfinished", "version",
}  # fmt: skip


def test_parse_gives_a_logical_form_and_what_it_means(post) -> None:
    found = post("/parse", {"query": "german steel"})
    assert set(found) == PARSE
    assert "COU_GERMANY" in found["tokens"]
    assert "SEC_GICS_STEEL" in found["lf"]
    assert "Germany" in found["paraphrase"]
    assert len(found["sources"]) == len(found["permitted"]) == len(found["tokens"])
    assert found["words"] == ["german", "steel"]
    assert found["alternatives"] == []
    assert not found["abstains"]
    assert set(found["seconds"]) == {"read", "encode", "decode"}


def test_chips_are_the_tokens_as_people_see_them(post) -> None:
    found = post("/parse", {"query": "german steel"})
    chips = found["chips"]
    assert [chip["token"] for chip in chips] == found["tokens"]
    assert [chip["place"] for chip in chips] == list(range(len(chips)))
    [germany] = [chip for chip in chips if chip["token"] == "COU_GERMANY"]
    assert (germany["label"], germany["role"], germany["editable"]) == ("Germany", "value", True)
    assert [c["editable"] for c in chips if c["role"] == "bracket"].count(True) == 0
    assert chips[-1]["depth"] == 0


def test_best_gives_alternatives_the_parse_first(post) -> None:
    found = post("/parse", {"query": "apple", "best": 3})
    assert len(found["alternatives"]) == 3
    assert found["alternatives"][0]["lf"] == found["lf"]
    assert all(each["paraphrase"] for each in found["alternatives"])


def test_a_batch_has_an_error_where_a_query_cannot_be_parsed(post) -> None:
    found = post("/parse/batch", {"queries": ["german steel", "", "x " * 31]})["results"]
    assert set(found[0]) == PARSE
    assert [each["error"]["code"] for each in found[1:]] == ["query_empty", "query_too_long"]


def test_ask_answers_with_columns_and_rows(post) -> None:
    found = post("/ask", {"query": "german steel market cap > 1bn", "rows": 2})
    answer = found["answer"]
    assert found["answer_error"] is None
    assert len(answer["rows"]) <= 2
    assert all(len(row) == len(answer["columns"]) for row in answer["rows"])
    [money] = [column for column in answer["columns"] if column["field"] == "FLD_MKT_CAP"]
    assert (money["type"], money["unit"], money["synthetic"]) == ("money", "USD", True)
    assert answer["synthetic"]


def test_ask_gives_no_answer_where_the_parser_abstains_unless_told_to(post) -> None:
    nonsense = {"query": "the quick brown fox jumps over a lazy dog"}
    found = post("/ask", nonsense)
    assert found["parse"]["abstains"]
    assert found["answer"] is None
    assert found["parse"]["uncovered"]
    anyway = post("/ask", nonsense | {"anyway": True})
    assert (anyway["answer"] is None) == (anyway["answer_error"] is not None)


def test_run_takes_text_or_tokens(post) -> None:
    by_text = post("/run", {"lf": LF, "rows": 3})
    by_tokens = post("/run", {"tokens": GERMAN, "rows": 3})
    assert by_text["tokens"] == list(GERMAN)
    assert by_text["answer"]["rows"] == by_tokens["answer"]["rows"] != []
    assert by_text["answer"]["more"]
    assert by_text["answer"]["total"] > 3


@pytest.mark.parametrize(
    "given",
    [
        {"lf": "(FLD_DOMICILE EQ 3)"},
        {"lf": "(FLD_DOMICILE GE enumValue(COU_GERMANY))"},
        {"lf": ")"},
        {"tokens": ["(", "FLD_DOMICILE"]},
        {"tokens": ["no token"]},
        {"tokens": []},
    ],
)
def test_run_says_what_is_wrong_with_a_form(post, given) -> None:
    error = post("/run", given, 422)["error"]
    assert error["code"] == "bad_logical_form"
    assert error["message"]


@pytest.mark.parametrize("given", [{}, {"lf": LF, "tokens": list(GERMAN)}])
def test_run_takes_one_of_the_two(post, given) -> None:
    assert post("/run", given, 422)["error"]["message"].startswith("One of lf and tokens")


def test_next_tells_what_follows_a_beginning(post) -> None:
    found = post("/next", {"tokens": ["(", "FLD_DOMICILE", "EQ"], "search": "ger", "limit": 3})
    assert found["place"] == 3
    assert found["permitted"] > 200
    assert not found["may_end"]
    assert {"token": "COU_GERMANY", "label": "Germany", "kind": "COUNTRY_VALUE"} in found["choices"]
    assert post("/next", {"tokens": GERMAN})["may_end"]


def test_next_at_a_place_keeps_what_follows(post) -> None:
    operators = post("/next", {"tokens": GERMAN, "place": 2})
    assert [choice["token"] for choice in operators["choices"]] == ["EQ", "NEQ"]
    fields = post("/next", {"tokens": GERMAN, "place": 1})["choices"]
    assert {choice["kind"] for choice in fields} == {"COUNTRY_FIELD"}


def test_next_says_where_tokens_are_no_beginning(post) -> None:
    error = post("/next", {"tokens": ["(", "FLD_DOMICILE", "GE"]}, 422)["error"]
    assert "GE cannot follow" in error["message"]
    assert post("/next", {"tokens": [], "place": 1}, 422)["error"]["code"] == "invalid_request"


def test_complete_goes_on_with_names_and_phrases(post) -> None:
    found = post("/complete", {"text": "steel companies in ger"})["completions"]
    assert "steel companies in Germany" in [each["text"] for each in found]
    germany = next(each for each in found if each["token"] == "COU_GERMANY")
    assert (germany["added"], germany["what"]) == ("many", "country")
    phrases = post("/complete", {"text": "market cap "})["completions"]
    assert {"above", "below"} <= {each["added"] for each in phrases}
    assert post("/complete", {"text": ""})["completions"]


def test_explain_tells_each_step_and_the_path(post) -> None:
    found = post("/explain", {"query": "german steel"})
    steps, path = found["steps"], found["path"]
    assert [step["token"] for step in steps] == found["parse"]["tokens"]
    assert [step["permitted"] for step in steps] == found["parse"]["permitted"]
    (of,) = {step["of"] for step in steps}
    assert 56_209 <= of < 56_400  # other tests may have added some
    assert all(step["forced"] == (step["permitted"] == 1) for step in steps)
    assert len(path["edges"]) == len(steps)
    assert {edge["target"] for edge in path["edges"]} <= {node["id"] for node in path["nodes"]}
    assert path["nodes"][path["edges"][-1]["target"]]["accepts"]


def test_the_catalogue_is_searched_by_name_and_kind(client: TestClient) -> None:
    found = client.get("/catalogue", params={"search": "apple", "kind": "company"}).json()
    assert found["entries"][0]["token"] == "ISS_APPLE_INC"
    listed = client.get("/catalogue", params={"kind": "country", "limit": 3}).json()
    assert len(listed["entries"]) == 3
    assert client.get("/catalogue", params={"kind": "colour"}).status_code == 422
    assert client.get("/catalogue", params={"colour": "red"}).status_code == 422


def test_a_correction_is_on_the_disk_when_it_is_acknowledged(post, corrections_path: Path) -> None:
    given = post("/corrections", {"query": "firms of germany", "lf": LF}, 201)
    kept = corrections.read(corrections_path)
    [found] = [each for each in kept.corrections if each.id == given["id"]]
    assert (found.query, found.lf, found.tokens) == ("firms of germany", LF, GERMAN)


def test_a_correction_must_be_a_logical_form(post) -> None:
    given = {"query": "firms of germany", "lf": "(FLD_DOMICILE EQ 3)"}
    assert post("/corrections", given, 422)["error"]["code"] == "bad_logical_form"


def test_a_correction_that_the_disk_does_not_take_is_told(post, worker, monkeypatch) -> None:
    def full(_: object) -> Future[None]:
        failed: Future[None] = Future()
        failed.set_exception(OSError(28, "No space left on device"))
        return failed

    monkeypatch.setattr(worker.corrections, "append", full)
    error = post("/corrections", {"query": "firms of germany", "lf": LF}, 503)["error"]
    assert error["code"] == "not_stored"
    assert "No space left on device" in error["message"]


def test_health_ready_and_metrics(client: TestClient, post) -> None:
    assert client.get("/health").json()["status"] == "ok"
    assert client.get("/ready").json()["status"] == "ready"
    post("/parse", {"query": "the quick brown fox jumps over a lazy dog"})
    post("/ask", {"query": "german steel"})
    text = client.get("/metrics").text
    for stage in ("read", "encode", "decode", "answer"):
        assert f'grammax_stage_seconds_count{{stage="{stage}"}}' in text
    assert "grammax_permitted_tokens_bucket" in text
    assert 'grammax_abstentions_total{why="' in text
    assert 'grammax_requests_total{path="/parse",status="200"}' in text
    assert "grammax_requests_in_flight 1.0" in text


def test_the_page_and_its_files_are_served(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'self'" in page.headers["content-security-policy"]
    again = client.get("/", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    script = client.get("/static/js/app.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"


@pytest.mark.parametrize("name", ["nothing.js", "../app.py", "%2e%2e/app.py", "..%2fapp.py", "."])
def test_no_other_file_is_served(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


def test_a_sane_request_id_is_taken_over(client: TestClient) -> None:
    given = client.get("/health", headers={"X-Request-ID": "abc-123"})
    assert given.headers["x-request-id"] == "abc-123"
    made = client.get("/health", headers={"X-Request-ID": "<script>"})
    assert made.headers["x-request-id"] not in ("", "<script>")
