"""Documents are true to the files: links resolve, and blocks of code are what they are marked as.

What the code of a page prints is tested where it runs: the README in `test_examples.py`, the
tutorials in `test_tutorial.py` and `test_own_model.py`.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import pytest
import typer.main

from grammax.cli.app import app

ROOT: Final = Path(__file__).parents[1]
DOCUMENTS: Final = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
)
RUN_ELSEWHERE: Final = {"README.md"}  # documents with `>>>`, and who runs them: see above

FENCE: Final = re.compile(r"^( *)(```+)(\w*)[^\n]*\n(.*?)^\1\2 *$", re.DOTALL | re.MULTILINE)
LINK: Final = re.compile(r"\]\(\s*<?([^()\s<>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HEADING: Final = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
ID: Final = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")
LANGUAGES: Final = {"", "console", "ini", "json", "nginx", "python", "sh", "text", "toml", "yaml"}


@cache
def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def prose(text: str) -> str:
    """A document without its blocks of code, and without code in back-ticks."""
    return re.sub(r"`[^`\n]+`", "", FENCE.sub("", text))


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and the site make it.

    >>> slug("6. Train it for this table, if `need` be")
    '6-train-it-for-this-table-if-need-be'
    """
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.replace("`", ""))
    return re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")


def anchors(text: str) -> set[str]:
    headings = [slug(found) for found in HEADING.findall(FENCE.sub("", text))]
    repeated = {
        f"{name}-{headings[:at].count(name)}" if name in headings[:at] else name
        for at, name in enumerate(headings)
    }
    return repeated | set(ID.findall(text))


def broken_links(document: Path, text: str) -> Iterator[str]:
    for link in LINK.findall(prose(text)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (document.parent / unquote(name)).resolve() if name else document
        if not target.exists():
            yield f"{link}: there is no file {name}"
        elif not target.is_relative_to(ROOT):
            yield f"{link}: outside the repository"
        elif anchor:
            there = anchors(text if target == document else text_of(target))
            if anchor not in there:
                yield f"{link}: the anchors of {target.name} are {', '.join(sorted(there))}"


def blocks(text: str, *languages: str) -> Iterator[str]:
    for _, _, language, body in FENCE.findall(text):
        if language in languages:
            yield body


def each_document() -> list[object]:
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in DOCUMENTS]


@pytest.mark.parametrize("document", each_document())
def test_links_lead_to_files_and_headings(document: Path) -> None:
    assert list(broken_links(document, text_of(document))) == []


def test_a_broken_link_is_noticed() -> None:
    page = DOCUMENTS[0].parent / "docs" / "page.md"
    text = "# One\n## One\n[a](../README.md) [b](#one-1) [c](performance.md#latency-of-the-runtime)"
    assert list(broken_links(page, text)) == []
    wrong = "# One\n[a](missing.md) [b](#two) [c](performance.md#one)\n```\n[d](not-a-link.md)\n```"
    assert [found.split(":")[0] for found in broken_links(page, wrong)] == [
        "missing.md", "#two", "performance.md#one",
    ]  # fmt: skip


@pytest.mark.parametrize("document", each_document())
def test_blocks_of_code_are_in_the_language_that_they_name(document: Path) -> None:
    text = text_of(document)
    assert text.count("```") % 2 == 0
    assert {language for _, _, language, _ in FENCE.findall(text)} <= LANGUAGES
    for code in blocks(text, "python"):
        if ">>>" not in code:
            ast.parse(code, document.name)
    for code in blocks(text, "toml"):
        tomllib.loads(code)
    for code in blocks(text, "json"):
        json.loads(code)
    for code in blocks(text, "sh"):
        done = subprocess.run(["bash", "-n"], input=code, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("document", each_document())
def test_examples_with_prompts_are_run_by_a_test(document: Path) -> None:
    if ">>>" in text_of(document):
        assert str(document.relative_to(ROOT)) in RUN_ELSEWHERE


def wrong_commands(text: str) -> Iterator[str]:
    """The `grammax` commands of a document with a name or an option that does not exist."""
    for code in blocks(text, "sh"):
        for line in code.replace("\\\n", " ").splitlines():
            for words in _commands(line) if "grammax " in line else ():
                if words[:1] == ["grammax"] and (problem := _problem(words[1:])):
                    yield f"{shlex.join(words)}: {problem}"


def _commands(line: str) -> Iterator[list[str]]:
    """The simple commands of a line of shell, without what is redirected."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="();<>|&$")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word and set(word) <= set("();|&"):
            yield words
            words = []
        else:
            words.append(word)


def _problem(arguments: list[str]) -> str | None:
    """The command or the option that the command line does not have; None if all is there."""
    command: Any = typer.main.get_command(app)
    context, path = command.make_context("grammax", [], resilient_parsing=True), ""
    while hasattr(command, "list_commands") and arguments and not arguments[0].startswith("-"):
        found = command.get_command(context, arguments[0])
        if found is None:
            return f"no command {arguments[0]!r} of {path or 'grammax'}"
        path, command, arguments = arguments[0], found, arguments[1:]
    options = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    given = [word.partition("=")[0] for word in arguments if re.match("--?[a-zA-Z]", word)]
    unknown = [option for option in given if option not in options | {"--help", "--version"}]
    return f"no option {unknown[0]} of {path}" if unknown else None


@pytest.mark.parametrize("document", each_document())
def test_commands_and_their_options_exist(document: Path) -> None:
    assert list(wrong_commands(text_of(document))) == []


def test_a_command_or_an_option_that_does_not_exist_is_noticed() -> None:
    good = "grammax ask films.csv 'the longest' --sql && grammax serve films --port 1 2> log &"
    assert list(wrong_commands(f"```sh\n{good}\n```\n")) == []
    for wrong in ("grammax answer films.csv", "grammax serve films --prot 1 &", "x | grammax asks"):
        assert len(list(wrong_commands(f"```sh\n{wrong}\n```\n"))) == 1


SITE: Final = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]


def pages(nav: Any) -> Iterator[str]:
    """The pages of a navigation, which is nested lists and tables."""
    if isinstance(nav, str):
        yield nav
    else:
        for inner in nav.values() if isinstance(nav, dict) else nav:
            yield from pages(inner)


def test_the_navigation_of_the_site_names_every_document_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    from website import documents

    documents.stage(ROOT, tmp_path / "docs")
    staged = {str(path.relative_to(tmp_path / "docs")) for path in tmp_path.rglob("*.md")}
    named = list(pages(SITE["nav"]))
    assert len(named) == len(set(named))
    assert set(named) == staged | {"reference/command-line.md"}  # which `--help` makes


def test_the_reference_has_every_public_name() -> None:
    import grammax

    shown = {
        heading or name
        for page in ROOT.glob("docs/reference/*.md")
        for name, heading in re.findall(
            r"^::: (\S+)(?:\n    options:\n      heading: (\S+))?", text_of(page), re.MULTILINE
        )
    }
    assert {f"grammax.{name}" for name in grammax._LAZY} <= shown


def test_a_link_that_the_site_does_not_have_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    from website import documents

    (tmp_path / "docs").mkdir()
    (tmp_path / "CHANGELOG.md").write_text("[a](docs/a.md#b) [web](https://x.org)")
    (tmp_path / "docs" / "a.md").write_text("[c](../CHANGELOG.md) ![d](d.png)")
    documents.stage(tmp_path, tmp_path / "staged")
    assert (tmp_path / "staged" / "changelog.md").read_text() == "[a](a.md#b) [web](https://x.org)"
    assert (tmp_path / "staged" / "a.md").read_text() == "[c](changelog.md) ![d](d.png)"
    (tmp_path / "docs" / "a.md").write_text("[code](../src/code.py)")
    with pytest.raises(SystemExit, match="is not a page of the site"):
        documents.stage(tmp_path, tmp_path / "staged")


def test_the_drawings_show_what_the_package_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import draw_explanation

    for name, drawing in draw_explanation.drawings().items():
        assert (ROOT / "docs" / "how-it-works" / name).read_text(encoding="utf-8") == drawing
