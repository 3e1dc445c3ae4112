"""`Hierarchical`: inside a large kind, first a class of its rows, then a row of the class.

Hierarchical softmax with two levels (Goodman 2001; Morin and Bengio 2005): the n rows of a large
kind are divided into some √n classes, and

    p(row) = p(class | what is permitted) · p(row | class, what is permitted).

Rows of other kinds are classes of their own, so that all that is permitted competes at the first
level. A step multiplies the classes of the permitted kinds and the rows of the classes that are
opened: for 38,831 rows some 200 + 200. It is another distribution than the softmax over all rows,
and a class has a vector that has to be trained (`fit_classes`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, final

import torch
from torch import Tensor

from grammax.head.layer import OutputLayer, product
from grammax.head.protocol import Candidate, NoEndRow, Options
from grammax.head.row_classes import RowClasses
from grammax.head.rows import grouped
from grammax.vocabulary import Permitted, Span, merge_spans

_FIRST: Final = 4  # units that are ranked before all of them are
_SPANS: Final = 8  # spans up to which one product each is faster than a copy of the rows


@final
class Hierarchical:
    """A head with classes inside large kinds, for decoding and for training.

    >>> import torch
    >>> from grammax import Grammar, OutputLayer, lr
    >>> from grammax.head import Options
    >>> from grammax.head.hierarchical import Hierarchical
    >>> from grammax.head.row_classes import row_classes
    >>> names = " | ".join(f'"name{n}"' for n in range(100))
    >>> automaton = lr(Grammar.read(f'query: "who" "is" NAME\\nNAME: {names}'))
    >>> layer = OutputLayer(torch.randn(102, 4), torch.zeros(102), tokens=102)
    >>> head = Hierarchical(layer, row_classes(layer, automaton.vocabulary, large=50))
    >>> permitted = automaton.next_tokens(automaton.read(["who", "is"]))
    >>> scores = head.scores(torch.ones(4), Options(permitted))
    >>> best = scores.best(1)
    >>> scores.size < 50
    True
    """

    def __init__(self, layer: OutputLayer, classes: RowClasses) -> None:
        self.layer = layer
        self.classes = classes
        self.tokens = layer.tokens
        self.end = layer.end
        self._units: dict[Options, _Units] = {}

    @property
    def memory_bytes(self) -> int:
        """The bytes of the classes."""
        return self.classes.memory_bytes

    def scores(self, hidden: Tensor, options: Options) -> HierarchicalScores:
        """(d) → scores of the permitted rows; asking for the best ones opens classes."""
        units = self.units(options)
        return HierarchicalScores(self, hidden, units, self._unit_scores(hidden, units))

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> list[HierarchicalGroup]:
        """(n, d) → scores of the permitted rows, one group per permitted set."""
        found = []
        for choice, members in grouped(options).items():
            units = self.units(choice)
            inputs = hidden[members]
            values = self._unit_scores(inputs, units)
            found.append(HierarchicalGroup(self, members, inputs, units, values))
        return found

    def loss(self, hidden: Tensor, options: Sequence[Options], targets: Tensor) -> Tensor:
        """-log p(target | options) of each member, (n, d) and (n) → (n), with gradients.

        They reach the hidden vectors, the vectors of classes, and the rows that are multiplied.
        """
        found = hidden.new_zeros(len(options))
        for group in self.scores_of(hidden, options):
            at = torch.tensor(group.members, device=hidden.device)
            found = found.index_copy(0, at, -group.log_probability(targets[at]))
        return found

    def units(self, options: Options) -> _Units:
        """What competes at the first level."""
        units = self._units.get(options)
        if units is None:
            units = self._made(options)
            if not options.narrowed:  # a set that was narrowed is for one query only
                self._units[options] = units
        return units

    def inside(self, number: int, units: _Units) -> Tensor:
        """The permitted rows of a class."""
        rows = self.classes.rows(number)
        return rows if units.only is None else rows[torch.isin(rows, units.only)]

    def members(self, hidden: Tensor, rows: Tensor) -> Tensor:
        """Log-probabilities of the rows of a class among themselves, (..., d) → (..., k)."""
        weight, bias = (
            self.layer.weight.index_select(0, rows),
            self.layer.bias.index_select(0, rows),
        )
        return product(hidden, weight, bias).log_softmax(-1)

    def _made(self, options: Options) -> _Units:
        """Rows that are their own units, and classes with a permitted row."""
        permitted, kinds = options.permitted, self.classes.of_kind
        of_row, device = self.classes.of_row, self.layer.weight.device
        if isinstance(permitted, Permitted) and not options.narrowed:  # all rows of its kinds
            if options.may_end and self.end is None:
                raise NoEndRow
            large = permitted.kind_numbers & kinds.keys()
            small = permitted.among(permitted.kind_numbers - large)
            end = [(self.end, self.end + 1)] if options.may_end and self.end is not None else []
            row_spans = merge_spans([*small, *end])
            class_spans = merge_spans(kinds[kind] for kind in large)
            rows, classes = (_ids(spans, device) for spans in (row_spans, class_spans))
            return _Units(rows, classes, row_spans, class_spans, None)
        ids = torch.from_numpy(options.ids(self.end).copy()).to(device)
        numbers = of_row[ids]
        classes = torch.unique(numbers[numbers >= 0])
        return _Units(ids[numbers < 0], classes, (), (), ids[numbers >= 0])

    def _unit_scores(self, hidden: Tensor, units: _Units) -> Tensor:
        """The scores of the first level, (..., d) → (..., units): rows, then classes."""
        layer, classes = self.layer, self.classes
        rows = _products(hidden, layer.weight, layer.bias, units.rows, units.row_spans)
        inner = _products(hidden, classes.weight, classes.bias, units.classes, units.class_spans)
        return torch.cat([*rows, *inner], -1)


class _Units(NamedTuple):
    """What competes at the first level: rows on their own, then classes; also as spans."""

    rows: Tensor
    classes: Tensor
    row_spans: tuple[Span, ...]  # none for rows that were narrowed, which are scattered
    class_spans: tuple[Span, ...]
    only: Tensor | None  # the permitted rows of the classes; None if all are


@final
class HierarchicalScores:
    """The scores of one hidden vector. Classes are opened as far as the best rows need it."""

    def __init__(self, head: Hierarchical, hidden: Tensor, units: _Units, values: Tensor) -> None:
        self._head, self._hidden, self._units = head, hidden, units
        self._logs = values.log_softmax(-1)
        self._opened: dict[int, tuple[Tensor, Tensor]] = {}

    @property
    def size(self) -> int:
        """The number of vectors multiplied so far: those of the first level, and opened rows."""
        return self._logs.shape[-1] + sum(len(rows) for rows, _ in self._opened.values())

    def best(self, count: int, among: Sequence[Span] | None = None) -> list[Candidate]:
        """The best `count` ids, best first.

        A row is never likelier than its class, so classes are opened in the order of their
        probability, until none can have a better row.
        """
        units, inside = self._units, _within(among)
        singles = len(units.rows)
        found: list[Candidate] = []
        for value, at in self._in_order():
            if len(found) >= count and value <= found[count - 1][1]:
                break
            if not value > -torch.inf:
                continue
            if at < singles:
                row = int(units.rows[at])
                candidates = [(row, value)] if inside(row) else []
            else:
                rows, logs = self._open(int(units.classes[at - singles]))
                top = (logs + value).topk(len(logs) if among else min(count, len(logs)))
                ids = rows[top.indices].tolist()
                candidates = [
                    (row, each)
                    for row, each in zip(ids, top.values.tolist(), strict=True)
                    if inside(row)
                ]
            found = sorted([*found, *candidates], key=lambda one: -one[1])[:count]
        return found

    def log_probabilities(self) -> tuple[Tensor, Tensor]:
        """All permitted ids and their log-probabilities: opens every class."""
        units, singles = self._units, len(self._units.rows)
        ids, logs = [units.rows], [self._logs[:singles]]
        for at, number in enumerate(units.classes.tolist(), singles):
            rows, inside = self._open(number)
            ids.append(rows)
            logs.append(self._logs[at] + inside)
        return torch.cat(ids), torch.cat(logs)

    def _in_order(self) -> Iterator[tuple[float, int]]:
        """Log-probabilities and places of the first level, the best ones before the rest."""
        first = self._logs.topk(min(_FIRST, len(self._logs)))
        places = first.indices.tolist()
        yield from zip(first.values.tolist(), places, strict=True)
        rest = self._logs.sort(descending=True)
        for value, at in zip(rest.values.tolist(), rest.indices.tolist(), strict=True):
            if at not in places:
                yield value, at

    def _open(self, number: int) -> tuple[Tensor, Tensor]:
        found = self._opened.get(number)
        if found is None:
            rows = self._head.inside(number, self._units)
            found = self._opened[number] = rows, self._head.members(self._hidden, rows)
        return found


@final
class HierarchicalGroup:
    """The scores of the members of a batch that share their options."""

    def __init__(
        self,
        head: Hierarchical,
        members: Sequence[int],
        hidden: Tensor,
        units: _Units,
        values: Tensor,
    ) -> None:
        self.members = members
        self._head, self._hidden, self._units, self._values = head, hidden, units, values

    def best(self, count: int) -> list[list[Candidate]]:
        """The best `count` ids of each member."""
        return [self.member(row).best(count) for row in range(len(self.members))]

    def member(self, row: int) -> HierarchicalScores:
        """The scores of the member `members[row]`."""
        return HierarchicalScores(self._head, self._hidden[row], self._units, self._values[row])

    def log_probability(self, targets: Tensor) -> Tensor:
        """The log-probability of one target per member, (members) → (members), with gradients."""
        head, units = self._head, self._units
        of_target = head.classes.of_row[targets]
        single = (units.rows == targets[:, None]).long().argmax(-1) if len(units.rows) else 0
        grouped_at = (
            (units.classes == of_target[:, None]).long().argmax(-1) if len(units.classes) else 0
        )
        at = torch.where(of_target < 0, single, len(units.rows) + grouped_at)
        found = self._values.log_softmax(-1).gather(-1, at[:, None]).squeeze(-1)
        for number in torch.unique(of_target[of_target >= 0]).tolist():
            mine = (of_target == number).nonzero().squeeze(-1)
            rows = head.inside(number, units)
            logs = head.members(self._hidden[mine], rows)
            place = (rows == targets[mine, None]).long().argmax(-1)
            inner = logs.gather(-1, place[:, None]).squeeze(-1)
            found = found.index_add(0, mine, inner)
        return found


def fit_classes(
    head: Hierarchical,
    hidden: Tensor,
    options: Sequence[Options],
    targets: Tensor,
    *,
    epochs: int = 20,
    rate: float = 0.01,
    batch: int = 64,
    seed: int = 0,
) -> tuple[Hierarchical, list[float]]:
    """A head with trained vectors of classes, and the mean loss before each epoch and at the end.

    The network and its rows stay as they are: `hidden` are vectors that it gave, (n, d), at steps
    with these options and targets. Only steps at which a class competes have anything to teach. To
    train the network with it, use `Hierarchical.loss`. Adam (Kingma and Ba 2015), seeded.
    """
    classes = head.classes
    weight = classes.weight.detach().clone().requires_grad_()
    bias = classes.bias.detach().clone().requires_grad_()
    made = Hierarchical(head.layer, replace(classes, weight=weight, bias=bias))
    optimizer = torch.optim.Adam([weight, bias], lr=rate)
    generator = torch.Generator().manual_seed(seed)
    losses: list[float] = []
    for _ in range(epochs):
        losses.append(_mean_loss(made, hidden, options, targets))
        for chosen in torch.split(torch.randperm(len(options), generator=generator), batch):
            optimizer.zero_grad()
            some = [options[n] for n in chosen.tolist()]
            made.loss(hidden[chosen], some, targets[chosen]).mean().backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    losses.append(_mean_loss(made, hidden, options, targets))
    weight.requires_grad_(False)
    bias.requires_grad_(False)
    return made, losses


@torch.no_grad()
def _mean_loss(
    head: Hierarchical, hidden: Tensor, options: Sequence[Options], targets: Tensor
) -> float:
    return float(head.loss(hidden, options, targets).mean())


def _within(among: Sequence[Span] | None) -> Callable[[int], bool]:
    if among is None:
        return lambda _: True
    return lambda row: any(start <= row < stop for start, stop in among)


def _ids(spans: Sequence[Span], device: torch.device) -> Tensor:
    none = torch.zeros(0, dtype=torch.long, device=device)
    return torch.cat([none, *[torch.arange(*span, device=device) for span in spans]])


def _products(
    hidden: Tensor, weight: Tensor, bias: Tensor, ids: Tensor, spans: Sequence[Span]
) -> list[Tensor]:
    """The scores of some rows, (..., d) → parts of (..., k), in place where they are few spans."""
    if not len(ids):
        return []
    if 0 < len(spans) <= _SPANS:
        return [product(hidden, weight[start:stop], bias[start:stop]) for start, stop in spans]
    return [product(hidden, weight.index_select(0, ids), bias.index_select(0, ids))]
