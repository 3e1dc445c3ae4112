"""The order of a catalogue's rows and its LR tables for decoding, compiled once and then stored.

Compiling three grammars takes longer than everything else between a process's start and its first
query. The result depends on the types of fields and on the code that compiles, not on values. It is
stored as JSON in the cache folder, after a checksum, under a digest of both; where that is not
possible, or the file is damaged, the grammars are compiled again.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from grammax.automaton.lr.engine import LrEngine
from grammax.automaton.save import engine_from_data, engine_to_data
from grammax.errors import GrammaxError
from grammax.files import cache_folder, replacing
from grammax.tables import grammar as rules_of
from grammax.tables.lexicon import Lexicon
from grammax.vocabulary.layout import arrange

_ENTRIES: Final = 20  # files that are not removed, the newest
_FOLDER: Final = "grammars"
_LOGGER: Final = logging.getLogger("grammax.cache")
_CODE: Final = ("grammar", "automaton", "automaton/lr", "vocabulary", "tables")


class CompiledGrammars(NamedTuple):
    """The order of the kinds, for `Vocabulary`, and the engine of the grammar `filled`."""

    layout: tuple[int, ...]
    filled: LrEngine


def compiled_grammars(lexicon: Lexicon) -> CompiledGrammars:
    """The grammars of a lexicon, read if they are stored, else compiled and stored."""
    try:
        path = cache_folder() / _FOLDER / f"{_digest(lexicon)}.json"
        found = _read(path)
        if found is None:
            found = compile_grammars(lexicon)
            _write(path, found)
    except (OSError, GrammaxError):  # there is no cache
        return compile_grammars(lexicon)
    return found


def compile_grammars(lexicon: Lexicon) -> CompiledGrammars:
    """The rows are laid out for the sets that the exact grammars permit, first for decoding."""
    ways = ((True, False), (False, False), (True, True))
    rules = [rules_of.grammar(lexicon, typed, filled) for typed, filled in ways]
    engines = [LrEngine.from_grammar(grammar) for grammar in rules]
    sets = chain.from_iterable(engine.likely_sets() for engine in engines)
    return CompiledGrammars(arrange(len(rules[0].kinds), sets), engines[-1])


def _digest(lexicon: Lexicon) -> str:
    """A digest of all that the grammars depend on: types and kinds, and the code."""
    digest = blake2b(_code(), digest_size=12)
    numbers = [replace(number, fields=()) for number in lexicon.numbers]
    enums = [(enum.name, enum.ordered, enum.searched) for enum in lexicon.enums]
    kinds = list(rules_of.kinds(lexicon))
    texts = [(text.name, text.searched) for text in lexicon.texts]
    parts = (enums, numbers, texts, lexicon.unit_kind, lexicon.history, kinds)
    digest.update(repr(parts).encode())
    return digest.hexdigest()


@cache
def _code() -> bytes:
    """A digest of the modules that compile."""
    digest = blake2b(digest_size=12)
    root = Path(__file__).parents[1]
    for folder in _CODE:
        for module in sorted((root / folder).glob("*.py")):
            digest.update(module.read_bytes())
    return digest.digest()


def _read(path: Path) -> CompiledGrammars | None:
    try:
        checksum, _, content = path.read_bytes().partition(b"\n")
        if int(checksum) != crc32(content):
            raise ValueError("the checksum is another")
        data = json.loads(content)
        engine = engine_from_data(data["filled"])
        layout = tuple(data["layout"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        _LOGGER.warning("%s cannot be used and is compiled again: %s", path, error)
        return None
    return CompiledGrammars(layout, engine) if isinstance(engine, LrEngine) else None


def _write(path: Path, found: CompiledGrammars) -> None:
    data = {"layout": found.layout, "filled": engine_to_data(found.filled)}
    path.parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps(data).encode()
    with replacing(path) as scratch:
        scratch.write_bytes(b"%d\n" % crc32(content) + content)
    stored = [(other.stat().st_mtime, other) for other in path.parent.glob("*.json")]
    for _, other in sorted(stored)[:-_ENTRIES]:
        other.unlink(missing_ok=True)
