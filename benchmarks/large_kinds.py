"""The best name of a large kind: all its rows, or a class of them first and then a row of that.

python benchmarks/large_kinds.py [--quick] [--json]

Rows are random; only their number matters to the time. `grammax bench` has both heads in decoding,
where a grammar seldom permits all of a large kind.
"""

from __future__ import annotations

from statistics import median
from time import thread_time

import torch
from report import Claim, Options, Row, run

from grammax import Grammar, OutputLayer, Spans, lr
from grammax.head import Head
from grammax.head import Options as Permitted
from grammax.head.hierarchical import Hierarchical
from grammax.head.row_classes import row_classes

SIZES = (1_000, 10_000, 38_831)  # the last one is the number of companies of the equity domain
WIDTH = 256


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    """Each size, both ways in turn."""
    torch.set_num_threads(1)
    return [_choice(size, 30 if options.quick else 200) for size in SIZES], []


@torch.no_grad()
def _choice(size: int, repeats: int) -> Row:
    """Milliseconds of a choice among all names of a kind, by processor time."""
    names = [f"name{number}" for number in range(size)]
    automaton = lr(
        Grammar.from_rules({"query": [["WHO", "NAME"]]}, {"WHO": ["who"], "NAME": names})
    )
    vocabulary = automaton.vocabulary
    layer = OutputLayer(
        torch.randn(len(vocabulary), WIDTH), torch.zeros(len(vocabulary)), len(vocabulary)
    )
    classes = row_classes(layer, vocabulary, large=50)
    heads: dict[str, Head[torch.Tensor]] = {
        "spans_ms": Spans(layer),
        "hierarchical_ms": Hierarchical(layer, classes),
    }
    permitted = Permitted(automaton.next_tokens(automaton.read(["who"])))
    times: dict[str, list[float]] = {way: [] for way in heads}
    for repeat in range(repeats + 3):
        hidden = torch.randn(WIDTH)
        for way, head in heads.items():
            begin = thread_time()
            head.scores(hidden, permitted).best(1)
            if repeat >= 3:  # the first ones fill caches
                times[way].append(1e3 * (thread_time() - begin))
    found = {way: median(of) for way, of in times.items()}
    return {"names": size, **found, "times": found["spans_ms"] / found["hierarchical_ms"]}


if __name__ == "__main__":
    run("large_kinds", __doc__ or "", measure, packages=("torch",))
