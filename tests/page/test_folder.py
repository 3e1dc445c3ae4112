"""The page of a language of one's own, without answers and with them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page.conftest import serving, wait_for_answer
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.service import corrections

QUERY = "amber tuesday"
FUNCTION = """
def answer(tokens):
    return [{"room": "attic", "seats": 4}, {"room": "birch", "seats": 12}]
"""


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A domain as `grammax new` writes it, trained a little."""
    folder = tmp_path_factory.mktemp("own") / "rooms"
    assert CliRunner().invoke(app, ["new", str(folder)]).exit_code == 0
    done = CliRunner().invoke(app, ["train", str(folder), "--epochs", "15", "--threads", "1"])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def own_page(browser: Any, rooms: Path) -> Iterator[Any]:
    """The page of a service of it."""
    with serving(rooms, str(rooms)) as address:
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("#samples a")
        yield page
        page.close()


@pytest.fixture(scope="module")
def answering_page(
    browser: Any, rooms: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """The page of the same folder, answered by a function of an installed package."""
    folder = tmp_path_factory.mktemp("answering")
    shutil.copytree(rooms, folder / "rooms")
    settings = folder / "rooms" / "domain.toml"
    settings.write_text('answers = "rooms"\n' + settings.read_text("utf-8"), "utf-8")
    (folder / "free_rooms.py").write_text(FUNCTION)
    package = folder / "free_rooms-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: free-rooms\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[grammax.answers]\nrooms = free_rooms:answer\n")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        with serving(folder, str(folder / "rooms")) as address:
            page = browser.new_page()
            page.goto(address)
            page.wait_for_selector("#samples a")
            yield page
            page.close()


def test_answers_are_shown_where_the_settings_name_a_function(answering_page: Any) -> None:
    page = answering_page
    page.locator("#query").fill(QUERY)
    wait_for_answer(page, QUERY)
    if page.locator("#answer").is_hidden():  # a model that is hardly trained abstains
        page.locator("#readings button").first.click()
        page.wait_for_selector("#answer:not([hidden])")
    assert page.locator("#answer .count").inner_text() == "2 results"
    assert page.locator("#answer tbody tr").first.inner_text().split() == ["attic", "4"]
    assert page.locator("#answer .tag").count() == 0
    assert not page.locator(".foot").is_visible()
    assert page.locator("#notice").is_hidden()


def test_it_speaks_of_its_own_language(own_page: Any) -> None:
    assert own_page.locator("#fields").is_hidden()
    assert "rooms" in own_page.title()
    assert own_page.locator("#samples a").all_inner_texts()[1] == QUERY
    assert not own_page.locator(".foot").is_visible()
    assert "quity" not in own_page.locator("body").inner_text()


def test_a_form_is_shown_edited_and_remembered(own_page: Any, rooms: Path, screenshot) -> None:
    page = own_page
    page.locator("#query").fill(QUERY)
    wait_for_answer(page, QUERY)
    assert page.locator("#notice").is_hidden()
    assert page.locator("#answer").is_hidden()
    chip = page.locator("#form button.chip").first
    before = page.locator("#paraphrase").inner_text()
    chip.click()
    page.wait_for_selector("#choices li.current")
    page.keyboard.press("ArrowDown")
    chosen = page.locator("#choices li[aria-selected=true]").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector("#edits:not([hidden])")
    assert page.locator("#paraphrase").inner_text() != before
    assert page.locator("#form button.chip").first.inner_text() == chosen
    page.get_by_text("Remember this correction").click()
    page.wait_for_selector("text=Correction stored")
    [kept] = corrections.read(rooms / "corrections.jsonl").corrections
    assert kept.query == QUERY
    screenshot(page, "folder")
