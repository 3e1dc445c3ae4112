"""The pictures of the page in `docs/page/`: twelve situations, for equities and for a table.

python scripts/draw_page.py [NAME ...]

Starts both services itself. Chromium draws the pictures, with Inter and TeX Gyre Pagella where they
are installed (`apt-get install chromium fonts-inter fonts-texgyre`).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

REPOSITORY = Path(__file__).parents[1]
sys.path.insert(0, str(REPOSITORY / "benchmarks"))

from service_process import served  # noqa: E402

FOLDER = REPOSITORY / "docs" / "page"
DESKTOP = (1200, 800)
PHONE = (390, 844)
COLOURS = 128  # of a picture: few bytes, and no difference to be seen
SETTLED_MS = 700  # for charts and completions
FILMS = ("examples/films.csv",)


@dataclass(frozen=True, slots=True)
class Situation:
    """What is asked, and what is done then."""

    query: str
    act: Callable[[Any], object] = lambda _: None
    arguments: tuple[str, ...] = ()  # of `grammax serve`
    size: tuple[int, int] = DESKTOP
    scheme: str = "light"


def _chooser_of_number(page: Any) -> None:
    page.locator("#form .chip.number").first.click()


def _diagnosed(page: Any) -> None:
    page.locator("#answer button", has_text="ithout").first.wait_for()


def _follow_up(page: Any) -> None:
    page.locator("#follow input").fill("now french")
    page.locator("#follow input").press("Enter")
    page.wait_for_function("() => document.querySelector('#form').textContent.includes('France')")


def _row(page: Any) -> None:
    page.locator("#answer tbody a").first.click()
    page.locator("#row dl").first.wait_for()


def _fields(page: Any) -> None:
    page.locator("#fields").click()
    page.locator("dialog li, .dictionary li").first.wait_for()


def _typed(page: Any) -> None:
    page.locator("#query").press_sequentially("steel ger", delay=60)


SITUATIONS = {
    "start": Situation(""),
    "answer": Situation("What are the top five Asian tech companies?"),
    "distribution": Situation("return on capital sp500", size=(1200, 1640)),
    "groups": Situation("average market cap per sector", size=(1200, 1180)),
    "typing": Situation("", _typed),
    "number": Situation("german companies with revenue above 5bn", _chooser_of_number),
    "follow-up": Situation("german banks", _follow_up),
    "nothing": Situation("german steel with market cap above 500bn", _diagnosed),
    "row": Situation("largest german company", _row, size=(1200, 1500)),
    "fields": Situation("german banks", _fields),
    "films": Situation("average rating per country", arguments=FILMS, size=(1200, 1180)),
    "phone": Situation("german car makers", size=PHONE, scheme="dark"),
}


def main(names: list[str]) -> None:
    """Draw the situations with these names; all of them without any."""
    chosen = {name: SITUATIONS[name] for name in names or SITUATIONS}
    chromium = shutil.which("chromium")
    FOLDER.mkdir(exist_ok=True)
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        ports = {
            arguments: stack.enter_context(served(1, *arguments)).port
            for arguments in {each.arguments for each in chosen.values()}
        }
        for name, situation in chosen.items():
            _draw(browser, ports[situation.arguments], situation, FOLDER / f"{name}.png")
            print(name)  # noqa: T201
        browser.close()


def _draw(browser: Any, port: int, situation: Situation, path: Path) -> None:
    width, height = situation.size
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme=situation.scheme
    )
    page.goto(f"http://127.0.0.1:{port}/")
    page.wait_for_selector("#samples a")
    if situation.query:
        page.locator("#query").fill(situation.query)
        page.wait_for_function("query => window.__grammax.shown === query", arg=situation.query)
    page.wait_for_timeout(SETTLED_MS)
    situation.act(page)
    page.wait_for_timeout(SETTLED_MS)
    with tempfile.TemporaryDirectory() as folder:
        drawn = Path(folder) / "page.png"
        page.screenshot(path=str(drawn))
        Image.open(drawn).convert("RGB").quantize(COLOURS).save(path, optimize=True)
    page.close()


if __name__ == "__main__":
    main(sys.argv[1:])
