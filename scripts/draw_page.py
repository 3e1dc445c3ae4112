"""The picture of the page in the README: `docs/page.png`, 1200 by 800.

grammax serve &
python scripts/draw_page.py http://127.0.0.1:8000/

Chromium draws it, with Inter and TeX Gyre Pagella where they are installed
(`apt-get install chromium fonts-inter fonts-texgyre`).
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

QUERY = "What are the top five Asian tech companies?"
PICTURE = Path(__file__).parents[1] / "docs" / "page.png"
WIDTH, HEIGHT = 1200, 800
SHRUNK = 10 / 11  # so that the answer and its chart fit


def main(address: str) -> None:
    """Ask the query, and keep what is seen then."""
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": round(WIDTH / SHRUNK), "height": round(HEIGHT / SHRUNK)},
            device_scale_factor=SHRUNK,
            color_scheme="light",
        )
        page.goto(address)
        page.locator("#query").fill(QUERY)
        page.wait_for_selector("#answer svg")
        page.wait_for_timeout(500)
        page.screenshot(path=str(PICTURE))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
