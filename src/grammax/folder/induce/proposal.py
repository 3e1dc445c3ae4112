"""Induce a grammar from a folder's pairs, and measure it on the logical forms of every split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

from grammax.errors import GrammarError, GrammaxError, Location, Problem
from grammax.folder.coverage import Coverage, coverage, refused
from grammax.folder.data import Line, read_pairs
from grammax.folder.domain import exact_automaton
from grammax.folder.induce.rules import induce
from grammax.folder.induce.trees import NoTree, is_prefix, tree
from grammax.folder.settings import Settings
from grammax.grammar import Grammar


@final
@dataclass(frozen=True, slots=True)
class Proposal:
    """An induced grammar."""

    text: str
    exact: str  # the automaton that it was measured with: "lr", or "glr" if it is not LR(1)
    splits: Mapping[str, Coverage]
    problems: tuple[Problem, ...]  # training pairs that it does not accept, normally none


def propose(settings: Settings) -> Proposal:
    """A grammar induced from the training pairs; `GrammarError` lists the lines without a tree."""
    present = (name for name in settings.splits if name == "train" or settings.path(name).exists())
    lines = {name: _lines(settings, name) for name in present}
    text = induce([line.pair.tokens for line in lines["train"]])
    exact, automaton = exact_automaton(Grammar.read(text))
    problems, _ = refused(lines["train"], settings.path("train"), automaton)
    measured = {
        name: coverage([line.pair.tokens for line in some], automaton)
        for name, some in lines.items()
    }
    return Proposal(text, exact, measured, tuple(problems))


def without_tree(lines: Sequence[Line], path: Path) -> list[Problem]:
    """A problem for each line whose logical form has no tree, so that nothing can be induced."""
    prefix = is_prefix([line.pair.tokens for line in lines])
    problems = []
    for number, pair in lines:
        try:
            tree(pair.tokens, prefix)
        except NoTree as error:
            problems.append(Problem("lf", str(error), "", Location(str(path), number, 1)))
    return problems


def _lines(settings: Settings, split: str) -> list[Line]:
    if settings.notation == "sql":
        raise GrammaxError(
            f"the grammar of {settings.folder} comes from its schema, and nothing is induced: "
            f"`grammax new DIR --sql` writes it, with the pairs and the schema."
        )
    path = settings.path(split)
    lines, problems = read_pairs(path, settings.notation)
    problems += without_tree(lines, path) if split == "train" else []
    if problems:
        raise GrammarError(problems)
    return lines
