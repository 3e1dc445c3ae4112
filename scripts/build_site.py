"""Build the site into `build/site/html`, without a warning: `make docs` runs this.

It needs the extras `cli` and `docs`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from website import commands, documents

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ROOT / "build" / "site" / "docs"


def main() -> None:
    documents.stage(ROOT, DOCUMENTS)
    (DOCUMENTS / "reference" / "command-line.md").write_text(commands.page(), encoding="utf-8")
    run = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    sys.exit(subprocess.run(run, cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
