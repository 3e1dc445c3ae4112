"""Makes a SQLite file of the statements in `library.sql`: `python make_database.py FILE`."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path


def make(database: Path) -> None:
    """Write the library into a new SQLite file."""
    if database.exists():
        sys.exit(f"{database} exists already: remove it, or choose another name")
    statements = (Path(__file__).parent / "library.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(statements)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    make(Path(sys.argv[1]))
