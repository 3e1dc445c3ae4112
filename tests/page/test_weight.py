"""What the page loads: little, compressed, and from its own address alone."""

from __future__ import annotations

from typing import Any

BUDGET = 100_000  # bytes, with all that the page asks for
FILES = 50


def test_the_page_is_light(browser: Any, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[int] = []
    files: set[str] = set()  # what is asked of the service again and again is not counted
    session.on("Network.loadingFinished", lambda each: sizes.append(each["encodedDataLength"]))
    page.on("request", lambda each: files.add(each.url) if "/static/" in each.url else None)
    page.goto(address)
    page.wait_for_selector("#samples a")
    page.wait_for_load_state("networkidle")
    page.locator("#query").fill("german banks pe ratio")
    page.wait_for_selector("#answer svg")  # charts may be loaded later
    context.close()
    assert 10 <= len(files) <= FILES
    assert sum(sizes) <= BUDGET


def test_files_are_compressed_and_kept(browser: Any, address: str) -> None:
    context = browser.new_context()
    request = context.request
    found = request.get(f"{address}static/js/app.js", headers={"Accept-Encoding": "gzip"})
    assert found.headers["content-encoding"] == "gzip"
    tag = found.headers["etag"]
    again = request.get(f"{address}static/js/app.js", headers={"If-None-Match": tag})
    assert again.status == 304
    context.close()
