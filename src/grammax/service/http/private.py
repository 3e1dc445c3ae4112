"""Paths of the server, which errors of files name, are no business of clients: they see file names.

The log has the whole text.
"""

from __future__ import annotations

import re
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from grammax.errors import GrammaxError
from grammax.files import cache_folder, data_folder
from grammax.service.settings import Settings

_private: Final[set[str]] = set()
_SHORTEST: Final = 4  # "/" and "/a" begin other texts, too


def hide_folders(settings: Settings) -> None:
    """Hide the folders of the service's files from now on."""
    given = [settings.domain, settings.model, settings.tables, settings.audit]
    paths = [Path(name).expanduser().absolute() for name in given if name and "://" not in name]
    paths += [settings.catalogue_path.absolute(), settings.corrections_path.absolute()]
    folders = {path.parent for path in paths}
    folders |= {data_folder(), Path(tempfile.gettempdir()), Path.cwd(), Path(__file__).parents[3]}
    with suppress(GrammaxError):  # no folder can be written to
        folders.add(cache_folder())
    with suppress(RuntimeError):  # a user without a home directory
        folders.add(Path.home())
    for folder in folders:
        for each in (str(folder), str(folder.resolve())):
            if len(each) >= _SHORTEST:
                _private.add(each)


def without_paths(text: str) -> str:
    """A text in which the paths of files in private folders are their names.

    >>> _private.add("/srv/films")
    >>> without_paths("The file '/srv/films/deep/ratings.csv' is missing.")
    "The file 'ratings.csv' is missing."
    """
    if not any(folder in text for folder in _private):
        return text
    listed = "|".join(re.escape(folder) for folder in sorted(_private, key=len, reverse=True))
    return re.sub(rf"(?:{listed})(?:[\\/][^\\/\s'\"]+)*[\\/]?", _name, text)


def _name(found: re.Match[str]) -> str:
    return re.split(r"[\\/]", found[0].rstrip("\\/"))[-1]
