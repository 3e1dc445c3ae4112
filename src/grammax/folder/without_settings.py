"""What a folder without a `domain.toml` has, and which command comes next, as a message."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from grammax.language.pair_files import SCHEMA_FILE, TABLES, is_language, pair_files
from grammax.text import did_you_mean, nearest

_SETTINGS: Final = "domain.toml"


def near_folders(folder: Path) -> tuple[str, ...]:
    """Folders of domains beside a missing one that are called nearly like it."""
    try:
        named = {path.name: path for path in folder.parent.iterdir()}
    except OSError:
        return ()
    found = nearest(folder.name, named, count=6)
    return tuple(str(named[name]) for name in found if (named[name] / _SETTINGS).is_file())


def what_to_do(folder: Path) -> str:
    """What a folder without settings is, and the next command, in a sentence or two."""
    if not folder.exists():
        meant = did_you_mean(near_folders(folder), sentence=True)
        return (
            f"there is no folder {folder}. {meant}{' ' * bool(meant)}`grammax new {folder}` writes "
            f"an example of a domain there; with pairs of your own, make the folder, put them into "
            f"it as train.tsv, and run the same command."
        )
    if not folder.is_dir():
        return (
            f"{folder} is a file, not the folder of a domain. Put pairs into a folder as train.tsv "
            f"and run `grammax new` on that."
        )
    if (folder / SCHEMA_FILE).is_file():
        return (
            f"{folder} is not a domain but describes a table: it has a {SCHEMA_FILE} and no "
            f'{_SETTINGS}. `grammax ask {folder} "..."` and `grammax train {folder}` use it.'
        )
    if is_language(folder):
        grammars = [path.name for path in folder.glob("*.lark")]
        has = " and ".join(filter(None, (", ".join(pair_files(folder).values()), *grammars[:1])))
        then = f", then `grammax grammar induce {folder}` proposes a grammar"
        return (
            f"{folder} is not a domain yet: it has {has or 'tables of tokens'} but no {_SETTINGS}. "
            f"`grammax new {folder}` writes one for these files{'' if grammars else then}."
        )
    if any(path.name.lower().endswith(TABLES) for path in folder.iterdir()):
        return (
            f'{folder} is not a domain but has tables: `grammax ask {folder} "..."` asks them. For '
            f"a language of your own, put pairs there as train.tsv; `grammax new {folder}` then "
            f"writes the missing {_SETTINGS}, and leaves existing files unchanged."
        )
    writes = f"a {_SETTINGS} for the files there" if any(folder.iterdir()) else "an example"
    return (
        f"{folder} is not a domain: {_SETTINGS} is missing; nor has it CSV or Parquet files to ask "
        f"about. `grammax new {folder}` writes {writes}."
    )
