"""The files of the page, as they are on the disk now, with what browsers want to know of them."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final, final

FOLDER: Final = Path(__file__).parent / "page"
INDEX: Final = "index.html"
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


@final
@dataclass(frozen=True, slots=True)
class Page:
    """A file: `tag` is another whenever the content is."""

    content: bytes
    type: str
    tag: str


@final
class Pages:
    """Files by name, read when they are first asked for and again when they were changed."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder.resolve()
        self._kept: dict[Path, tuple[int, Page]] = {}

    def find(self, name: str) -> Page | None:
        """A file of the folder; None where there is none, or it lies elsewhere."""
        if "\0" in name or name.startswith("."):
            return None
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder) or not path.is_file():
            return None
        changed = path.stat().st_mtime_ns
        kept = self._kept.get(path)
        if kept is None or kept[0] != changed:
            content = path.read_bytes()
            tag = f'"{blake2b(content, digest_size=8).hexdigest()}"'
            kept = self._kept[path] = (changed, Page(content, _type(path), tag))
        return kept[1]


def _type(path: Path) -> str:
    guessed = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    return guessed or "application/octet-stream"
