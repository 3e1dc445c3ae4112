"""From a key press to the answer on the screen, measured in Chromium.

python benchmarks/page.py [--quick] [--json]

The paper's sample queries are typed into the page, a key every 150 ms as people do and one every
40 ms as the fastest do. The browser, the service and this script share the cores. A time runs from
the key press, as the browser has it, to the frame that shows the answer. A key that was followed by
another while the answer before it was under way has none, nor has one within an unfinished word,
where the answer before it stays. The bytes are those that the page loads, as they are sent.
"""

from __future__ import annotations

import shutil
from statistics import median, quantiles
from time import sleep

from report import Claim, Options, Row, at_most, progress, run
from service_process import served

from grammax.errors import GrammaxError

QUERIES = (
    "steel western europe not german",
    "return on capital sp500",
    "auto nysex last quarter mcap > $1bn",
    "Top 10 European non-German tech firms sorted by p/b ratio",
    "What are the top five Asian tech companies?",
)
PACES_MS = (150, 40)
FAST_MS = 40
P50_MS, P95_MS = 25.0, 60.0
MOST_BYTES = 100_000
SETTLED_S = 12.0  # until the service has compiled what makes it fast


class NoBrowser(GrammaxError):
    """Chromium or Playwright is not installed."""


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Type all queries at each pace."""
    queries = QUERIES[:2] if options.quick else QUERIES
    with served(1) as service:
        address = f"http://127.0.0.1:{service.port}/"
        _, loaded = typed(address, QUERIES[:1], PACES_MS[0])  # warms up
        sleep(SETTLED_S)
        rows = []
        for pace in PACES_MS:
            progress(f"a key every {pace} ms")
            times, _ = typed(address, queries, pace)
            rows.append(_row(f"a key every {pace} ms", times, sum(map(len, queries))))
    fast = rows[PACES_MS.index(FAST_MS)]
    rows.append({"name": "the page, loaded", "bytes": loaded})
    of_keys = f"key press to answer, a key every {FAST_MS} ms"
    return rows, [
        at_most(f"{of_keys}, median", float(str(fast["p50 ms"])), P50_MS, "ms"),
        at_most(f"{of_keys}, 95 of 100", float(str(fast["p95 ms"])), P95_MS, "ms"),
        at_most("what the page loads", loaded, MOST_BYTES, "bytes"),
    ]


def typed(address: str, queries: tuple[str, ...], pace_ms: float) -> tuple[list[float], int]:
    """Milliseconds from each key press to its answer, and the bytes that the page has loaded."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise NoBrowser("Playwright is not installed: pip install 'grammax[dev]'.") from error
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise NoBrowser("Chromium is not installed: apt-get install chromium.")
    times: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        sizes: list[int] = []
        session.on("Network.loadingFinished", lambda each: sizes.append(each["encodedDataLength"]))
        page.goto(address, wait_until="networkidle")
        loaded = sum(sizes)
        for query in queries:
            page.locator("#query").fill("")
            page.evaluate("() => { window.__grammax.latencies.length = 0; }")
            page.locator("#query").press_sequentially(query, delay=pace_ms)
            page.wait_for_function("query => window.__grammax.shown === query", arg=query)
            page.wait_for_timeout(200)  # the frame, and what follows an answer
            times += page.evaluate("() => window.__grammax.latencies")
        browser.close()
    return times, loaded


def _row(name: str, times: list[float], keys: int) -> Row:
    high = quantiles(times, n=20)[-1]
    return {
        "name": name,
        "keys": keys,
        "answers": len(times),
        "p50 ms": median(times),
        "p95 ms": high,
        "most ms": max(times),
    }


if __name__ == "__main__":
    run("page", __doc__ or "", main, packages=("playwright", "starlette", "uvicorn"), threads=2)
