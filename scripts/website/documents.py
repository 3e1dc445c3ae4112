"""The documents of the site in one folder: `docs` and the documents at the root of the repository.

Links between them are changed to where they lie there. A link to another file of the repository is
an error, because the site does not have it.
"""

from __future__ import annotations

import re
import shutil
from os.path import relpath
from pathlib import Path
from typing import Final

# Documents at the root of the repository, and their pages.
PAGES: Final = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
WRITTEN_APART: Final = {"README.md"}  # its page is `docs/index.md`

_LINK: Final = re.compile(r"(\]\()([^()\s:#]+)((?:#[^()\s]*)?\))")


def stage(root: Path, folder: Path) -> None:
    """Write the documents of the repository `root` to a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for source in sorted(path for path in (root / "docs").rglob("*") if path.is_file()):
        target = folder / source.relative_to(root / "docs")
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            _write(source, target, root, folder)
        else:
            shutil.copyfile(source, target)
    for name, page in PAGES.items():
        if (root / name).is_file() and name not in WRITTEN_APART:
            _write(root / name, folder / page, root, folder)


def _write(source: Path, target: Path, root: Path, folder: Path) -> None:
    def moved(link: re.Match[str]) -> str:
        there = (source.parent / link[2]).resolve()
        if there.is_relative_to(root / "docs"):
            page = folder / there.relative_to(root / "docs")
        elif there.parent == root and there.name in PAGES:
            page = folder / PAGES[there.name]
        else:
            raise SystemExit(
                f"{source}: {link[2]} is not a page of the site. Link to a document, or name the "
                f"file without a link."
            )
        return f"{link[1]}{Path(relpath(page, target.parent)).as_posix()}{link[3]}"

    target.write_text(_LINK.sub(moved, source.read_text(encoding="utf-8")), encoding="utf-8")
