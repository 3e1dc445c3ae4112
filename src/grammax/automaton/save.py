"""Save and load automata: files are versioned, carry a checksum, and contain data only.

A file is the line `grammax automaton`, a line of JSON (version, sizes, checksum), and JSON
compressed by zlib: the vocabulary, and the tables of the engine. Nothing is ever executed on
loading.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.earley import EarleyEngine
from grammax.automaton.finite.dfa import Dfa
from grammax.automaton.finite.engine import FiniteEngine
from grammax.automaton.glr.engine import GlrEngine
from grammax.automaton.lr.engine import LrEngine
from grammax.automaton.lr.tables import LrTables
from grammax.automaton.networks.subsets import SubsetEngine
from grammax.automaton.networks.unrolled import UnrolledEngine
from grammax.errors import FileFormatError, GrammaxError
from grammax.files import write_atomic
from grammax.grammar.productions import Productions
from grammax.vocabulary import NOTHING, Vocabulary

_MAGIC = b"grammax automaton\n"
_VERSION = 1
_HEADER_BYTES = 1000


def save_automaton(automaton: BoundAutomaton[Any], path: str | Path) -> None:
    """Write an automaton and its vocabulary; an existing file is replaced atomically."""
    vocabulary = automaton.vocabulary
    content = {
        "engine": engine_to_data(automaton.engine),
        "kinds": [[kind, vocabulary.tokens_of(n)] for n, kind in enumerate(vocabulary.kinds)],
        "layout": vocabulary.layout,
    }
    if vocabulary.fragments or NOTHING in vocabulary.tokens:
        content["rows"] = vocabulary.tokens  # they do not follow from the layout
    body = zlib.compress(json.dumps(content, ensure_ascii=False).encode(), 6)
    header = {"version": _VERSION, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    write_atomic(Path(path), _MAGIC + json.dumps(header).encode() + b"\n" + body)


def load_automaton(path: str | Path) -> BoundAutomaton[Any]:
    """Read an automaton; `FileFormatError` if the file is truncated, foreign or newer."""
    path = Path(path)
    content = _content(path, path.read_bytes())
    try:
        kinds = {kind: tuple(tokens) for kind, tokens in content["kinds"]}
        if "rows" in content:
            vocabulary = Vocabulary.in_order(kinds, content["rows"])
        else:
            vocabulary = Vocabulary(kinds, content["layout"])
        return BoundAutomaton(engine_from_data(content["engine"]), vocabulary)
    except (KeyError, IndexError, TypeError, ValueError, GrammaxError) as error:
        raise FileFormatError(
            f"{path} is a grammax automaton, but its content does not fit together ({error!r}). "
            f"Compile the grammar and save it again."
        ) from None


def _content(path: Path, data: bytes) -> Any:
    if not data.startswith(_MAGIC):
        raise FileFormatError(
            f"{path} is not a grammax automaton: it does not begin with {_MAGIC.decode().strip()!r}"
        )
    end = data.find(b"\n", len(_MAGIC), len(_MAGIC) + _HEADER_BYTES)
    try:
        header = json.loads(data[len(_MAGIC) : end]) if end > 0 else {}
    except (ValueError, RecursionError):
        header = {}
    if not isinstance(header, dict):
        header = {}
    version, size = header.get("version"), header.get("bytes")
    if not isinstance(version, int):
        raise FileFormatError(f"{path} is truncated: its second line is not whole")
    if version > _VERSION:
        raise FileFormatError(
            f"{path} was written by a newer release (format {version}; this one reads up to "
            f"{_VERSION}). Upgrade grammax, or compile the grammar again."
        )
    if not isinstance(size, int):
        raise FileFormatError(f"{path} is damaged: its second line does not say how long it is")
    body = data[end + 1 :]
    if len(body) != size:
        raise FileFormatError(f"{path} is truncated: {len(body):,} of {size:,} bytes are there")
    if hashlib.sha256(body).hexdigest() != header.get("sha256"):
        raise FileFormatError(f"{path} is damaged: its checksum does not match its content")
    try:
        return json.loads(zlib.decompress(body))
    except (ValueError, RecursionError, zlib.error):
        raise FileFormatError(f"{path} is damaged: its content cannot be read") from None


def engine_to_data(engine: Any) -> dict[str, Any]:
    """The tables of an engine, as values that JSON can hold."""
    match engine:
        case FiniteEngine():
            dfa = engine.dfa
            arcs = [list(out.items()) for out in dfa.arcs]
            return {"way": "finite", "name": engine.name, "arcs": arcs, "final": [*dfa.final]}
        case UnrolledEngine():
            productions = _productions_to_data(engine.productions)
            return {"way": "unrolled", "depth": engine.depth, "productions": productions}
        case SubsetEngine():
            return {"way": "subsets", "productions": _productions_to_data(engine.productions)}
        case EarleyEngine():
            return {"way": "earley", "productions": _productions_to_data(engine.productions)}
        case GlrEngine():
            return {"way": "glr", "productions": _productions_to_data(engine.productions)}
        case LrEngine():
            tables = engine.tables
            rows = {id(row): row for row in tables.shift}  # states share them
            index_of = {row: index for index, row in enumerate(rows)}
            return {
                "way": "lr",
                "productions": _productions_to_data(tables.productions),
                "rows": [list(row.items()) for row in rows.values()],
                "shift": [index_of[id(row)] for row in tables.shift],
                "goto": [list(out.items()) for out in tables.goto],
                "reductions": [[[r, f"{ahead:x}"] for r, ahead in of] for of in tables.reductions],
                "kernels": tables.kernels,
                "method": tables.method,
            }
    raise TypeError(
        f"{type(engine).__name__} cannot be saved; finite, unrolled, lr, glr and earley can"
    )


def engine_from_data(data: dict[str, Any]) -> Any:
    """The engine of such tables; of other data a ValueError, LookupError or TypeError."""
    match data["way"]:
        case "finite":
            arcs = tuple(map(dict, data["arcs"]))
            return FiniteEngine(Dfa(arcs, frozenset(data["final"])), data["name"])
        case "unrolled":
            return UnrolledEngine(_productions_from_data(data["productions"]), data["depth"])
        case "subsets":
            return SubsetEngine(_productions_from_data(data["productions"]))
        case "earley":
            return EarleyEngine(_productions_from_data(data["productions"]))
        case "glr":
            return GlrEngine(_productions_from_data(data["productions"]))
        case "lr":
            rows = [dict(row) for row in data["rows"]]
            tables = LrTables(
                _productions_from_data(data["productions"]),
                tuple(rows[index] for index in data["shift"]),
                tuple(map(dict, data["goto"])),
                tuple(tuple((r, int(bits, 16)) for r, bits in of) for of in data["reductions"]),
                tuple(tuple((rule, dot) for rule, dot in kernel) for kernel in data["kernels"]),
                data["method"],
            )
            return LrEngine(tables)
    raise ValueError(f"the way {data['way']!r} is unknown")


def _productions_to_data(productions: Productions) -> dict[str, Any]:
    return {
        "kinds": productions.kinds,
        "names": productions.names,
        "rules": productions.rules,
        "start": productions.start,
    }


def _productions_from_data(data: dict[str, Any]) -> Productions:
    return Productions(
        data["kinds"],
        tuple(data["names"]),
        tuple((left, tuple(right)) for left, right in data["rules"]),
        data["start"],
    )
