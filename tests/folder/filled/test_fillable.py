"""Which kinds of an induced grammar queries could fill."""

from __future__ import annotations

from grammax.folder.fillable import proposed_kinds, setting_lines
from grammax.folder.induce import induce
from grammax.folder.open_kinds import FilledKind
from grammax.grammar import Grammar
from grammax.language.domain import Pair

PLACES = ("texas", "new york", "ohio", "rhode island")
NUMBERS = ("5", "300", "1200", "2000000")
TYPED = ("5", "300", "1,200", "2m")


def pairs_of(form: str) -> list[Pair]:
    found = []
    for place in PLACES:
        for number, typed in zip(NUMBERS, TYPED, strict=True):
            token = place.replace(" ", "_")
            lf = form.format(place=token, number=number)
            found.append(Pair(f"rivers of {place} over {typed}", tuple(lf.split())))
    return found


def test_arguments_that_queries_mention_could_be_filled() -> None:
    pairs = pairs_of("( and ( loc {place}:s ) ( > {number} ) )")
    grammar = Grammar.read(induce([pair.tokens for pair in pairs]))
    found = {kind.fill: kind for kind in proposed_kinds(grammar, pairs)}
    assert set(found) == {"text", "number"}
    place, number = found["text"], found["number"]
    assert place == FilledKind(place.kind, "text", "lower", "_", "{}:s", "first")
    assert number == FilledKind(number.kind, "number", listed="last")
    lines = setting_lines(grammar, pairs)
    how = 'case = "lower", spaces = "_", written = "{}:s", listed = "first"'
    assert [f'{{ fill = "text", {how} }}'] == [each.split(" = ", 1)[1] for each in lines[:1]]
    assert f'{number.kind} = {{ fill = "number", listed = "last" }}' in lines


def test_what_queries_do_not_mention_is_listed_only() -> None:
    pairs = [
        Pair("the lone star state", ("(", "loc", "tx:s", ")")),
        Pair("the empire state", ("(", "loc", "ny:s", ")")),
        Pair("the buckeye state", ("(", "loc", "oh:s", ")")),
    ]
    grammar = Grammar.read(induce([pair.tokens for pair in pairs]))
    assert proposed_kinds(grammar, pairs) == []


def test_operators_are_never_filled() -> None:
    words = ("river", "state", "city", "lake")
    pairs = [Pair(f"the {word} of it", ("(", word, "it", ")")) for word in words]
    grammar = Grammar.read(induce([pair.tokens for pair in pairs]))
    assert all(
        word not in grammar.kinds[k.kind] for k in proposed_kinds(grammar, pairs) for word in words
    )
