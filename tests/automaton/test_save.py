"""Saving and loading: the same automaton comes back, and a bad file is told apart."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import grammax
from grammax.automaton import BoundAutomaton, load_automaton, save_automaton
from grammax.errors import FileFormatError
from grammax.grammar import Grammar, Sampler

GRAMMAR = Grammar.read(
    """
    start: "[" [value ("," value)*] "]"
    value: start | NUMBER | "é 日本"
    NUMBER: "0".."9"
    """
)
WAYS: dict[str, Callable[[Grammar], BoundAutomaton]] = {
    "superset": grammax.superset,
    "unrolled": lambda grammar: grammax.unrolled(grammar, 2),
    "lr": grammax.lr,
    "glr": grammax.glr,
    "earley": grammax.earley,
}


@pytest.fixture(params=WAYS)
def automaton(request: pytest.FixtureRequest) -> BoundAutomaton:
    return WAYS[request.param](GRAMMAR)


def test_what_was_saved_loads_as_it_was(automaton: BoundAutomaton, tmp_path: Path) -> None:
    save_automaton(automaton, tmp_path / "saved")
    loaded = load_automaton(tmp_path / "saved")
    assert loaded.name == automaton.name
    assert loaded.vocabulary.tokens == automaton.vocabulary.tokens
    sampler, random = Sampler(GRAMMAR), Random(0)
    for _ in range(30):
        before, after = automaton.start, loaded.start
        for token in sampler.draw(random):
            assert loaded.next_tokens(after).spans == automaton.next_tokens(before).spans
            assert loaded.tokens_to_accept(after) == automaton.tokens_to_accept(before)
            before = automaton.pass_token(before, token)
            after = loaded.pass_token(after, token)
        assert loaded.accepts(after)


def test_the_layout_of_rows_is_kept(tmp_path: Path) -> None:
    vocabulary = grammax.Vocabulary(GRAMMAR.kinds, tuple(reversed(range(len(GRAMMAR.kinds)))))
    save_automaton(grammax.lr(GRAMMAR, vocabulary), tmp_path / "saved")
    assert load_automaton(tmp_path / "saved").vocabulary.layout == vocabulary.layout


def test_every_truncation_is_a_clear_error(automaton: BoundAutomaton, tmp_path: Path) -> None:
    path = tmp_path / "saved"
    save_automaton(automaton, path)
    whole = path.read_bytes()
    for length in [*range(120), len(whole) // 2, len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(FileFormatError, match=r"truncated|not a grammax automaton"):
            load_automaton(path)


def test_a_flipped_bit_is_noticed(automaton: BoundAutomaton, tmp_path: Path) -> None:
    path = tmp_path / "saved"
    save_automaton(automaton, path)
    data = bytearray(path.read_bytes())
    data[-5] ^= 4
    path.write_bytes(bytes(data))
    with pytest.raises(FileFormatError, match="damaged"):
        load_automaton(path)


@pytest.mark.parametrize("content", [b"", b"\x80\x04\x95", b"PK\x03\x04", b'start: "x"\n'])
def test_a_foreign_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="is not a grammax automaton"):
        load_automaton(path)


def test_a_newer_file_says_which_formats_are_read(tmp_path: Path) -> None:
    path = tmp_path / "newer"
    header = json.dumps({"version": 2, "something": "new"}).encode()
    path.write_bytes(b"grammax automaton\n" + header + b"\nxyz")
    with pytest.raises(FileFormatError, match=r"newer release .format 2; this one reads up to 1"):
        load_automaton(path)


def test_content_that_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    import hashlib
    import zlib

    path = tmp_path / "crafted"
    engine = {"way": "finite", "name": "x", "arcs": [[[0, 9]]], "final": [0]}
    body = zlib.compress(
        json.dumps({"engine": engine, "kinds": [["A", ["a"]]], "layout": [0]}).encode()
    )
    header = {"version": 1, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    path.write_bytes(b"grammax automaton\n" + json.dumps(header).encode() + b"\n" + body)
    with pytest.raises(FileFormatError, match="does not fit together"):
        load_automaton(path)


@pytest.mark.parametrize("header", [{}, {"bytes": "3"}, {"bytes": None}])
def test_a_header_without_its_length_is_refused(header: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "damaged"
    content = json.dumps({"version": 1, **header}).encode()
    path.write_bytes(b"grammax automaton\n" + content + b"\nxyz")
    with pytest.raises(FileFormatError, match="does not say how long it is"):
        load_automaton(path)


def test_content_that_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    import hashlib
    import zlib

    path, body = tmp_path / "deep", zlib.compress(b"[" * 5_000)
    header = {"version": 1, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    path.write_bytes(b"grammax automaton\n" + json.dumps(header).encode() + b"\n" + body)
    with pytest.raises(FileFormatError, match="cannot be read"):
        load_automaton(path)


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "saved"
    save_automaton(grammax.lr(GRAMMAR), path)
    before = path.read_bytes()

    def no_space(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        save_automaton(grammax.earley(GRAMMAR), path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["saved"]


def test_the_rows_of_another_model_are_kept(tmp_path: Path) -> None:
    tokens = [token for kind in GRAMMAR.kinds.values() for token in kind]
    rows = ["<end>", *tokens[::2], "<pad>", *tokens[1::2]]
    vocabulary = grammax.Vocabulary.in_order(GRAMMAR.kinds, rows)
    save_automaton(grammax.exact(GRAMMAR, vocabulary), tmp_path / "saved")
    loaded = load_automaton(tmp_path / "saved")
    assert loaded.vocabulary.tokens == vocabulary.tokens
    assert loaded.next_tokens(loaded.start).ids.tolist() == [rows.index("[")]
