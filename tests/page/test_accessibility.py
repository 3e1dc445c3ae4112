"""axe finds no violation in any situation, in light and dark, on a desktop and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("axe_playwright_python", reason="axe is not installed")

from axe_playwright_python.sync_playwright import Axe
from variants import THOROUGH

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1200, "height": 800}


def start(page: Any, ask: Any) -> None:
    del ask
    page.wait_for_selector("#samples a")


def rows(page: Any, ask: Any) -> None:
    ask(page, "german banks pe ratio")
    page.wait_for_selector("#answer svg")


def two_readings(page: Any, ask: Any) -> None:
    ask(page, "hdfc bank gross npl")
    page.wait_for_selector("#readings button")


def nonsense(page: Any, ask: Any) -> None:
    ask(page, "asdf qwer zxcv")
    page.wait_for_selector("#readings button")


def nothing(page: Any, ask: Any) -> None:
    ask(page, "german banks with market cap over 900tn")
    page.wait_for_selector("#answer .count")


def unknown_word(page: Any, ask: Any) -> None:
    ask(page, "german banks qwertz")


def edited(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.locator("#form .drop").first.click()
    page.wait_for_selector("#edits button")


def choosing(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.locator("#form .chip.value").first.click()
    page.wait_for_selector(".chooser li")


def explained(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.locator("#how").click()
    page.wait_for_selector(".steps li")


def filtering(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.get_by_role("button", name="Add a filter").click()
    page.locator(".chooser input").fill("dividend yield")
    page.wait_for_selector(".chooser li[aria-selected=true]:has-text('Dividend yield')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".chooser input[type=range]")


def followed(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.locator("#then").fill("remove the weather")
    page.locator("#then").press("Enter")
    page.wait_for_selector("#then-told .wrong")


SITUATIONS = [
    start,
    rows,
    two_readings,
    nonsense,
    nothing,
    unknown_word,
    edited,
    choosing,
    filtering,
    followed,
    explained,
]


LOOKS = {
    "desktop, light": (DESKTOP, "light"),
    "phone, dark": (PHONE, "dark"),
    **({"desktop, dark": (DESKTOP, "dark"), "phone, light": (PHONE, "light")} if THOROUGH else {}),
}


@pytest.mark.slow
@pytest.mark.parametrize(("viewport", "scheme"), LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_axe_finds_nothing(
    open_page: Callable[..., Any],
    ask: Any,
    situation: Callable[[Any, Any], None],
    viewport: dict[str, int],
    scheme: str,
) -> None:
    page = open_page(viewport=viewport, color_scheme=scheme)
    situation(page, ask)
    page.wait_for_timeout(400)  # transitions: a colour on its way has no contrast
    assert _violations(page) == []


def test_axe_finds_nothing_at_the_start_and_in_an_answer(page: Any, ask: Any) -> None:
    assert _violations(page) == []
    rows(page, ask)
    page.wait_for_timeout(400)
    assert _violations(page) == []


def _violations(page: Any) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]
