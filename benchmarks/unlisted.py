"""Right, abstained, or wrong without warning, with the lists of the training pairs alone.

Each set becomes a folder as a user would make it of its training pairs: a grammar that `grammax
grammar induce` proposes, whose lists have the tokens of these pairs and no others, and the kinds
that it says queries could fill, in `[filled]`. A model is trained and calibrated as `grammax train`
does. So a test query may name what no list has, and some test forms cannot be expressed at all
(benchmarks/expressible.py counts them): there a parser should abstain. Nothing is taken from test
pairs. Trainings are kept in build/unlisted; one takes some minutes. --alone leaves `[filled]` out.

python benchmarks/unlisted.py [--quick] [--json] [--errors] [--sets geo/funql] [--seeds 3] [--alone]
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from expressible import SETS, is_expressed, pairs_of
from report import Claim, Options, Row, at_most, progress, run

import grammax
from grammax.files import write_atomic
from grammax.folder import FolderDomain, read_folder
from grammax.folder.fillable import setting_lines
from grammax.folder.induce import propose
from grammax.folder.settings import read_settings
from grammax.grammar import Grammar
from grammax.language.domain import Pair
from grammax.parser import Parsed
from grammax.training.run import CHECKPOINT, MODEL, Run, default_model, training_config

ROOT = Path(__file__).parents[1]
CHOSEN = ("geo/funql", "jobs/funql", "overnight/housing")
ANY_ORDER: Mapping[str, Sequence[str]] = {
    "geo/lambda": ("and:<t*,t>", "or:<t*,t>"),
    "jobs/lambda": ("and", "or"),
}
NESTED: Mapping[str, Sequence[str]] = dict.fromkeys(
    (name for name in SETS if name.startswith("overnight/")), ("call SW.filter",)
)
QUICK_EPOCHS, QUICK_PAIRS = 5, 5  # one of so many pairs


class Outcome(NamedTuple):
    """A test pair, its reading, and whether that is right or could have been."""

    pair: Pair
    parsed: Parsed
    right: bool
    expressible: bool

    @property
    def wrong_without_warning(self) -> bool:
        """An answer to another question, as if it were sure."""
        return not self.right and not self.parsed.abstains


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """One row for each set and seed."""
    given, rows = options.given, list[Row]()
    epochs = QUICK_EPOCHS if options.quick else given.epochs
    sets = given.sets[:1] if options.quick else given.sets
    together: list[Outcome] = []
    for name in sets:
        folder = written(name, given.data, options.quick, given.alone)
        domain = read_folder(folder)
        for seed in range(1 if options.quick else given.seeds):
            found = outcomes(domain, trained(domain, seed, epochs))
            rows.append(shares(f"{name}, seed {seed}", found))
            together += found
            if given.errors:
                show(found)
    progress("")
    rows.append(shares("all", together))
    wrong = float(str(rows[-1]["wrong, no warning"]))
    return rows, [at_most("wrong without warning, of all", wrong, 0.08, "")]


def written(name: str, data: Path, quick: bool, alone: bool = False) -> Path:
    """The folder of a set: its pairs, the grammar that is induced from them, and `[filled]`."""
    file, notation = SETS[name]
    called = name.replace("/", "-") + ("-alone" if alone else "")
    folder = ROOT / "build" / "unlisted" / ("quick" if quick else "") / called
    folder.mkdir(parents=True, exist_ok=True)
    every = QUICK_PAIRS if quick else 1
    for split in ("train", "test"):
        lines = (data / file.format(split)).read_bytes().splitlines(keepends=True)
        write_atomic(folder / f"{split}.tsv", b"".join(lines[::every]))
    order = ", ".join(f'"{head}"' for head in ANY_ORDER.get(name, ()))
    nested = ", ".join(f'"{begin}"' for begin in NESTED.get(name, ()))
    settings = f'name = "set"\nnotation = "{notation}"\nany_order = [{order}]\n'
    settings += f"nested_any_order = [{nested}]\n[splits]\n"
    settings += 'train = "train.tsv"\n'  # nothing is induced from the other split
    write_atomic(folder / "domain.toml", settings.encode())
    grammar = propose(read_settings(folder)).text
    write_atomic(folder / "grammar.lark", grammar.encode())
    filled = setting_lines(Grammar.read(grammar), pairs_of(folder / "train.tsv", notation))
    more = "" if alone else "\n".join(["[filled]", *filled, ""])
    write_atomic(folder / "domain.toml", f'{settings}test = "test.tsv"\n{more}'.encode())
    return folder


def trained(domain: FolderDomain, seed: int, epochs: int | None) -> Path:
    """The calibrated model of a seed; a training that was interrupted goes on."""
    path = domain.folder / f"seed-{seed}"
    if (path / MODEL).exists():
        return path / MODEL
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if (path / CHECKPOINT).exists():
            training = Run.resume(path, domain)
        else:
            config = replace(training_config(domain), seed=seed)
            config = replace(config, epochs=epochs or config.epochs)
            model = default_model(domain, config)
            training = Run.new(path, domain, model, config)
        where, total = f"{domain.folder.name}, seed {seed}", training.trainer.config.epochs
        training.train_epochs(
            finished=lambda epoch: progress(f"{where}: epoch {epoch.number} of {total}")
        )
        return training.finish(lambda stage: progress(f"{where}: {stage}"))


def outcomes(domain: FolderDomain, model: Path) -> list[Outcome]:
    """The readings of all test queries."""
    found = []
    with warnings.catch_warnings(), grammax.load(str(domain.folder), model=model) as parser:
        warnings.simplefilter("ignore")
        for pair in domain.pairs("test"):
            parsed = parser.parse(pair.query, offer=False)
            right = domain.same(parsed.tokens, pair.tokens)
            found.append(Outcome(pair, parsed, right, is_expressed(domain, pair)))
    return found


def shares(name: str, found: Sequence[Outcome]) -> Row:
    """One row of the table; shares of all test pairs, but for the last."""
    cannot = [each for each in found if not each.expressible]
    return {
        "name": name,
        "pairs": len(found),
        "right": _share(each.right for each in found),
        "right, answered": _share(each.right and not each.parsed.abstains for each in found),
        "abstained": _share(each.parsed.abstains for each in found),
        "wrong, no warning": _share(each.wrong_without_warning for each in found),
        "not expressible": _share(not each.expressible for each in found),
        "of these abstained": _share(each.parsed.abstains for each in cannot) if cannot else "",
    }


def show(found: Sequence[Outcome]) -> None:
    """Print what is wrong without warning on stderr."""
    for each in found:
        if each.wrong_without_warning:
            read, meant = each.parsed.lf, " ".join(each.pair.tokens)
            can = "" if each.expressible else "   (cannot be expressed)"
            print(
                f"{each.pair.query}\n    read  {read}   [{each.parsed.confidence:.2f}]\n"
                f"    meant {meant}{can}",
                file=sys.stderr,
            )


def _share(hits: Iterable[bool]) -> float:
    found = list(hits)
    return sum(found) / max(1, len(found))


def _arguments(parser: argparse.ArgumentParser) -> None:
    root = os.environ.get("GRAMMAX_DATA", "data")
    parser.add_argument("--sets", nargs="+", default=list(CHOSEN), choices=list(SETS))
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="models of each [1]")
    parser.add_argument("--data", type=Path, default=Path(root), metavar="DIR")
    parser.add_argument("--epochs", type=int, metavar="N", help="of a training [100]")
    parser.add_argument("--alone", action="store_true", help="lists alone, nothing is filled")
    parser.add_argument("--errors", action="store_true", help="print the wrong readings on stderr")


if __name__ == "__main__":
    run("unlisted", __doc__ or "", main, ("numpy", "torch"), arguments=_arguments)
